/* Defines the cases of the comparison and makes their scenes. */
#include "experiments/peers/scenes.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "experiments/peers/peers.h"
#include "experiments/setting/pile.h"

_Static_assert((int)ABUT_PILE_PLANES <= (int)ABUT_PEER_PLANES_MAX, "room for a pile's bin");

const AbutPeerCase abut_peer_cases[] = {
    {"cube_rest", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 1, 0.01, 1.0, 5.0, 1, 15, 0.0, 0, false, NULL},
    {"capsule_rest", ABUT_PEER_STACK, ABUT_SHAPE_CAPSULE, 1, 0.01, 1.0, 5.0, 1, 15, 0.0, 0, false, NULL},
    {"stack_2_rest", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 2, 0.01, 1.0, 5.0, 1, 15, 0.0, 0, false, NULL},
    {"stack_4_rest", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 4, 0.01, 1.0, 5.0, 1, 3, 0.0, 0, false, NULL},
    {"stack_16_rest", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 16, 0.01, 1.0, 5.0, 1, 3, 0.0, 0, false, NULL},
    {"drop_100hz", ABUT_PEER_DROPPED, ABUT_SHAPE_BOX, 1, 0.01, 0.0, 1.5, 20, 15, 0.0, 0, false, NULL},
    {"drop_20hz", ABUT_PEER_DROPPED, ABUT_SHAPE_BOX, 1, 0.05, 0.0, 1.5, 20, 15, 0.0, 0, false, NULL},
    {"cube_kick", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 1, 0.01, 1.0, 5.0, 3, 3, 0.005, 1, false, NULL},
    {"stack_4_kick", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 4, 0.01, 0.5, 4.5, 5, 3, 0.05, 10, false, NULL},
    {"stack_16_kick", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 16, 0.01, 0.5, 4.5, 5, 3, 0.05, 10, false, NULL},
    {"gradient_drop_100hz", ABUT_PEER_DROPPED, ABUT_SHAPE_BOX, 1, 0.01, 0.0, 1.5, 20, 3, 0.0, 0, true, NULL},
    {"gradient_cube_kick", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 1, 0.01, 1.0, 5.0, 3, 3, 0.005, 1, true, NULL},
    {"gradient_stack_4_kick", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 4, 0.01, 0.5, 4.5, 2, 2, 0.05, 10, true, NULL},
    {"grid_boxes", ABUT_PEER_GRID, ABUT_SHAPE_BOX, 100, 0.01, 1.0, 2.0, 1, 3, 0.0, 0, false, NULL},
    {"grid_capsules", ABUT_PEER_GRID, ABUT_SHAPE_CAPSULE, 100, 0.01, 1.0, 2.0, 1, 3, 0.0, 0, false, NULL},
    {"stack_4_first_second", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 4, 0.01, 0.0, 1.0, 1, 3, 0.0, 0, false, NULL},
    {"stack_4_first_20hz", ABUT_PEER_STACK, ABUT_SHAPE_BOX, 4, 0.05, 0.0, 1.0, 1, 3, 0.0, 0, false, NULL},
    {"pile_20", ABUT_PEER_PILE, ABUT_SHAPE_BOX, 20, 0.01, 4.0, 1.0, 1, 3, 0.0, 0, false, NULL},
    {"pile_50", ABUT_PEER_PILE, ABUT_SHAPE_BOX, 50, 0.01, 4.0, 1.0, 1, 2, 0.0, 0, false, NULL},
    {"pile_100", ABUT_PEER_PILE, ABUT_SHAPE_BOX, 100, 0.01, 4.0, 1.0, 1, 1, 0.0, 0, false, NULL},
};
const int abut_peer_case_count = sizeof abut_peer_cases / sizeof *abut_peer_cases;

