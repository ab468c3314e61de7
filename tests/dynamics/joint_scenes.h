/* Scenes of boxes and joints for tests. */
#pragma once

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "abut/abut.h"
#include "base/rng.h"
#include "base/vec3.h"

enum { JOINT_BODIES = 64, JOINT_EDGES = 96 };

/* A scene being put together, then its model, state and workspace. Set to zero, then joint_scene_begin. */
typedef struct JointScene {
	AbutSceneDef def;
	AbutBodyDef bodies[JOINT_BODIES];
	AbutJointDef joints[JOINT_EDGES];
	AbutCouplingDef couplings[JOINT_EDGES];
	AbutShape *shapes[JOINT_BODIES];
	char names[JOINT_EDGES][16];
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} JointScene;

static inline void joint_scene_begin(JointScene *scene, double timestep)
{
	memset(scene, 0, sizeof *scene);
	scene->def = abut_scene_def_default();
	scene->def.timestep = timestep;
	scene->def.all_pairs = false;
	scene->def.bodies = scene->bodies;
	scene->def.joints = scene->joints;
	scene->def.couplings = scene->couplings;
	for (int i = 0; i < JOINT_EDGES; i++) {
		snprintf(scene->names[i], sizeof scene->names[i], "n%d", i);
	}
}

/* Adds a box with half extents `half` and returns its index. */
static inline int joint_scene_box(JointScene *scene, const double half[3], double mass, const double position[3])
{
	const int i = scene->def.n_bodies++;
	AbutBodyDef *body = &scene->bodies[i];
	cr_assert_lt(i, JOINT_BODIES);
	cr_assert_eq(abut_shape_create_box(half, &scene->shapes[i], NULL), ABUT_OK);
	*body = abut_body_def_default();
	body->name = scene->names[i];
	body->n_parts = 1;
	body->parts = (const AbutShape *const *)&scene->shapes[i];
	body->mass = mass;
	abut_copy3(position, body->position);
	return i;
}

/* Adds a joint with its anchor and axis in the world at the bodies' initial poses, and returns it. */
static inline AbutJointDef *joint_scene_joint(JointScene *scene, AbutJointType type, int parent, int child,
                                              const double anchor[3], const double axis[3])
{
	static const double origin[3] = {0.0, 0.0, 0.0}, none[4] = {1.0, 0.0, 0.0, 0.0};
	const int i = scene->def.n_joints++;
	AbutJointDef *joint = &scene->joints[i];
	const AbutBodyDef *a = parent >= 0 ? &scene->bodies[parent] : NULL, *b = &scene->bodies[child];
	cr_assert_lt(i, JOINT_EDGES);
	*joint = abut_joint_def_default();
	joint->name = scene->names[i];
	joint->type = type;
	joint->parent = parent;
	joint->child = child;
	abut_joint_frames(anchor, axis, a ? a->position : origin, a ? a->orientation : none, b->position,
	                  b->orientation, joint);
	if (type == ABUT_JOINT_DISTANCE) { /* from the child's anchor up to the parent's */
		joint->length = 0.3;
		joint->child_frame.position[2] -= 0.3;
	}
	return joint;
}

/* Adds body i of a chain, a box of 1 + i kg at a random orientation, and returns it. */
static inline AbutBodyDef *joint_scene_turned_box(JointScene *scene, const double half[3], int i, AbutRng *rng)
{
	const double place[3] = {0.5 * i, 0.3 * i, -0.4 * i};
	AbutBodyDef *body = &scene->bodies[joint_scene_box(scene, half, 1.0 + i, place)];
	for (int k = 0; k < 4; k++) {
		body->orientation[k] = abut_rng_uniform(rng, -1.0, 1.0);
	}
	abut_quat_normalise(body->orientation);
	return body;
}

/* Adds a joint of a body of a chain to the body before it, at a random point near the body and along a random axis. */
static inline AbutJointDef *joint_scene_random_joint(JointScene *scene, AbutJointType type, int body, AbutRng *rng)
{
	double anchor[3], axis[3];
	for (int k = 0; k < 3; k++) {
		anchor[k] = scene->bodies[body].position[k] + abut_rng_uniform(rng, -0.3, 0.3);
		axis[k] = abut_rng_uniform(rng, -1.0, 1.0);
	}
	return joint_scene_joint(scene, type, body - 1, body, anchor, axis);
}

/* A link of a random tree: its body, the body before it, and where their joint is. */
typedef struct RandomLink {
	int body, parent;
	double anchor[3], axis[3];
} RandomLink;

