/* The cases of the comparison and their scenes. */
#include <string.h>

#include "base/rng.h"
#include "experiments/peers/peers.h"

static const AbutPeerCase cases[] = {
    {"cube_rest", ABUT_SHAPE_BOX, 1, 0, false, 0.01, 1.0, 5.0, 1, 0.0, 0},
    {"capsule_rest", ABUT_SHAPE_CAPSULE, 1, 0, false, 0.01, 1.0, 5.0, 1, 0.0, 0},
    {"stack_2_rest", ABUT_SHAPE_BOX, 2, 0, false, 0.01, 1.0, 5.0, 1, 0.0, 0},
    {"stack_4_rest", ABUT_SHAPE_BOX, 4, 0, false, 0.01, 1.0, 5.0, 1, 0.0, 0},
    {"stack_16_rest", ABUT_SHAPE_BOX, 16, 0, false, 0.01, 1.0, 5.0, 1, 0.0, 0},
    {"drop_100hz", ABUT_SHAPE_BOX, 1, 0, true, 0.01, 0.0, 1.5, 20, 0.0, 0},
    {"drop_20hz", ABUT_SHAPE_BOX, 1, 0, true, 0.05, 0.0, 1.5, 20, 0.0, 0},
    {"cube_kick", ABUT_SHAPE_BOX, 1, 0, false, 0.01, 1.0, 5.0, 3, 0.005, 1},
    {"stack_4_kick", ABUT_SHAPE_BOX, 4, 0, false, 0.01, 0.5, 4.5, 5, 0.05, 10},
    {"stack_16_kick", ABUT_SHAPE_BOX, 16, 0, false, 0.01, 0.5, 4.5, 5, 0.05, 10},
    {"grid_boxes", ABUT_SHAPE_BOX, 100, 10, false, 0.01, 1.0, 2.0, 1, 0.0, 0},
    {"grid_capsules", ABUT_SHAPE_CAPSULE, 100, 10, false, 0.01, 1.0, 2.0, 1, 0.0, 0},
    {"stack_4_first_second", ABUT_SHAPE_BOX, 4, 0, false, 0.01, 0.0, 1.0, 1, 0.0, 0},
    {"stack_4_first_20hz", ABUT_SHAPE_BOX, 4, 0, false, 0.05, 0.0, 1.0, 1, 0.0, 0},
};

int abut_peer_case_count(void)
{
	return sizeof cases / sizeof *cases;
}

const AbutPeerCase *abut_peer_case(int index)
{
	return &cases[index];
}

const AbutPeerCase *abut_peer_case_named(const char *name)
{
	for (int i = 0; i < abut_peer_case_count(); i++) {
		if (strcmp(cases[i].name, name) == 0) {
			return &cases[i];
		}
	}
	return NULL;
}

AbutStatus abut_peer_shape_create(AbutShapeKind kind, AbutShape **out, AbutError *error)
{
	if (kind == ABUT_SHAPE_CAPSULE) {
		return abut_shape_create_capsule(0.25, 0.5, out, error);
	}
	return abut_shape_create_box((const double[3]){0.5, 0.5, 0.5}, out, error);
}

/* -z in body axes. */
static void down(const double q[4], double out[3])
{
	out[0] = -2.0 * (q[1] * q[3] - q[0] * q[2]);
	out[1] = -2.0 * (q[2] * q[3] + q[0] * q[1]);
	out[2] = -(1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]));
}

double abut_peer_depth(const AbutShape *shape, const AbutPeerPose *pose)
{
	double direction[3];
	down(pose->orientation, direction);
	return abut_shape_support(shape, direction, NULL) - pose->position[2];
}

void abut_peer_scene_fill(const AbutPeerCase *which, const AbutShape *shape, double timestep, unsigned long long seed,
                          AbutPeerScene *scene)
{
	AbutRng rng = {seed};
	const double half = 0.70710678118654752;
	memset(scene, 0, sizeof *scene);
	scene->timestep = timestep;
	scene->shape = shape;
	scene->mass = 1.0;
	scene->n_bodies = which->count;
	for (int i = 0; i < which->count; i++) {
		AbutPeerPose *pose = &scene->start[i];
		if (which->dropped) {
			abut_rng_rotation(&rng, pose->orientation);
		} else if (which->kind == ABUT_SHAPE_CAPSULE) { /* lying along x */
			memcpy(pose->orientation, (const double[4]){half, 0.0, half, 0.0}, sizeof pose->orientation);
		} else {
			pose->orientation[0] = 1.0;
		}
		const double height = abut_peer_depth(shape, pose);
		pose->position[2] = height + (which->dropped ? 1.0 : 0.0);
		if (which->columns > 0) {
			const int row = i / which->columns;
			pose->position[0] = 2.0 * (i % which->columns);
			pose->position[1] = 2.0 * row;
		} else {
			pose->position[2] += 2.0 * height * i;
		}
	}
}
