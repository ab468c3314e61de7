/* Implements the changes of the laws of one freedom (by_law.h). Tested in tests/dynamics/joint/test_joint_parameter.c.
 */
#include "dynamics/gradient/joint/by_law.h"

#include <math.h>

#include "dynamics/model/joint.h"

/* Smaller rates are taken as 0. */
static const double least_rate = 1e-9;

const AbutJointTerm *abut_joint_term(const AbutJointLinear *linear, int row, AbutJointLawKind kind)
{
	for (int i = 0; i < linear->n_terms; i++) {
		if (linear->term[i].row == row && linear->term[i].kind == kind) {
			return &linear->term[i];
		}
	}
	return NULL;
}

double abut_joint_by_passive(const AbutJointLaw *law, const AbutJointAxisWork *axis, AbutParameterKind kind)
{
	const AbutAxisStart *from = &axis->from;
	const double dt = from->timestep, before = from->last_timestep, end = from->at_rest ? 1.0 : 0.25;
	const double mean = from->at_rest ? dt : 0.5 * (dt + before);
	switch ((int)kind) {
	case ABUT_PARAMETER_JOINT_REFERENCE:
		return law->stiffness * mean;
	case ABUT_PARAMETER_JOINT_STIFFNESS:
		return -(mean * (from->c - law->reference) - 0.25 * before * before * from->last_rate) -
		       end * dt * dt * axis->rate;
	case ABUT_PARAMETER_JOINT_DAMPING:
		return -dt * axis->rate;
	default:
		return from->last_rate - axis->rate; /* armature */
	}
}

double abut_joint_by_first_friction(double rate, double timestep, double kappa)
{
	const double slip = abut_friction_weight * rate;
	if (kappa > 0.0) { /* (1, b) o (psi, slip) = kappa e */
		return -timestep * 2.0 * slip / (kappa + sqrt(kappa * kappa + 4.0 * slip * slip));
	}
	return fabs(rate) < least_rate ? 0.0 : -copysign(timestep, rate);
}

void abut_joint_by_servo(const AbutJointLaw *law, const AbutAxisStart *from, AbutParameterKind kind, double *du,
                         double *dcompliance)
{
	const double dt = from->timestep, kp = law->motor_stiffness, kd = law->motor_damping;
	const double gain = dt * kp + kd, lag = law->to_position ? from->target - from->c : from->target;
	const double u = (law->to_position ? kp : kd) * lag / gain;
	*du = *dcompliance = 0.0;
	if (kind == ABUT_PARAMETER_MOTOR) {
		*du = (law->to_position ? kp : kd) / gain;
	} else if (kind == ABUT_PARAMETER_MOTOR_STIFFNESS) {
		*du = (lag - dt * u) / gain;
		*dcompliance = -1.0 / (gain * gain);
	} else if (kind == ABUT_PARAMETER_MOTOR_DAMPING) {
		*du = ((law->to_position ? 0.0 : lag) - u) / gain;
		*dcompliance = -1.0 / (dt * gain * gain);
	}
}

double abut_joint_by_first_gain(const AbutJointLaw *law, const AbutJointAxisWork *axis, AbutParameterKind kind)
{
	const AbutAxisStart *from = &axis->from;
	if (kind == ABUT_PARAMETER_MOTOR_STIFFNESS) {
		return from->timestep * (from->target - axis->c);
	}
	const double rate = (law->to_position ? 0.0 : from->target) - axis->rate;
	return kind == ABUT_PARAMETER_MOTOR_DAMPING ? from->timestep * rate : 0.0;
}