/* Adds a random box near a random body before it; the first one is near (start, start, start). */
static inline RandomLink joint_scene_random_link(JointScene *scene, double start, AbutRng *rng)
{
	const int i = scene->def.n_bodies;
	RandomLink link = {i, i == 0 ? ABUT_JOINT_WORLD : (int)abut_rng_uniform(rng, 0.0, i), {0}, {0}};
	double half[3], place[3];
	for (int k = 0; k < 3; k++) {
		half[k] = abut_rng_uniform(rng, 0.1, 0.3);
		place[k] = (i > 0 ? scene->bodies[link.parent].position[k] : start) + abut_rng_uniform(rng, -0.6, 0.6);
		link.anchor[k] = place[k] + abut_rng_uniform(rng, -0.2, 0.2);
		link.axis[k] = abut_rng_uniform(rng, -1.0, 1.0);
	}
	joint_scene_box(scene, half, abut_rng_uniform(rng, 0.5, 2.0), place);
	return link;
}

/* Couples the first freedoms of two joints, q_a = ratio q_b, and returns the coupling. */
static inline AbutCouplingDef *joint_scene_couple(JointScene *scene, int a, int b, double ratio)
{
	AbutCouplingDef *coupling = &scene->couplings[scene->def.n_couplings++];
	cr_assert_leq(scene->def.n_couplings, JOINT_EDGES);
	*coupling = (AbutCouplingDef){.joint = {a, b}, .ratio = ratio};
	return coupling;
}

static inline void joint_scene_make(JointScene *scene)
{
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_model_create(&scene->def, &scene->model, &error), ABUT_OK, "%s: %s", error.where,
	             error.message);
	cr_assert_eq(abut_state_create(scene->model, &scene->state, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_workspace_create(scene->model, &scene->workspace, &error), ABUT_OK, "%s", error.message);
}

static inline void joint_scene_end(JointScene *scene)
{
	abut_workspace_destroy(scene->workspace);
	abut_state_destroy(scene->state);
	abut_model_destroy(scene->model);
	for (int i = 0; i < scene->def.n_bodies; i++) {
		abut_shape_destroy(scene->shapes[i]);
	}
}

/* Takes a step, which must be exact with its joints closed. */
static inline AbutStepInfo joint_scene_step(JointScene *scene, const char *what, unsigned seed)
{
	AbutStepInfo info = {.row = 0};
	cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
	cr_assert(info.exact, "%s, seed %u, %g s: outcome %d, residual %g", what, seed, abut_state_time(scene->state),
	          (int)info.outcome, info.residual);
	cr_assert_leq(info.residual, 1e-10, "%s, seed %u: residual %g", what, seed, info.residual);
	cr_assert_leq(info.joint_violation_m, 1e-10, "%s, seed %u: %g m", what, seed, info.joint_violation_m);
	cr_assert_leq(info.joint_violation_rad, 1e-10, "%s, seed %u: %g rad", what, seed, info.joint_violation_rad);
	cr_assert_leq(info.limit_violation, 1e-9, "%s, seed %u: %g", what, seed, info.limit_violation);
	return info;
}

static inline AbutJointState joint_scene_read(const JointScene *scene, int joint)
{
	AbutJointState out;
	cr_assert_eq(abut_joint_get(scene->model, scene->state, joint, &out), ABUT_OK);
	return out;
}

/* A box of half length `half` along x, hinged to the world at the origin about y: a pendulum that starts horizontal.
 * Its coordinate is the angle down from there. */
static inline AbutJointAxis *joint_scene_pendulum(JointScene *scene, double timestep)
{
	static const double half[3] = {0.5, 0.05, 0.05}, place[3] = {0.5, 0.0, 0.0}, origin[3] = {0.0, 0.0, 0.0},
	                    y[3] = {0.0, 1.0, 0.0};
	joint_scene_begin(scene, timestep);
	joint_scene_box(scene, half, 2.0, place);
	return joint_scene_joint(scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 0, origin, y)->axes;
}

/* The same box on a ball whose axis is along x. */
static inline AbutJointAxis *joint_scene_ball(JointScene *scene, double timestep)
{
	static const double origin[3] = {0.0, 0.0, 0.0}, x[3] = {1.0, 0.0, 0.0};
	joint_scene_pendulum(scene, timestep);
	scene->def.n_joints = 0;
	return joint_scene_joint(scene, ABUT_JOINT_BALL, ABUT_JOINT_WORLD, 0, origin, x)->axes;
}

/* Takes steps up to `time`, which must be exact, and returns the state of the first joint. */
static inline AbutJointState joint_scene_run(JointScene *scene, double time, const char *what)
{
	while (abut_state_time(scene->state) < time - 1e-9) {
		joint_scene_step(scene, what, 0);
	}
	return joint_scene_read(scene, 0);
}
