/* Checks the joints of a scene definition: bodies, frames, and what acts on each freedom. Tested in
 * tests/dynamics/model/joints_check.c. */
#include "dynamics/model/joints_check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/check.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/model.h"
#include "dynamics/model/names_check.h"
#include "dynamics/model/pair.h"
#include "dynamics/model/scale.h"

/* A joint, or one of its freedoms, that is checked. */
typedef struct Place {
	const AbutJointDef *joint;
	int index; /* of the joint */
	int axis;  /* index of the freedom in the lists of a scene file; -1: the values are no lists */
	AbutError *error;
} Place;

/* Refuses the value of `key` (may have members, such as "motor.limit"; empty: the joint itself). */
__attribute__((format(printf, 3, 4))) static AbutStatus refuse(const Place *at, const char *key, const char *format,
                                                               ...)
{
	char path[96], message[256];
	va_list arguments;
	int head = 0; /* length of the key up to the place of the list's index */
	while (key[head] && key[head] != '.') {
		head++;
	}
	const int n = snprintf(path, sizeof path, "joints[%d]%s%.*s", at->index, key[0] ? "." : "", head, key);
	if (at->axis >= 0) {
		snprintf(path + n, sizeof path - (size_t)n, "[%d]%s", at->axis, key + head);
	} else {
		snprintf(path + n, sizeof path - (size_t)n, "%s", key + head);
	}
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	return abut_error_set(at->error, ABUT_ERROR_ARGUMENT, path, "joint '%s': %s",
	                      at->joint->name ? at->joint->name : "", message);
}

/* Checks a value that must be of a possible magnitude and, if `least` is 0, not negative. */
static AbutStatus check_value(const Place *at, const char *key, double value, double least)
{
	if (abut_joint_value_possible(value) && value >= least) {
		return ABUT_OK;
	}
	return refuse(at, key, "%s is %g; it must be 0 or %s 1e-30 to 1e30", key, value,
	              least == 0.0 ? "lie in" : "of a magnitude in");
}

static AbutStatus check_limits(const Place *at, const AbutJointAxis *axis)
{
	const double lower = axis->lower, upper = axis->upper;
	if (!axis->has_limits) {
		return ABUT_OK;
	}
	if (at->joint->type == ABUT_JOINT_BALL) {
		return abut_ball_limits_possible(axis)
		           ? ABUT_OK
		           : refuse(at, "limits",
		                    "the limits of the ball are [%g, %g]; the cone must lie in %g to pi - %g, and the "
		                    "twist in %g to pi (pi: no limit)",
		                    lower, upper, abut_ball_least_angle, abut_ball_least_angle, abut_ball_least_angle);
	}
	return isfinite(lower) && isfinite(upper) && lower < upper
	           ? ABUT_OK
	           : refuse(at, "limits",
	                    "the limits are [%g, %g]; both must be finite, and the lower less than the upper", lower,
	                    upper);
}

/* Refuses a reference of a ball. */
static AbutStatus check_reference(const Place *at, double reference)
{
	ABUT_TRY(check_value(at, "reference", reference, (double)-INFINITY));
	return at->joint->type != ABUT_JOINT_BALL || reference == 0.0
	           ? ABUT_OK
	           : refuse(
	                 at, "reference",
	                 "reference is %g; that of a ball must be 0, because a number cannot give a rotation (turn the "
	                 "joint's frames instead)",
	                 reference);
}

