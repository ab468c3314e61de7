/* Chains of three boxes on the world with random laws, for tests of derivatives. */
#pragma once

#include "dynamics/joint_scenes.h"

enum { CHAIN_BODIES = 3 };

typedef enum Laws {
	LAWS_NONE,
	LAWS_SPRINGS,
	LAWS_LIMITS,
	LAWS_FRICTION,
	LAWS_MOTORS,
	LAWS_ALL,
	LAWS_COUPLED,
	LAWS
} Laws;

static inline void chain_set_laws(AbutJointAxis *axis, Laws laws, AbutRng *rng, unsigned k)
{
	const bool all = laws == LAWS_ALL;
	*axis = (AbutJointAxis){.has_limits = false};
	if (laws >= LAWS_SPRINGS) {
		axis->stiffness = abut_rng_uniform(rng, 1.0, 30.0);
		axis->damping = abut_rng_uniform(rng, 0.01, 0.3);
		axis->armature = abut_rng_uniform(rng, 0.01, 0.2);
		axis->reference = abut_rng_uniform(rng, -0.1, 0.1);
	}
	if (laws == LAWS_LIMITS || all) {
		axis->has_limits = true;
		axis->lower = k % 2 ? -4e-3 : -1.0;
		axis->upper = k % 3 ? 8e-3 : 0.8;
	}
	if (laws == LAWS_FRICTION || all) {
		axis->friction = k % 2 ? 2000.0 : 0.4;
	}
	/* a small effort: passive mechanisms may take a changed step in parts (dynamics/joint/energy.h) */
	axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = (double)INFINITY, .target = 1e-3};
	if (laws == LAWS_MOTORS || all) {
		const AbutMotorType motor = (AbutMotorType)(1 + k % 3);
		axis->motor = (AbutMotorDef){.type = motor,
		                             .stiffness = motor == ABUT_MOTOR_POSITION ? (k % 2 ? 1e7 : 40.0) : 0.0,
		                             .damping = motor == ABUT_MOTOR_FORCE ? 0.0 : 2.0,
		                             .limit = k % 4 < 2    ? (double)INFINITY
		                                      : k % 4 == 2 ? 1.5
		                                                   : 3000.0,
		                             .target = 0.05};
	}
}

/* Sets the limits of a ball, of which the first steps meet some: close to the start, or at a lean of 0.08 rad. */
static inline void chain_limit_ball(AbutJointDef *joint, unsigned k)
{
	AbutJointAxis *axis = &joint->axes[0];
	axis->has_limits = true;
	axis->lower = k % 3 == 0 ? 0.08 : k % 3 == 1 ? 4e-3 : 0.8;
	axis->upper = k % 2 ? 2e-3 : 1.0;
	if (k % 3 == 0) {
		const double lean[4] = {cos(0.036), sin(0.036), 0.0, 0.0};
		double turned[4];
		abut_quat_mul(joint->child_frame.orientation, lean, turned);
		memcpy(joint->child_frame.orientation, turned, sizeof turned);
	}
}

/* Sets what acts on the spins of a ball: friction slips or sticks, and motors pull freely, at their limit or below. */
static inline void chain_set_spins(AbutJointAxis *axis, Laws laws, AbutRng *rng, unsigned k)
{
	const AbutJointAxis limits = *axis;
	chain_set_laws(axis, laws == LAWS_COUPLED ? LAWS_SPRINGS : laws, rng, k);
	axis->has_limits = limits.has_limits;
	axis->lower = limits.lower;
	axis->upper = limits.upper;
	axis->reference = 0.0;
	const double most = laws < LAWS_MOTORS ? 1e-3 : axis->motor.stiffness > 1e3 ? 0.05 : 1.0;
	for (int i = 0; i < 3; i++) {
		axis[i].motor.target = abut_rng_uniform(rng, -most, most);
	}
	if (axis->motor.type == ABUT_MOTOR_FORCE && laws >= LAWS_MOTORS && k % 2) {
		axis->motor.limit = 0.3;
	}
}

/* Returns the last freedom of a joint with coordinates; -1 for other joints. */
static inline int chain_last_freedom(const AbutJointDef *joint)
{
	return joint->type == ABUT_JOINT_BALL ? -1 : abut_joint_type_freedoms(joint->type) - 1;
}

/* Couples each joint to the next one with coordinates. */
static inline void chain_couple(JointScene *scene, Laws laws, AbutRng *rng)
{
	for (int i = 0, before = -1; laws == LAWS_COUPLED && i < CHAIN_BODIES; i++) {
		const int axis = chain_last_freedom(&scene->joints[i]);
		if (axis >= 0 && before >= 0) {
			AbutCouplingDef *coupling =
			    joint_scene_couple(scene, i, before, abut_rng_uniform(rng, -2.0, -0.5));
			coupling->axis[0] = axis;
			coupling->axis[1] = chain_last_freedom(&scene->joints[before]);
		}
		before = axis >= 0 ? i : before;
	}
}

/* Defines a chain on the world: the first joint of the type, the others of the next types. */
static inline void chain_define(JointScene *scene, AbutJointType type, Laws laws, unsigned seed)
{
	AbutRng rng = {seed};
	const double half[3] = {0.3, 0.2, 0.15};
	joint_scene_begin(scene, 0.01);
	scene->def.solver.tolerance = 1e-13;
	for (int i = 0; i < CHAIN_BODIES; i++) {
		AbutBodyDef *body = joint_scene_turned_box(scene, half, i, &rng);
		for (int k = 0; k < 3; k++) {
			body->linear_velocity[k] = abut_rng_uniform(&rng, -0.5, 0.5);
			body->angular_velocity[k] = abut_rng_uniform(&rng, -2.0, 2.0);
			body->force[k] = abut_rng_uniform(&rng, -2.0, 2.0);
			body->torque[k] = abut_rng_uniform(&rng, -0.5, 0.5);
		}
	}
	for (int i = 0; i < CHAIN_BODIES; i++) {
		const AbutJointType own = (AbutJointType)(((int)type + i) % ABUT_JOINT_TYPE_COUNT);
		AbutJointDef *joint = joint_scene_random_joint(scene, own, i, &rng);
		const unsigned n = own == ABUT_JOINT_BALL ? 0 : (unsigned)abut_joint_type_freedoms(own);
		if (own == ABUT_JOINT_BALL && (laws == LAWS_LIMITS || laws == LAWS_ALL)) {
			chain_limit_ball(joint, seed + (unsigned)i);
		}
		if (own == ABUT_JOINT_BALL && laws != LAWS_NONE) {
			chain_set_spins(&joint->axes[0], laws, &rng, seed + (unsigned)i);
		}
		for (unsigned k = 0; k < n; k++) {
			chain_set_laws(&joint->axes[k], laws, &rng, seed + k + (unsigned)i);
		}
	}
	chain_couple(scene, laws, &rng);
}

static inline void chain_make(JointScene *scene, AbutJointType type, Laws laws, unsigned seed)
{
	chain_define(scene, type, laws, seed);
	joint_scene_make(scene);
}
