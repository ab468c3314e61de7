/* Differentiates the laws of dynamics/joint/law.c by their parameters, at fixed poses and velocities. With q = c' - u +
 * compliance I the slack of a clipped impulse I = scale b, and on the path -scale B weight dq = scale db
 * (dynamics/gradient/joint/linear.c), the branch of the law reads
 *
 *     own0 (dI - b dscale) = -(dc' - du + I dcompliance + compliance dI),     own0 = 1 / (scale weight B),
 *
 * so q shifts by -du + I dcompliance - own0 b dscale. A law that slips has dI = b dscale. A limit l of the coordinate
 * shifts the rate by -dl / dt. All other laws depend on their parameters directly. For a law that is absent because its
 * parameter is 0, the derivative is the one-sided one from above. Tested in
 * tests/dynamics/joint/test_joint_parameter.c. */
#include "dynamics/gradient/joint/parameter.h"

#include <math.h>

#include "dynamics/model/joint.h"
#include "dynamics/model/joint_parameter.h"

/* Bounds closer than this are taken as reached, and smaller rates as 0. */
static const double least_margin = 1e-9;

bool abut_joint_parameter_touches(const AbutModel *model, const AbutJointWork *work, const AbutParameter *parameter)
{
	return abut_parameter_of_joint(parameter->kind) && work->joint == &model->joints.at[parameter->part];
}

static const AbutJointTerm *term_of(const AbutJointLinear *linear, int row, AbutJointLawKind kind)
{
	for (int i = 0; i < linear->n_terms; i++) {
		if (linear->term[i].row == row && linear->term[i].kind == kind) {
			return &linear->term[i];
		}
	}
	return NULL;
}

/* Sets the shift of the branch to which a law contributes. */
static void shift(const AbutJointLinear *linear, const AbutJointTerm *term, double by, AbutJointChangeBy *out)
{
	if (term->branch >= 0) {
		out->branch = &linear->branch[term->branch];
		out->shift = term->share * by;
	}
}

/* Springs, dampers and armature: the derivative of I0 - slope c' (setup_passive). */
static double by_passive(const AbutJointLaw *law, const AbutJointAxisWork *axis, AbutParameterKind kind)
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

/* Dry friction with the bound 0: the impulse per bound of a law that pushes nothing yet. */
static double by_first_friction(const AbutJointAxisWork *axis, double weight, double kappa)
{
	const double slip = weight * axis->rate, dt = axis->from.timestep;
	if (kappa > 0.0) { /* (1, b) o (psi, slip) = kappa e */
		return -dt * 2.0 * slip / (kappa + sqrt(kappa * kappa + 4.0 * slip * slip));
	}
	return fabs(axis->rate) < least_margin ? 0.0 : -copysign(dt, axis->rate);
}

/* Sets the change by the scale of a clipped impulse, with the dual b. `term` is NULL if it slips. */
static void rescale(const AbutJointLinear *linear, const AbutJointTerm *term, const AbutClipped *clip, double b,
                    AbutJointChangeBy *out)
{
	const double dscale = linear->timestep;
	if (term) {
		shift(linear, term, -(term->compliance - clip->compliance) * b * dscale, out);
	} else {
		out->direct = b * dscale;
	}
}

static void by_limit(const AbutJointLinear *linear, AbutParameterKind kind, AbutJointChangeBy *out)
{
	const AbutJointTerm *term = term_of(linear, out->row, ABUT_JOINT_LAW_LIMITS);
	if (term) {
		const double share = kind == ABUT_PARAMETER_JOINT_LOWER ? term->lower : 1.0 - term->lower;
		shift(linear, term, -share / linear->timestep, out);
	}
}

/* A given effort, clipped to its limit. */
static double by_effort(const AbutJointLaw *law, const AbutAxisStart *from, AbutParameterKind kind)
{
	const bool clipped = fabs(from->target) > law->motor_limit;
	if (kind == ABUT_PARAMETER_MOTOR) {
		return clipped ? 0.0 : from->timestep;
	}
	return kind == ABUT_PARAMETER_MOTOR_LIMIT && clipped ? copysign(from->timestep, from->target) : 0.0;
}