static AbutStatus check_motor(const Place *at, const AbutMotorDef *motor)
{
	if ((unsigned)motor->type >= ABUT_MOTOR_TYPE_COUNT) {
		return refuse(at, "motor.type", "motor.type is %d; it must be one of AbutMotorType, 0 to %d",
		              (int)motor->type, ABUT_MOTOR_TYPE_COUNT - 1);
	}
	if (motor->type == ABUT_MOTOR_NONE) {
		return ABUT_OK;
	}
	ABUT_TRY(check_value(at, "motor.stiffness", motor->stiffness, 0.0));
	ABUT_TRY(check_value(at, "motor.damping", motor->damping, 0.0));
	ABUT_TRY(check_value(at, "motor.target", motor->target, (double)-INFINITY));
	const bool stiff = motor->stiffness != 0.0 && motor->type != ABUT_MOTOR_POSITION;
	if (stiff || (motor->damping != 0.0 && motor->type == ABUT_MOTOR_FORCE)) {
		return refuse(at, stiff ? "motor.stiffness" : "motor.damping",
		              "%s is %g; motors of type %s have none, so it must be 0", stiff ? "stiffness" : "damping",
		              stiff ? motor->stiffness : motor->damping, abut_motor_type_name(motor->type));
	}
	return motor->limit > 0.0
	           ? ABUT_OK
	           : refuse(at, "motor.limit",
	                    "motor.limit is %g; it must be greater than 0 (without a limit: INFINITY, or leave the "
	                    "key out)",
	                    motor->limit);
}

static AbutStatus check_axis(const Place *at, const AbutJointAxis *axis)
{
	ABUT_TRY(check_limits(at, axis));
	ABUT_TRY(check_reference(at, axis->reference));
	ABUT_TRY(check_value(at, "stiffness", axis->stiffness, 0.0));
	ABUT_TRY(check_value(at, "damping", axis->damping, 0.0));
	ABUT_TRY(check_value(at, "friction", axis->friction, 0.0));
	ABUT_TRY(check_value(at, "armature", axis->armature, 0.0));
	return check_motor(at, &axis->motor);
}

/* Returns the first key with which something acts on the freedom; NULL if nothing does. */
static const char *acting(const AbutJointAxis *axis)
{
	const struct {
		const char *key;
		bool acts;
	} laws[] = {{"limits", axis->has_limits},
	            {"reference", axis->reference != 0.0},
	            {"stiffness", axis->stiffness != 0.0},
	            {"damping", axis->damping != 0.0},
	            {"friction", axis->friction != 0.0},
	            {"armature", axis->armature != 0.0},
	            {"motor", axis->motor.type != ABUT_MOTOR_NONE}};
	for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
		if (laws[i].acts) {
			return laws[i].key;
		}
	}
	return NULL;
}

/* Checks the freedoms of the type, and that nothing acts on those that it does not have. A ball has one set of values.
 */
static AbutStatus check_axes(const Place *joint)
{
	const AbutJointType type = joint->joint->type;
	const int freedoms = abut_joint_type_freedoms(type), sets = type == ABUT_JOINT_BALL ? 1 : freedoms;
	for (int i = 0; i < ABUT_JOINT_FREEDOMS; i++) {
		Place at = *joint;
		at.axis = i > 0 || sets > 1 ? i : -1;
		const AbutJointAxis *axis = &joint->joint->axes[i];
		const char *law = i < sets ? NULL : acting(axis);
		if (law && type == ABUT_JOINT_BALL) {
			return refuse(&at, law,
			              "%s is set for freedom %d; a ball has the same values for all three, in "
			              "axes[0]",
			              law, i);
		}
		if (type == ABUT_JOINT_BALL) {
			ABUT_TRY(check_value(&at, "motor.target", axis->motor.target, (double)-INFINITY));
		}
		if (law) {
			return refuse(&at, law, "%s is set for freedom %d; joints of type %s have %d freedom%s", law, i,
			              abut_joint_type_name(type), freedoms, freedoms == 1 ? "" : "s");
		}
		if (i < sets) {
			ABUT_TRY(check_axis(&at, axis));
		}
	}
	return ABUT_OK;
}

static AbutStatus check_frame(const Place *at, const char *key, const AbutJointFrame *frame)
{
	const double *q = frame->orientation;
	const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	char member[48];
	for (int i = 0; i < 3; i++) {
		if (!(fabs(frame->position[i]) <= ABUT_LARGEST_MOTION)) {
			snprintf(member, sizeof member, "%s.position", key);
			return refuse(at, member, "%s[%d] is %g; it must lie within +-%g", member, i,
			              frame->position[i], ABUT_LARGEST_MOTION);
		}
	}
	if (!(fabs(norm - 1.0) <= 1e-6)) {
		snprintf(member, sizeof member, "%s.orientation", key);
		return refuse(at, member, "the quaternion %s has length %g; it must be within 1e-6 of 1", member, norm);
	}
	return ABUT_OK;
}

