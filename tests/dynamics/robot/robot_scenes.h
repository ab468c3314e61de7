/* Random robots for tests of the joint space. */
#pragma once

#include "dynamics/joint_scenes.h"

enum { ROBOT_MOST = 160 };

typedef struct TestRobot {
	JointScene scene;
	AbutRobot *robot;
	int n_q, n_v;
	double q[ROBOT_MOST], qdot[ROBOT_MOST], qddot[ROBOT_MOST];
} TestRobot;

/* A tree of n turned boxes on joints of all types; every other joint is the other way round, every third body has its
 * centre of mass elsewhere. It hangs on the world or floats. */
static inline void robot_define(TestRobot *t, int n, bool held, unsigned seed)
{
	static const AbutJointType types[] = {ABUT_JOINT_HINGE,     ABUT_JOINT_BALL,   ABUT_JOINT_SLIDE,
	                                      ABUT_JOINT_UNIVERSAL, ABUT_JOINT_PLANAR, ABUT_JOINT_CYLINDRICAL,
	                                      ABUT_JOINT_FIXED};
	AbutRng rng = {seed};
	JointScene *scene = &t->scene;
	joint_scene_begin(scene, 0.01);
	for (int i = 0; i < n; i++) {
		const RandomLink link = joint_scene_random_link(scene, 0.5, &rng);
		AbutBodyDef *body = &scene->bodies[i];
		for (int k = 0; k < 4; k++) {
			body->orientation[k] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		abut_quat_normalise(body->orientation);
		body->has_inertia = true;
		for (int k = 0; k < 3; k++) {
			body->inertia[4 * k] = body->mass * abut_rng_uniform(&rng, 0.02, 0.03);
		}
		if (i % 3 == 1) {
			body->has_centre_of_mass = true;
			body->centre_of_mass[0] = 0.1;
			body->centre_of_mass[2] = -0.05;
		}
		if (i == 0 && !held) {
			continue;
		}
		const bool reversed = i > 0 && i % 2 == 1;
		AbutJointDef *joint =
		    joint_scene_joint(scene, types[(seed + (unsigned)i) % 7], reversed ? i : link.parent,
		                      reversed ? link.parent : i, link.anchor, link.axis);
		for (int k = 0; k < abut_joint_type_freedoms(joint->type); k++) {
			joint->axes[k].armature = i % 4 == 2 && (k == 0 || joint->type != ABUT_JOINT_BALL) ? 0.1 : 0.0;
		}
	}
}

static inline void robot_make(TestRobot *t, unsigned seed)
{
	AbutRng rng = {seed + 77};
	AbutError error = {.status = ABUT_OK};
	joint_scene_make(&t->scene);
	cr_assert_eq(abut_robot_create(t->scene.model, &t->robot, &error), ABUT_OK, "%s", error.message);
	t->n_q = abut_robot_coordinate_count(t->robot);
	t->n_v = abut_robot_velocity_count(t->robot);
	cr_assert_leq(t->n_q, ROBOT_MOST);
	cr_assert_eq(abut_robot_get_state(t->robot, t->scene.state, t->q, t->qdot), ABUT_OK);
	for (int i = 0; i < t->n_v; i++) {
		t->qdot[i] = abut_rng_uniform(&rng, -1.0, 1.0);
		t->qddot[i] = abut_rng_uniform(&rng, -1.0, 1.0);
	}
	/* away from the initial poses */
	cr_assert_eq(abut_robot_integrate(t->robot, t->q, t->qdot, 0.4, t->q), ABUT_OK);
	for (int i = 0; i < t->n_v; i++) {
		t->qdot[i] = abut_rng_uniform(&rng, -1.0, 1.0);
	}
}

static inline void robot_begin(TestRobot *t, int n, bool held, unsigned seed)
{
	robot_define(t, n, held, seed);
	robot_make(t, seed);
}

static inline void robot_end(TestRobot *t)
{
	abut_robot_destroy(t->robot);
	joint_scene_end(&t->scene);
}

/* Returns the largest entry. */
static inline double robot_largest(const double *values, int n)
{
	double most = 0.0;
	for (int i = 0; i < n; i++) {
		most = fmax(most, fabs(values[i]));
	}
	return most;
}

/* A four-bar: cranks of length 1 at (0, 0) and (2, 0), a coupler of length 2, closed by a hinge. The cranks stay
 * parallel. If `coupled`, a coupling holds the coupler level instead of the second crank, which falls. */
static inline void four_bar_define(TestRobot *t, bool coupled)
{
	static const double upright[3] = {0.05, 0.05, 0.5}, along[3] = {1.0, 0.05, 0.05}, y[3] = {0.0, 1.0, 0.0};
	static const double places[3][3] = {{0.0, 0.0, 0.5}, {1.0, 0.0, 1.0}, {2.0, 0.0, 0.5}};
	static const double anchors[4][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {2.0, 0.0, 1.0}, {2.0, 0.0, 0.0}};
	joint_scene_begin(&t->scene, 0.01);
	for (int i = 0; i < 3; i++) {
		joint_scene_box(&t->scene, i == 1 ? along : upright, 1.0, places[i]);
	}
	for (int i = 0; i < (coupled ? 2 : 4); i++) {
		joint_scene_joint(&t->scene, ABUT_JOINT_HINGE, i == 3 ? ABUT_JOINT_WORLD : i - 1, i == 3 ? 2 : i,
		                  anchors[i], y);
	}
	if (coupled) {
		joint_scene_couple(&t->scene, 1, 0, -1.0);
	}
}
