/* Makes the lattice, the bin and the model of a pile. */
#include "experiments/setting/pile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

/* Distance of neighbours in the lattice, m. It exceeds the diagonal of a cube, 1.73 m, so that no bodies touch at the
 * start. */
static const double spacing = 1.8;

/* Returns the number of columns along a side of the square layers. There are twice as many layers as columns, and the
 * heap becomes about a third as high as wide. */
static int columns(int n_bodies)
{
	return (int)ceil(cbrt(0.5 * n_bodies));
}

AbutShapeKind abut_pile_kind(int n_bodies, int index)
{
	const int side = columns(n_bodies);
	const int sum = index % side + index / side % side + index / (side * side);
	return sum % 2 == 0 ? ABUT_SHAPE_BOX : ABUT_SHAPE_CAPSULE;
}

void abut_pile_place(int n_bodies, int index, AbutRng *rng, double position[3], double orientation[4])
{
	const int side = columns(n_bodies), layer = index / (side * side);
	const double middle = 0.5 * (side - 1);
	position[0] = spacing * (index % side - middle);
	position[1] = spacing * (index / side % side - middle);
	position[2] = spacing * (layer + 0.5);
	abut_rng_rotation(rng, orientation);
}

AbutPilePlane abut_pile_plane(int n_bodies, int index)
{
	AbutPilePlane plane = {{0.0, 0.0, 1.0}, 0.0};
	if (index > 0) {
		const int axis = (index - 1) / 2;
		plane.normal[2] = 0.0;
		plane.normal[axis] = index % 2 == 1 ? 1.0 : -1.0;
		plane.offset = -0.5 * spacing * columns(n_bodies);
	}
	return plane;
}

AbutStatus abut_pile_shape_create(AbutShapeKind kind, AbutShape **out, AbutError *error)
{
	if (kind == ABUT_SHAPE_CAPSULE) {
		return abut_shape_create_capsule(0.25, 0.5, out, error);
	}
	return abut_shape_create_box((const double[3]){0.5, 0.5, 0.5}, out, error);
}

/* The parts of a model; `release` frees all of them. */
typedef struct Parts {
	AbutShape *planes[ABUT_PILE_PLANES], *box, *capsule;
	AbutBodyDef *bodies; /* [1 + n] */
	char (*names)[16];   /* [1 + n] */
} Parts;

static void release(Parts *parts)
{
	for (int i = 0; i < ABUT_PILE_PLANES; i++) {
		abut_shape_destroy(parts->planes[i]);
	}
	abut_shape_destroy(parts->box);
	abut_shape_destroy(parts->capsule);
	free(parts->bodies);
	free(parts->names);
}

static AbutStatus acquire(Parts *parts, int n_bodies, AbutError *error)
{
	const size_t n = 1 + (size_t)n_bodies;
	parts->bodies = calloc(n, sizeof *parts->bodies);
	parts->names = calloc(n, sizeof *parts->names);
	if (!parts->bodies || !parts->names) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a pile of %d bodies", n_bodies);
	}
	AbutStatus status = abut_pile_shape_create(ABUT_SHAPE_BOX, &parts->box, error);
	ABUT_THEN(status, abut_pile_shape_create(ABUT_SHAPE_CAPSULE, &parts->capsule, error));
	for (int i = 0; status == ABUT_OK && i < ABUT_PILE_PLANES; i++) {
		const AbutPilePlane plane = abut_pile_plane(n_bodies, i);
		status = abut_shape_create_halfspace(plane.normal, plane.offset, &parts->planes[i], error);
	}
	return status;
}

static AbutStatus make(Parts *parts, int n_bodies, double timestep, unsigned long long seed, AbutModel **out,
                       AbutError *error)
{
	const AbutShape *const bin[ABUT_PILE_PLANES] = {parts->planes[0], parts->planes[1], parts->planes[2],
	                                                parts->planes[3], parts->planes[4]};
	const AbutShape *const kinds[2] = {parts->box, parts->capsule};
	AbutSceneDef def = abut_scene_def_default();
	AbutRng rng = abut_rng_stream(seed, 0);
	for (int i = 0; i <= n_bodies; i++) {
		AbutBodyDef *body = &parts->bodies[i];
		*body = abut_body_def_default();
		snprintf(parts->names[i], sizeof parts->names[i], "%d", i);
		body->name = parts->names[i];
		body->is_static = i == 0;
		body->n_parts = i == 0 ? ABUT_PILE_PLANES : 1;
		body->parts = bin;
		if (i > 0) {
			body->parts = &kinds[abut_pile_kind(n_bodies, i - 1) == ABUT_SHAPE_CAPSULE];
			body->mass = 1.0;
			abut_pile_place(n_bodies, i - 1, &rng, body->position, body->orientation);
		}
	}
	def.name = "pile";
	def.timestep = timestep;
	def.n_bodies = n_bodies + 1;
	def.bodies = parts->bodies;
	return abut_model_create(&def, out, error);
}

AbutStatus abut_pile_model_create(int n_bodies, double timestep, unsigned long long seed, AbutModel **out,
                                  AbutError *error)
{
	Parts parts = {.bodies = NULL};
	AbutStatus status = acquire(&parts, n_bodies, error);
	ABUT_THEN(status, make(&parts, n_bodies, timestep, seed, out, error));
	release(&parts);
	return status;
}
