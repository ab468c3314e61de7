/* Jointed scenes for the tests of methods: random trees with all laws, a four-bar, and a table that stands on the
 * floor. */
#pragma once

#include "dynamics/joint_scenes.h"

/* Adds a floor at height 0. */
static inline int joint_scene_floor(JointScene *scene)
{
	static const double half[3] = {1.0, 1.0, 1.0}, origin[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
	const int floor = joint_scene_box(scene, half, 0.0, origin);
	abut_shape_destroy(scene->shapes[floor]);
	cr_assert_eq(abut_shape_create_halfspace(up, 0.0, &scene->shapes[floor], NULL), ABUT_OK);
	scene->bodies[floor].is_static = true;
	scene->def.all_pairs = true;
	return floor;
}

/* Gives a freedom one of each law in turn. */
static inline void joint_scene_law(AbutJointAxis *axis, unsigned which)
{
	switch (which % 6) {
	case 0:
		axis->has_limits = true;
		axis->lower = -0.3;
		axis->upper = 0.4;
		break;
	case 1:
		axis->friction = 0.8;
		break;
	case 2:
		axis->stiffness = 20.0;
		axis->damping = 0.2;
		break;
	case 3:
		axis->motor =
		    (AbutMotorDef){ABUT_MOTOR_POSITION, .stiffness = 1e4, .damping = 10.0, .limit = 3.0, .target = 0.2};
		break;
	case 4:
		axis->motor =
		    (AbutMotorDef){ABUT_MOTOR_VELOCITY, .damping = 5.0, .limit = (double)INFINITY, .target = 1.0};
		axis->armature = 0.05;
		break;
	default:
		axis->motor = (AbutMotorDef){ABUT_MOTOR_FORCE, .limit = (double)INFINITY, .target = 0.5};
		break;
	}
}

/* Makes a random tree of n boxes on the world. Its joints are of all types and have all laws in turn. */
static inline void joint_scene_tree(JointScene *scene, int n, double timestep, unsigned seed)
{
	AbutRng rng = {seed};
	joint_scene_begin(scene, timestep);
	for (int i = 0; i < n; i++) {
		const RandomLink link = joint_scene_random_link(scene, 2.0, &rng);
		const AbutJointType type = (AbutJointType)((seed + (unsigned)i) % ABUT_JOINT_TYPE_COUNT);
		AbutJointDef *joint = joint_scene_joint(scene, type, link.parent, i, link.anchor, link.axis);
		for (int k = 0; type != ABUT_JOINT_BALL && k < abut_joint_type_freedoms(type); k++) {
			joint_scene_law(&joint->axes[k], (unsigned)(i + k) + seed / ABUT_JOINT_TYPE_COUNT);
		}
	}
}

/* A parallelogram of hinges about y, with three conditions too many; its bars move at once. */
static inline void joint_scene_four_bar(JointScene *scene, double timestep)
{
	static const double crank[3] = {0.05, 0.05, 0.25}, coupler[3] = {0.4, 0.05, 0.05}, y[3] = {0.0, 1.0, 0.0};
	static const double places[3][3] = {{0.0, 0.0, 0.25}, {0.4, 0.0, 0.5}, {0.8, 0.0, 0.25}};
	static const double corners[4][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.5}, {0.8, 0.0, 0.5}, {0.8, 0.0, 0.0}};
	joint_scene_begin(scene, timestep);
	for (int i = 0; i < 3; i++) {
		AbutBodyDef *body = &scene->bodies[joint_scene_box(scene, i == 1 ? coupler : crank, 1.0, places[i])];
		body->linear_velocity[0] = i == 1 ? 1.5 : 0.75;
		body->angular_velocity[1] = i == 1 ? 0.0 : 3.0;
	}
	for (int i = 0; i < 4; i++) {
		joint_scene_joint(scene, ABUT_JOINT_HINGE, i == 0 || i == 3 ? ABUT_JOINT_WORLD : i - 1, i == 3 ? 2 : i,
		                  corners[i], y);
	}
}

/* A table: a plate on four legs with box feet that stand on the floor. The legs have hinges with stiff servos. */
static inline void joint_scene_table(JointScene *scene, double timestep, double height)
{
	static const double plate[3] = {0.4, 0.3, 0.05}, leg[3] = {0.05, 0.05, 0.2}, y[3] = {0.0, 1.0, 0.0};
	const double middle[3] = {0.0, 0.0, 0.45 + height};
	joint_scene_begin(scene, timestep);
	joint_scene_box(scene, plate, 2.0, middle);
	for (int i = 0; i < 4; i++) {
		const double at[3] = {i % 2 == 0 ? 0.3 : -0.3, i < 2 ? 0.2 : -0.2, 0.2 + height};
		const double anchor[3] = {at[0], at[1], 0.4 + height};
		const int body = joint_scene_box(scene, leg, 0.5, at);
		AbutJointAxis *axis = joint_scene_joint(scene, ABUT_JOINT_HINGE, 0, body, anchor, y)->axes;
		axis->motor = (AbutMotorDef){ABUT_MOTOR_POSITION, .stiffness = 500.0, .damping = 5.0, .limit = 20.0};
	}
	joint_scene_floor(scene);
}

/* Returns the largest difference of the bodies' velocities in two scenes with the same bodies. */
static inline double joint_scene_difference(const JointScene *one, const JointScene *two)
{
	double worst = 0.0;
	for (int i = 0; i < one->def.n_bodies; i++) {
		AbutBodyState a, b;
		abut_state_get_body(one->model, one->state, i, &a);
		abut_state_get_body(two->model, two->state, i, &b);
		for (int k = 0; k < 3; k++) {
			worst = fmax(worst, fabs(a.linear_velocity[k] - b.linear_velocity[k]));
			worst = fmax(worst, fabs(a.angular_velocity[k] - b.angular_velocity[k]));
		}
	}
	return worst;
}

/* Returns the sum of the normal impulses of the last step. */
static inline double joint_scene_support(const JointScene *scene)
{
	double sum = 0.0;
	for (int i = 0; i < abut_contact_count(scene->workspace); i++) {
		AbutContact contact;
		cr_assert_eq(abut_contact_get(scene->model, scene->workspace, i, &contact), ABUT_OK);
		sum += contact.normal_impulse;
	}
	return sum;
}