static AbutStatus check_bodies(const Place *at, const AbutSceneDef *def)
{
	const AbutJointDef *joint = at->joint;
	const int parent = joint->parent, child = joint->child;
	if (child < 0 || child >= def->n_bodies) {
		return refuse(at, "child", "child is %d; it must be the index of a body, 0 to %d", child,
		              def->n_bodies - 1);
	}
	if (parent != ABUT_JOINT_WORLD && (parent < 0 || parent >= def->n_bodies)) {
		return refuse(at, "parent",
		              "parent is %d; it must be the index of a body, 0 to %d, or %d for the world", parent,
		              def->n_bodies - 1, ABUT_JOINT_WORLD);
	}
	if (parent == child) {
		return refuse(at, "child", "both bodies are '%s'; a joint needs two different bodies",
		              def->bodies[child].name);
	}
	const bool parent_static = parent == ABUT_JOINT_WORLD || def->bodies[parent].is_static;
	if (parent_static && def->bodies[child].is_static) {
		return refuse(at, "child",
		              "neither '%s' nor '%s' can move; at least one body of a joint must not be static",
		              parent == ABUT_JOINT_WORLD ? "world" : def->bodies[parent].name, def->bodies[child].name);
	}
	return ABUT_OK;
}

static AbutStatus check_length(const Place *at)
{
	const double length = at->joint->length;
	if (at->joint->type != ABUT_JOINT_DISTANCE) {
		return length == 0.0
		           ? ABUT_OK
		           : refuse(at, "length",
		                    "length is %g; only joints of type distance have one, so it must be 0", length);
	}
	return length > 0.0 && length <= ABUT_LARGEST_MOTION
	           ? ABUT_OK
	           : refuse(at, "length", "length is %g m; it must be greater than 0 and at most %g m", length,
	                    ABUT_LARGEST_MOTION);
}

/* Checks initial coordinates (`key` "joints") or rates ("joint_velocities"). */
static AbutStatus check_initial(const Place *at, bool given, const char *key, const double *values)
{
	const AbutJointDef *joint = at->joint;
	const int n = abut_joint_type_freedoms(joint->type);
	const bool coordinates = values == joint->position;
	char where[192];
	snprintf(where, sizeof where, "initial.%s.%.127s", key, joint->name);
	if (given && n == 0) {
		return abut_error_set(at->error, ABUT_ERROR_ARGUMENT, where,
		                      "joint '%s' is of type %s, which has no coordinates", joint->name,
		                      abut_joint_type_name(joint->type));
	}
	for (int i = 0; given && i < n; i++) {
		const AbutJointAxis *axis = &joint->axes[i];
		const double slack = 1e-9;
		if (!(fabs(values[i]) <= ABUT_LARGEST_MOTION)) {
			return abut_error_set(at->error, ABUT_ERROR_ARGUMENT, where,
			                      "the initial %s of joint '%s' is %g; it must lie within +-%g",
			                      coordinates ? "coordinate" : "rate", joint->name, values[i],
			                      ABUT_LARGEST_MOTION);
		}
		if (coordinates && axis->has_limits && joint->type != ABUT_JOINT_BALL && /* see assembly_check.c */
		    !(values[i] >= axis->lower - slack && values[i] <= axis->upper + slack)) {
			return abut_error_set(at->error, ABUT_ERROR_ARGUMENT, where,
			                      "the initial coordinate of joint '%s' is %g; its limits are %g to %g",
			                      joint->name, values[i], axis->lower, axis->upper);
		}
	}
	return ABUT_OK;
}

/* Checks the initial rate of a ball, the sine of its turn in a step per timestep. */
static AbutStatus check_spin(const Place *at, double timestep)
{
	const AbutJointDef *joint = at->joint;
	const double rate = abut_norm3(joint->velocity);
	char where[192];
	if (!joint->has_velocity || joint->type != ABUT_JOINT_BALL || timestep * rate < 1.0) {
		return ABUT_OK;
	}
	snprintf(where, sizeof where, "initial.joint_velocities.%.127s", joint->name);
	return abut_error_set(
	    at->error, ABUT_ERROR_ARGUMENT, where,
	    "the initial rate of ball '%s' is %g rad/s; with the timestep %g s, it must be less than %g "
	    "rad/s",
	    joint->name, rate, timestep, 1.0 / timestep);
}

