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

#include "base/vec3.h"
#include "dynamics/gradient/joint/ball_parameter.h"
#include "dynamics/gradient/joint/by_law.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/joint_parameter.h"

/* Bounds closer than this are taken as reached. */
static const double least_margin = 1e-9;

bool abut_joint_parameter_touches(const AbutModel *model, const AbutJointWork *work, const AbutParameter *parameter)
{
	return abut_parameter_of_joint(parameter->kind) && work->joint == &model->joints.at[parameter->part];
}

/* Sets the shift of the branch to which a law contributes. */
static void shift(const AbutJointLinear *linear, const AbutJointTerm *term, double by, AbutJointChangeBy *out)
{
	if (term->branch >= 0) {
		out->shift[out->n_shifts++] = (AbutJointShift){&linear->branch[term->branch], term->share * by};
	}
}

/* Sets the change by the scale of a clipped impulse, with the dual b. `term` is NULL if it slips. */
static void rescale(const AbutJointLinear *linear, const AbutJointTerm *term, const AbutClipped *clip, double b,
                    AbutJointChangeBy *out)
{
	const double dscale = linear->timestep;
	if (term) {
		shift(linear, term, -(term->compliance - clip->compliance) * b * dscale, out);
	} else {
		out->direct[0] = b * dscale;
	}
}

static void by_limit(const AbutJointLinear *linear, AbutParameterKind kind, AbutJointChangeBy *out)
{
	const AbutJointTerm *term = abut_joint_term(linear, out->row, ABUT_JOINT_LAW_LIMITS);
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

static void by_motor(const AbutJointLinear *linear, const AbutJointLaw *law, const AbutJointAxisWork *axis,
                     AbutParameterKind kind, const double *y, const double *z, AbutJointChangeBy *out)
{
	const AbutClipped *clip = &axis->clip[ABUT_CLIP_SERVO];
	if (law->servo == ABUT_SERVO_EFFORT) {
		out->direct[0] = by_effort(law, &axis->from, kind);
		return;
	}
	if (law->servo == ABUT_SERVO_NONE) {
		out->direct[0] = abut_joint_by_first_gain(law, axis, kind);
		return;
	}
	const AbutJointTerm *term =
	    abut_joint_term(linear, out->row, clip->there ? ABUT_JOINT_LAW_SERVO_LIMITED : ABUT_JOINT_LAW_SERVO_FREE);
	if (kind == ABUT_PARAMETER_MOTOR_LIMIT) {
		rescale(linear, term, clip, z[clip->z + 1], out);
	} else if (term) {
		const double impulse = clip->there ? clip->scale * z[clip->z + 1] : y[axis->servo_y];
		double du, dcompliance;
		abut_joint_by_servo(law, &axis->from, kind, &du, &dcompliance);
		shift(linear, term, dcompliance * impulse - du, out);
	}
}

void abut_joint_by_parameter(const AbutJointLinear *linear, const AbutParameter *parameter, double kappa,
                             const double *y, const double *z, AbutJointChangeBy *out)
{
	const AbutJoint *joint = linear->work->joint;
	const AbutJointAxisWork *axis = &linear->work->axis[parameter->index];
	const AbutJointLaw *law = &joint->law[parameter->index];
	if (joint->kind->freedom[0].spins) {
		abut_ball_by_parameter(linear, parameter, kappa, y, z, out);
		return;
	}
	*out = (AbutJointChangeBy){.row = joint->n_held + parameter->index, .n_rows = 1};
	switch ((int)parameter->kind) {
	case ABUT_PARAMETER_JOINT_REFERENCE:
	case ABUT_PARAMETER_JOINT_STIFFNESS:
	case ABUT_PARAMETER_JOINT_DAMPING:
	case ABUT_PARAMETER_JOINT_ARMATURE:
		out->direct[0] = abut_joint_by_passive(law, axis, parameter->kind);
		break;
	case ABUT_PARAMETER_JOINT_LOWER:
	case ABUT_PARAMETER_JOINT_UPPER:
		by_limit(linear, parameter->kind, out);
		break;
	case ABUT_PARAMETER_JOINT_FRICTION:
		if (law->rubs) {
			const AbutClipped *clip = &axis->clip[ABUT_CLIP_FRICTION];
			rescale(linear, abut_joint_term(linear, out->row, ABUT_JOINT_LAW_FRICTION), clip,
			        z[clip->z + 1], out);
		} else {
			out->direct[0] = abut_joint_by_first_friction(axis->rate, linear->timestep, kappa);
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
	const bool spins = work->joint->kind->freedom[0].spins;
	const double effort = spins ? abut_norm3(work->ball.target) : fabs(work->axis[parameter->index].from.target);
	return bounded && fabs(effort - law->motor_limit) < least_margin * law->motor_limit;
}
