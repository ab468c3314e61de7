/* Reads and changes parameters of joints and motors (joint_parameter.h). Tested in
 * tests/dynamics/joint/test_joint_parameter.c. */
#include "dynamics/model/joint_parameter.h"

#include <math.h>

#include "dynamics/model/check.h"
#include "dynamics/model/joint.h"

/* Returns the number of a freedom that is the parameter, in SI. */
static double *number_of(AbutJointAxis *axis, AbutParameterKind kind)
{
	switch ((int)kind) {
	case ABUT_PARAMETER_MOTOR:
		return &axis->motor.target;
	case ABUT_PARAMETER_MOTOR_STIFFNESS:
		return &axis->motor.stiffness;
	case ABUT_PARAMETER_MOTOR_DAMPING:
		return &axis->motor.damping;
	case ABUT_PARAMETER_MOTOR_LIMIT:
		return &axis->motor.limit;
	case ABUT_PARAMETER_JOINT_REFERENCE:
		return &axis->reference;
	case ABUT_PARAMETER_JOINT_STIFFNESS:
		return &axis->stiffness;
	case ABUT_PARAMETER_JOINT_DAMPING:
		return &axis->damping;
	case ABUT_PARAMETER_JOINT_FRICTION:
		return &axis->friction;
	case ABUT_PARAMETER_JOINT_ARMATURE:
		return &axis->armature;
	case ABUT_PARAMETER_JOINT_LOWER:
		return &axis->lower;
	default:
		return &axis->upper;
	}
}

const char *abut_joint_parameter_missing(const AbutModel *model, int joint, int axis, AbutParameterKind kind)
{
	const AbutJointAxis *of = &model->joints.at[joint].acting[axis];
	const bool motors = kind >= ABUT_PARAMETER_MOTOR && kind <= ABUT_PARAMETER_MOTOR_LIMIT;
	if (model->joints.at[joint].kind->freedom[0].spins) {
		of = &model->joints.at[joint].acting[0];
		if (axis > 0 && kind != ABUT_PARAMETER_MOTOR) {
			return "a ball has one value for all its freedoms, of index 0";
		}
		if (kind == ABUT_PARAMETER_JOINT_REFERENCE) {
			return "balls have no reference";
		}
		if (kind == ABUT_PARAMETER_JOINT_UPPER && of->has_limits && !(of->upper < M_PI)) {
			return "its twist has no limit";
		}
	}
	const AbutMotorType motor = of->motor.type;
	if (motors && motor == ABUT_MOTOR_NONE) {
		return "it has no motor";
	}
	if (kind == ABUT_PARAMETER_MOTOR_STIFFNESS && motor != ABUT_MOTOR_POSITION) {
		return "only motors of type position have a stiffness";
	}
	if (kind == ABUT_PARAMETER_MOTOR_DAMPING && motor == ABUT_MOTOR_FORCE) {
		return "motors of type force have no damping";
	}
	if (kind == ABUT_PARAMETER_MOTOR_LIMIT && !isfinite(of->motor.limit)) {
		return "its motor has no limit";
	}
	return (kind == ABUT_PARAMETER_JOINT_LOWER || kind == ABUT_PARAMETER_JOINT_UPPER) && !of->has_limits
	           ? "it has no limits"
	           : NULL;
}

double abut_joint_parameter_value(const AbutModel *model, const AbutParameter *parameter)
{
	return *number_of(&model->joints.at[parameter->part].acting[parameter->index], parameter->kind);
}

double abut_joint_parameter_unit(const AbutModel *model, const AbutParameter *parameter)
{
	const AbutJoint *joint = &model->joints.at[parameter->part];
	const AbutUnits *u = &model->units;
	const bool turns = abut_joint_turns(joint->kind, parameter->index);
	const double c = turns ? 1.0 : u->length, effort = (turns ? u->torsion : u->impulse) / u->time;
	switch ((int)parameter->kind) {
	case ABUT_PARAMETER_MOTOR:
		return joint->law[parameter->index].target_unit;
	case ABUT_PARAMETER_MOTOR_STIFFNESS:
	case ABUT_PARAMETER_JOINT_STIFFNESS:
		return effort / c;
	case ABUT_PARAMETER_MOTOR_DAMPING:
	case ABUT_PARAMETER_JOINT_DAMPING:
		return effort * u->time / c;
	case ABUT_PARAMETER_JOINT_ARMATURE:
		return effort * u->time * u->time / c;
	case ABUT_PARAMETER_MOTOR_LIMIT:
	case ABUT_PARAMETER_JOINT_FRICTION:
		return effort;
	default:
		return c;
	}
}

const char *abut_joint_parameter_set(AbutModel *model, const AbutParameter *parameter, double value)
{
	AbutJoint *joint = &model->joints.at[parameter->part];
	const AbutParameterKind kind = parameter->kind;
	const bool signed_value = kind == ABUT_PARAMETER_MOTOR || kind == ABUT_PARAMETER_JOINT_REFERENCE ||
	                          kind == ABUT_PARAMETER_JOINT_LOWER || kind == ABUT_PARAMETER_JOINT_UPPER;
	if (!abut_joint_value_possible(value)) {
		return "it must be 0 or of a magnitude in 1e-30 to 1e30";
	}
	if (!signed_value && value < 0.0) {
		return "it must be at least 0";
	}
	if (kind == ABUT_PARAMETER_MOTOR_LIMIT && value == 0.0) {
		return "it must be greater than 0";
	}
	*number_of(&joint->acting[parameter->index], kind) = value;
	abut_joint_set_laws(&model->units, joint);
	return NULL;
}

const char *abut_joint_parameter_check(const AbutModel *model, const AbutParameter *parameter)
{
	const AbutJointAxis *axis = &model->joints.at[parameter->part].acting[parameter->index];
	if (axis->has_limits && model->joints.at[parameter->part].type == ABUT_JOINT_BALL) {
		return abut_ball_limits_possible(axis)
		           ? NULL
		           : "the cone of a ball must lie in 0.001 to pi - 0.001, and its twist in 0.001 to pi";
	}
	return axis->has_limits && !(axis->lower < axis->upper) ? "the lower limit must be less than the upper" : NULL;
}