int abut_peer_case_index(const char *name)
{
	for (int i = 0; i < abut_peer_case_count; i++) {
		if (strcmp(abut_peer_cases[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

AbutStatus abut_peer_shapes_create(AbutPeerShapes *out, AbutError *error)
{
	*out = (AbutPeerShapes){NULL, NULL, NULL};
	ABUT_TRY(abut_pile_shape_create(ABUT_SHAPE_BOX, &out->box, error));
	ABUT_TRY(abut_pile_shape_create(ABUT_SHAPE_CAPSULE, &out->capsule, error));
	return abut_shape_create_sphere(0.5, &out->sphere, error);
}

void abut_peer_shapes_destroy(AbutPeerShapes *shapes)
{
	abut_shape_destroy(shapes->box);
	abut_shape_destroy(shapes->capsule);
	abut_shape_destroy(shapes->sphere);
}

void abut_peer_inertia(const AbutPeerScene *scene, int body, double out[3])
{
	const AbutMassProperties *mass = &scene->shapes[body]->mass;
	for (int k = 0; k < 3; k++) {
		out[k] = scene->mass / mass->volume * mass->inertia[4 * k];
	}
}

static double depth_in_plane(const AbutShape *shape, const AbutPeerPose *pose, const AbutPeerPlane *plane)
{
	const double *n = plane->normal, *p = pose->position;
	const double down[3] = {-n[0], -n[1], -n[2]};
	double R[9], direction[3];
	abut_quat_to_mat3(pose->orientation, R);
	abut_mat3_tvec(R, down, direction);
	return plane->offset - (n[0] * p[0] + n[1] * p[1] + n[2] * p[2]) + abut_shape_support(shape, direction, NULL);
}

double abut_peer_depth(const AbutPeerScene *scene, int body, const AbutPeerPose *pose)
{
	double depth = -INFINITY;
	for (int i = 0; i < scene->n_planes; i++) {
		depth = fmax(depth, depth_in_plane(scene->shapes[body], pose, &scene->planes[i]));
	}
	return depth;
}

static void fill_pile(int count, const AbutPeerShapes *shapes, AbutRng *rng, AbutPeerScene *scene)
{
	scene->n_planes = ABUT_PILE_PLANES;
	for (int i = 0; i < ABUT_PILE_PLANES; i++) {
		const AbutPilePlane plane = abut_pile_plane(count, i);
		memcpy(scene->planes[i].normal, plane.normal, sizeof plane.normal);
		scene->planes[i].offset = plane.offset;
	}
	for (int i = 0; i < count; i++) {
		const bool is_box = abut_pile_kind(count, i) == ABUT_SHAPE_BOX;
		scene->shapes[i] = is_box ? shapes->box : shapes->capsule;
		abut_pile_place(count, i, rng, scene->start[i].position, scene->start[i].orientation);
	}
}

/* Places a body: on the floor, on top of others, beside others, or above the floor. */
static void place(const AbutPeerCase *which, int body, AbutRng *rng, AbutPeerScene *scene)
{
	static const double upright[4] = {1.0, 0.0, 0.0, 0.0};
	static const double along_x[4] = {0.70710678118654752, 0.0, 0.70710678118654752, 0.0};
	AbutPeerPose *pose = &scene->start[body];
	if (which->layout == ABUT_PEER_DROPPED) {
		abut_rng_rotation(rng, pose->orientation);
	} else {
		memcpy(pose->orientation, which->kind == ABUT_SHAPE_CAPSULE ? along_x : upright, sizeof upright);
	}
	const double height = abut_peer_depth(scene, body, pose);
	pose->position[2] = height;
	if (which->layout == ABUT_PEER_DROPPED) {
		pose->position[2] += 1.0;
	} else if (which->layout == ABUT_PEER_GRID) {
		const int row = body / 10;
		pose->position[0] = 2.0 * (body % 10);
		pose->position[1] = 2.0 * row;
	} else {
		pose->position[2] += 2.0 * height * body;
	}
	if (which->start) {
		pose->position[2] += which->start->height * (body + 1);
		pose->velocity[0] = which->start->speed;
	}
}

static void lean_gravity(double degrees, double gravity[3])
{
	static const double g = 9.81, degree = 0.017453292519943295;
	gravity[0] = g * sin(degrees * degree);
	gravity[1] = 0.0;
	gravity[2] = -g * cos(degrees * degree);
}

static const AbutShape *shape_of(const AbutPeerShapes *shapes, AbutShapeKind kind)
{
	return kind == ABUT_SHAPE_CAPSULE ? shapes->capsule : kind == ABUT_SHAPE_SPHERE ? shapes->sphere : shapes->box;
}

void abut_peer_scene_fill(const AbutPeerCase *which, const AbutPeerShapes *shapes, double timestep,
                          unsigned long long seed, int run, AbutPeerScene *scene)
{
	AbutRng rng = abut_rng_stream(seed, (unsigned)run);
	memset(scene, 0, sizeof *scene);
	scene->timestep = timestep;
	lean_gravity(which->start ? which->start->slope : 0.0, scene->gravity);
	scene->friction = 0.5;
	scene->mass = 1.0;
	scene->inputs = which->gradient;
	scene->n_planes = 1;
	scene->planes[0] = (AbutPeerPlane){{0.0, 0.0, 1.0}, 0.0};
	scene->n_bodies = which->count;
	if (which->layout == ABUT_PEER_PILE) {
		fill_pile(which->count, shapes, &rng, scene);
		return;
	}
	for (int i = 0; i < which->count; i++) {
		scene->shapes[i] = shape_of(shapes, which->kind);
		place(which, i, &rng, scene);
	}
}