/* Computes the changes of u and of the compliance 1 / K of a servo with target t: u = (kp (t - c) or kd t) / (dt kp +
 * kd), K = dt (dt kp + kd). */
static void by_servo(const AbutJointLaw *law, const AbutAxisStart *from, AbutParameterKind kind, double *du,
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

/* A motor without stiffness and damping: the impulse per unit of either. */
static double by_first_gain(const AbutJointLaw *law, const AbutJointAxisWork *axis, AbutParameterKind kind)
{
	const AbutAxisStart *from = &axis->from;
	if (kind == ABUT_PARAMETER_MOTOR_STIFFNESS) {
		return from->timestep * (from->target - axis->c);
	}
	const double rate = (law->to_position ? 0.0 : from->target) - axis->rate;
	return kind == ABUT_PARAMETER_MOTOR_DAMPING ? from->timestep * rate : 0.0;
}

static void by_motor(const AbutJointLinear *linear, const AbutJointLaw *law, const AbutJointAxisWork *axis,
                     AbutParameterKind kind, const double *y, const double *z, AbutJointChangeBy *out)
{
	const AbutClipped *clip = &axis->clip[ABUT_CLIP_SERVO];
	if (law->servo == ABUT_SERVO_EFFORT) {
		out->direct = by_effort(law, &axis->from, kind);
		return;
	}
	if (law->servo == ABUT_SERVO_NONE) {
		out->direct = by_first_gain(law, axis, kind);
		return;
	}
	const AbutJointTerm *term =
	    term_of(linear, out->row, clip->there ? ABUT_JOINT_LAW_SERVO_LIMITED : ABUT_JOINT_LAW_SERVO_FREE);
	if (kind == ABUT_PARAMETER_MOTOR_LIMIT) {
		rescale(linear, term, clip, z[clip->z + 1], out);
	} else if (term) {
		const double impulse = clip->there ? clip->scale * z[clip->z + 1] : y[axis->servo_y];
		double du, dcompliance;
		by_servo(law, &axis->from, kind, &du, &dcompliance);
		shift(linear, term, dcompliance * impulse - du, out);
	}
}

void abut_joint_by_parameter(const AbutJointLinear *linear, const AbutParameter *parameter, double kappa,
                             const double *y, const double *z, AbutJointChangeBy *out)
{
	const AbutJoint *joint = linear->work->joint;
	const AbutJointAxisWork *axis = &linear->work->axis[parameter->index];
	const AbutJointLaw *law = &joint->law[parameter->index];
	*out = (AbutJointChangeBy){.row = joint->n_held + parameter->index};
	switch ((int)parameter->kind) {
	case ABUT_PARAMETER_JOINT_REFERENCE:
	case ABUT_PARAMETER_JOINT_STIFFNESS:
	case ABUT_PARAMETER_JOINT_DAMPING:
	case ABUT_PARAMETER_JOINT_ARMATURE:
		out->direct = by_passive(law, axis, parameter->kind);
		break;
	case ABUT_PARAMETER_JOINT_LOWER:
	case ABUT_PARAMETER_JOINT_UPPER:
		by_limit(linear, parameter->kind, out);
		break;
	case ABUT_PARAMETER_JOINT_FRICTION:
		if (law->rubs) {
			const AbutClipped *clip = &axis->clip[ABUT_CLIP_FRICTION];
			rescale(linear, term_of(linear, out->row, ABUT_JOINT_LAW_FRICTION), clip, z[clip->z + 1], out);
		} else {
			out->direct = by_first_friction(axis, abut_friction_weight, kappa);
		}
		break;
	default:
		by_motor(linear, law, axis, parameter->kind, y, z, out);
	}
}

bool abut_joint_parameter_at_bound(const AbutJointWork *work, const AbutParameter *parameter)
{
	const AbutJointLaw *law = &work->joint->law[parameter->index];
	const bool bounded = law->servo == ABUT_SERVO_EFFORT &&
	                     (parameter->kind == ABUT_PARAMETER_MOTOR || parameter->kind == ABUT_PARAMETER_MOTOR_LIMIT);
	return bounded && fabs(fabs(work->axis[parameter->index].from.target) - law->motor_limit) <
	                      least_margin * law->motor_limit;
}
