/* Makes the model of a tossed box, records tosses and finds its corners. */
#include "experiments/identification/toss.h"

#include <string.h>

#include "abut/parameter.h"
#include "base/error.h"
#include "base/lapack.h"
#include "base/vec3.h"
#include "experiments/setting/world.h"

/* Makes the faces: face 2 k is at the positive side of axis k, face 2 k + 1 at the negative one. Each leans towards the
 * next axis by a different amount. */
static void make_faces(const AbutTossedBox *box, double A[3 * ABUT_TOSS_FACES], double b[ABUT_TOSS_FACES])
{
	memset(A, 0, 3 * ABUT_TOSS_FACES * sizeof *A);
	for (int i = 0; i < ABUT_TOSS_FACES; i++) {
		const int axis = i / 2;
		A[3 * i + axis] = i % 2 == 0 ? 1.0 : -1.0;
		A[3 * i + (axis + 1) % 3] = box->skew * (i - 2.5) / 2.5;
		b[i] = box->half[axis];
	}
}

AbutStatus abut_toss_model(const AbutTossedBox *box, const double inertia_half[3], AbutModel **out, AbutError *error)
{
	double A[3 * ABUT_TOSS_FACES], b[ABUT_TOSS_FACES];
	AbutShape *shape = NULL;
	AbutOnFloor scene;
	make_faces(box, A, b);
	const AbutStatus made = abut_shape_create_polytope(ABUT_TOSS_FACES, A, b, &shape, error);
	AbutStatus status = abut_on_floor_open(&scene, "box", shape, made, error);
	if (status == ABUT_OK) {
		AbutBodyDef *body = &scene.bodies[ABUT_TOSS_BOX];
		body->mass = box->mass;
		body->has_centre_of_mass = body->has_inertia = true;
		for (int k = 0; k < 3; k++) {
			const double p = inertia_half[(k + 1) % 3], q = inertia_half[(k + 2) % 3];
			body->inertia[4 * k] = box->mass * (p * p + q * q) / 3.0;
		}
		body->position[2] = 1.0;
		scene.def.friction = box->friction;
		scene.def.timestep = box->timestep;
		status = abut_model_create(&scene.def, out, error);
	}
	abut_on_floor_close(&scene);
	return status;
}

/* Draws the start of a toss: above the floor, turned and spinning at random. */
static void throw_box(AbutRng *rng, AbutBodyState *out)
{
	*out = (AbutBodyState){.position = {0.0, 0.0, abut_rng_uniform(rng, 0.15, 0.25)}};
	abut_rng_rotation(rng, out->orientation);
	for (int k = 0; k < 3; k++) {
		out->linear_velocity[k] = k < 2 ? 0.8 * abut_rng_normal(rng) : abut_rng_uniform(rng, -1.0, 0.5);
		out->angular_velocity[k] = 5.0 * abut_rng_normal(rng);
	}
}

static void see(const AbutTossNoise *noise, AbutRng *rng, const AbutBodyState *clean, AbutBodyState *out)
{
	double turn[4] = {1.0};
	*out = *clean;
	for (int k = 0; k < 3; k++) {
		out->position[k] += noise->position * abut_rng_normal(rng);
		turn[1 + k] = 0.5 * noise->rotation * abut_rng_normal(rng);
	}
	abut_quat_mul(clean->orientation, turn, out->orientation);
	abut_quat_normalise(out->orientation);
}

static AbutStatus roll(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, int frames,
                       AbutBodyState *clean, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < frames; i++) {
		AbutStepInfo info = {.outcome = ABUT_OUTCOME_FAILED};
		status = abut_state_get_body(model, state, ABUT_TOSS_BOX, &clean[i]);
		memset(clean[i].linear_velocity, 0, sizeof clean[i].linear_velocity);
		memset(clean[i].angular_velocity, 0, sizeof clean[i].angular_velocity);
		ABUT_THEN(status, abut_step(model, state, workspace, &info));
		if (status == ABUT_OK && info.outcome == ABUT_OUTCOME_FAILED) {
			return abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL,
			                      "step %d of a recording of %d frames failed", i + 1, frames);
		}
	}
	return status;
}

AbutStatus abut_toss_record(const AbutModel *model, const AbutTossNoise *noise, AbutRng *rng, int frames,
                            AbutBodyState *clean, AbutBodyState *seen, AbutError *error)
{
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutBodyState start;
	throw_box(rng, &start);
	AbutStatus status = abut_state_create(model, &state, error);
	ABUT_THEN(status, abut_workspace_create(model, &workspace, error));
	ABUT_THEN(status, abut_state_set_body(model, state, ABUT_TOSS_BOX, &start));
	ABUT_THEN(status, roll(model, state, workspace, frames, clean, error));
	for (int i = 0; status == ABUT_OK && i < frames; i++) {
		see(noise, rng, &clean[i], &seen[i]);
	}
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	return status;
}

/* Returns the face whose normal is closest to an axis direction. */
static int face_towards(const double *rows, int axis, double sign)
{
	int best = 0;
	for (int i = 1; i < ABUT_TOSS_FACES; i++) {
		best = sign * rows[4 * i + axis] > sign * rows[4 * best + axis] ? i : best;
	}
	return best;
}

bool abut_toss_corners(const AbutModel *model, double *corners)
{
	double rows[4 * ABUT_TOSS_FACES];
	for (int i = 0; i < 4 * ABUT_TOSS_FACES; i++) {
		const AbutParameter face = {ABUT_PARAMETER_FACE, ABUT_TOSS_BOX, -1, 0, i};
		if (abut_parameter_get(model, &face, &rows[i], NULL) != ABUT_OK) {
			return false;
		}
	}
	for (int i = 0; i < ABUT_TOSS_CORNERS; i++) {
		double M[9];
		int pivots[3];
		for (int k = 0; k < 3; k++) {
			const double *row = &rows[4 * face_towards(rows, k, (i >> k) % 2 ? 1.0 : -1.0)];
			for (int j = 0; j < 3; j++) {
				M[3 * j + k] = row[j];
			}
			corners[3 * i + k] = row[3];
		}
		if (!abut_lapack_solve(3, M, pivots, 1, &corners[3 * i])) {
			return false;
		}
	}
	return true;
}