static AbutStatus check_joint(const AbutSceneDef *def, int index, AbutError *error)
{
	const AbutJointDef *joint = &def->joints[index];
	const Place at = {joint, index, -1, error};
	if (!joint->name || !joint->name[0]) {
		char path[64];
		snprintf(path, sizeof path, "joints[%d]", index);
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, path,
		                      "the joint has no name; it must have one that no other joint has");
	}
	if ((unsigned)joint->type >= ABUT_JOINT_TYPE_COUNT) {
		return refuse(&at, "type", "type is %d; it must be one of AbutJointType, 0 to %d", (int)joint->type,
		              ABUT_JOINT_TYPE_COUNT - 1);
	}
	ABUT_TRY(check_bodies(&at, def));
	ABUT_TRY(check_frame(&at, "parent_frame", &joint->parent_frame));
	ABUT_TRY(check_frame(&at, "child_frame", &joint->child_frame));
	ABUT_TRY(check_length(&at));
	ABUT_TRY(check_axes(&at));
	ABUT_TRY(check_initial(&at, joint->has_position, "joints", joint->position));
	ABUT_TRY(check_initial(&at, joint->has_velocity, "joint_velocities", joint->velocity));
	return check_spin(&at, def->timestep);
}

/* Checks the springs of soft laws and held freedoms; methods without springs ignore them. */
static AbutStatus check_springs(const AbutSceneDef *def, const AbutMethodRow *method, int index, AbutError *error)
{
	const AbutJointDef *joint = &def->joints[index];
	const Place at = {joint, index, -1, error};
	const struct {
		const char *key;
		const AbutJointSpring *spring;
	} springs[] = {{"limit_spring", &joint->limit_spring},
	               {"friction_spring", &joint->friction_spring},
	               {"equality_spring", &joint->equality_spring}};
	if (joint->has_equality_spring && joint->type != ABUT_JOINT_FIXED && joint->type != ABUT_JOINT_BALL) {
		return refuse(&at, "equality_spring", "the joint is of type %s; springs hold only types fixed and ball",
		              abut_joint_type_name(joint->type));
	}
	if (joint->has_equality_spring && joint->type == ABUT_JOINT_BALL && abut_joint_acts(&joint->axes[0])) {
		return refuse(&at, "equality_spring",
		              "the ball has a limit, spring, damper, friction, rotor or motor; springs hold only balls "
		              "on which nothing acts");
	}
	for (int i = 0; method->check_springs && i < 3; i++) {
		const AbutSoftness soft = abut_joint_softness(&def->solver, springs[i].spring);
		char where[64];
		snprintf(where, sizeof where, "joints[%d].%s", index, springs[i].key);
		ABUT_TRY(method->check_springs(&soft, where, error));
	}
	return ABUT_OK;
}

AbutStatus abut_joints_check(const AbutSceneDef *def, const AbutMethodRow *method, AbutError *error)
{
	if (def->n_joints < 0 || def->n_joints > ABUT_JOINTS_MAX || (def->n_joints > 0 && !def->joints)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "joints",
		                      "the scene has %d joints%s; it may have 0 to %d, with their array", def->n_joints,
		                      def->joints ? "" : " (NULL)", (int)ABUT_JOINTS_MAX);
	}
	for (int i = 0; i < def->n_joints; i++) {
		ABUT_TRY(check_joint(def, i, error));
		ABUT_TRY(check_springs(def, method, i, error));
	}
	if (def->n_joints > 0 && def->solver.preset == ABUT_PRESET_PAPER) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.preset",
		                      "is \"paper\", which has no joints like '%s'; leave it out", def->joints[0].name);
	}
	return abut_names_check("joints", def->n_joints, def->joints, sizeof *def->joints, error);
}
