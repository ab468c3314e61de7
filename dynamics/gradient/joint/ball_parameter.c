/* Differentiates the laws of a ball by their parameters. What the spins share is a clipped impulse I = scale b with the
 * slip q = c' - u + e I (dynamics/joint/spin.h), for which dI = b dscale - S0 dq. With the stiffness S = (1 + e S0)^-1
 * S0 of dynamics/gradient/joint/spins.c,
 *
 *     dI = -S (dc' - du + I de) + (1 - e S) b dscale.
 *
 * The stiffness of all laws is sum K v v' over the branches, so S (du - I de) = sum K v shift. Its columns end at the
 * pivots of the branches before, from which the shifts follow one by one.
 *
 * The cone's angle l changes its row and its value in proportion to 1 / sin l, and its limit -tan(l / 2) of the value.
 * Tested in tests/dynamics/joint/test_joint_parameter.c. */
#include "dynamics/gradient/joint/ball_parameter.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vec3.h"
#include "dynamics/gradient/joint/by_law.h"

/* Shifts the branches so that the impulses change by `push`, which the laws of stiffness sum K v v' exert. */
static void shift(const AbutJointLinear *linear, const double push[3], AbutJointChangeBy *out)
{
	double left[3];
	abut_copy3(push, left);
	for (int i = 0; i < linear->n && out->n_shifts < ABUT_JOINT_FREEDOMS; i++) {
		const AbutJointBranch *branch = &linear->branch[i];
		if (branch->stiffness > 0.0 && !isinf(branch->stiffness)) {
			const double part = left[branch->pivot];
			abut_add_scaled3(left, -part, branch->mix, left);
			out->shift[out->n_shifts++] = (AbutJointShift){branch, -part / branch->stiffness};
		}
	}
}

/* Computes the change of a position motor's u by entry `k` of its target. */
static void turn_target(const AbutJointLinear *linear, int k, double du[3])
{
	const AbutJointWork *work = linear->work;
	const AbutJointLaw *law = &work->joint->law[0];
	const double gain = linear->timestep * law->motor_stiffness + law->motor_damping;
	double from_target[3], J[9], inverse[9];
	for (int i = 0; i < 3; i++) {
		from_target[i] = work->axis[i].from.c - work->axis[i].from.target;
	}
	abut_rotation_jacobian(work->ball.target, J);
	abut_rotation_jacobian_inverse(from_target, inverse); /* transposed: of a turn of the target */
	const double column[3] = {J[k], J[3 + k], J[6 + k]};
	abut_mat3_tvec(inverse, column, du);
	abut_scale3(law->motor_stiffness / gain, du, du);
}

static void by_effort(const AbutJointLinear *linear, const AbutParameter *parameter, AbutJointChangeBy *out)
{
	const AbutJointLaw *law = &linear->work->joint->law[0];
	const double *target = linear->work->ball.target, length = abut_norm3(target), dt = linear->timestep;
	const bool clipped = length > law->motor_limit;
	if (parameter->kind == ABUT_PARAMETER_MOTOR_LIMIT && clipped) {
		abut_scale3(dt / length, target, out->direct);
	} else if (parameter->kind == ABUT_PARAMETER_MOTOR) {
		const double share = clipped ? law->motor_limit / length : 1.0;
		const double along = clipped ? target[parameter->index] / (length * length) : 0.0;
		abut_scale3(-dt * share * along, target, out->direct);
		out->direct[parameter->index] += dt * share;
	}
}

/* Adds the change by the scale of a clipped impulse. */
static void rescale(const AbutJointLinear *linear, int which, const double *z, AbutJointChangeBy *out)
{
	const AbutClipped *clip = &linear->work->ball.clip[which].clip;
	const double *b = &z[clip->z + 1];
	double softened[3];
	abut_mat3_vec(linear->clip_stiffness[which], b, softened);
	for (int i = 0; i < 3; i++) {
		out->direct[i] = linear->timestep * (b[i] - clip->compliance * softened[i]);
	}
}

/* A motor to a position or rate. */
static void by_servo(const AbutJointLinear *linear, const AbutParameter *parameter, const double *y, const double *z,
                     AbutJointChangeBy *out)
{
	const AbutJointWork *work = linear->work;
	const AbutJointLaw *law = &work->joint->law[0];
	const AbutClipped *clip = &work->ball.clip[ABUT_CLIP_SERVO].clip;
	double du[3], change[3], push[3];
	for (int i = 0; i < 3; i++) {
		const AbutJointAxisWork *axis = &work->axis[i];
		const double impulse = clip->there ? clip->scale * z[clip->z + 1 + i] : y[axis->servo_y];
		double dcompliance;
		abut_joint_by_servo(law, &axis->from, parameter->kind, &du[i], &dcompliance);
		change[i] = -impulse * dcompliance;
		du[i] = parameter->kind == ABUT_PARAMETER_MOTOR && i != parameter->index ? 0.0 : du[i];
	}
	if (parameter->kind == ABUT_PARAMETER_MOTOR && law->to_position) {
		turn_target(linear, parameter->index, du);
	}
	abut_add3(change, du, change);
	if (clip->there) {
		abut_mat3_vec(linear->clip_stiffness[ABUT_CLIP_SERVO], change, push);
	} else {
		abut_scale3(1.0 / work->axis[0].servo_compliance, change, push);
	}
	shift(linear, push, out);
}

static void by_motor(const AbutJointLinear *linear, const AbutParameter *parameter, const double *y, const double *z,
                     AbutJointChangeBy *out)
{
	const AbutJointWork *work = linear->work;
	const AbutJointLaw *law = &work->joint->law[0];
	if (law->servo == ABUT_SERVO_EFFORT) {
		by_effort(linear, parameter, out);
	} else if (law->servo == ABUT_SERVO_NONE) {
		for (int i = 0; i < 3; i++) {
			out->direct[i] = abut_joint_by_first_gain(law, &work->axis[i], parameter->kind);
		}
	} else if (parameter->kind == ABUT_PARAMETER_MOTOR_LIMIT) {
		rescale(linear, ABUT_CLIP_SERVO, z, out);
	} else {
		by_servo(linear, parameter, y, z, out);
	}
}

static void by_friction(const AbutJointLinear *linear, double kappa, const double *z, AbutJointChangeBy *out)
{
	const AbutJointWork *work = linear->work;
	if (work->joint->law[0].rubs) {
		rescale(linear, ABUT_CLIP_FRICTION, z, out);
		return;
	}
	const double rate[3] = {work->axis[0].rate, work->axis[1].rate, work->axis[2].rate}, length = abut_norm3(rate);
	const double per_rate =
	    length > 0.0 ? abut_joint_by_first_friction(length, linear->timestep, kappa) / length : 0.0;
	abut_scale3(per_rate, rate, out->direct);
}

/* The cone's angle, or the twist. */
static void by_limit(const AbutJointLinear *linear, bool cone, AbutJointChangeBy *out)
{
	const AbutJointWork *work = linear->work;
	const int bound = work->joint->kind->n_freedoms + (cone ? 0 : 1);
	*out = (AbutJointChangeBy){.row = work->joint->n_held + bound, .n_rows = 1};
	const AbutJointTerm *term = abut_joint_term(linear, out->row, ABUT_JOINT_LAW_LIMITS);
	const double angle = work->joint->acting[0].lower, cotangent = cos(angle) / sin(angle);
	const double half = cos(0.5 * angle);
	if (cone) {
		out->direct[0] = -cotangent * work->impulse[out->row];
	}
	if (term && term->branch >= 0) {
		const double opens = cone ? 0.5 / (half * half) - cotangent * work->axis[bound].c
		                          : 2.0 * term->lower - 1.0; /* the distance from the limit */
		out->shift[out->n_shifts++] =
		    (AbutJointShift){&linear->branch[term->branch], term->share * opens / linear->timestep};
	}
}

void abut_ball_by_parameter(const AbutJointLinear *linear, const AbutParameter *parameter, double kappa,
                            const double *y, const double *z, AbutJointChangeBy *out)
{
	const AbutJointWork *work = linear->work;
	*out = (AbutJointChangeBy){.row = work->joint->n_held, .n_rows = ABUT_JOINT_FREEDOMS};
	switch ((int)parameter->kind) {
	case ABUT_PARAMETER_JOINT_STIFFNESS:
	case ABUT_PARAMETER_JOINT_DAMPING:
	case ABUT_PARAMETER_JOINT_ARMATURE:
		for (int i = 0; i < 3; i++) {
			out->direct[i] = abut_joint_by_passive(&work->joint->law[i], &work->axis[i], parameter->kind);
		}
		break;
	case ABUT_PARAMETER_JOINT_LOWER:
	case ABUT_PARAMETER_JOINT_UPPER:
		by_limit(linear, parameter->kind == ABUT_PARAMETER_JOINT_LOWER, out);
		break;
	case ABUT_PARAMETER_JOINT_FRICTION:
		by_friction(linear, kappa, z, out);
		break;
	default:
		by_motor(linear, parameter, y, z, out);
	}
}
