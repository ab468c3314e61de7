/* Implements the laws of a freedom (law.h). */
#include "dynamics/joint/law.h"

#include <math.h>

#include "base/vec3.h"

/* --- setup --- */

static const AbutCone *add_cone(AbutConeKind kind, int dim, double weight, AbutAxisPlace *next)
{
	AbutCone *cone = next->cones++;
	*cone = (AbutCone){.kind = kind,
	                   .offset = next->z_of_joint + next->z,
	                   .dim = dim,
	                   .weight = weight,
	                   .law = next->law,
	                   .given_head = kind == ABUT_CONE_SOC_FREE_HEAD};
	next->z += cone->dim;
	next->law += abut_cone_law_size(kind, cone->dim);
	return cone;
}

static bool is_stiff(const AbutJointLaw *law, const AbutAxisStart *start, double inertia)
{
	const double longest = abut_max(start->timestep, start->last_timestep);
	return longest * longest * law->stiffness > 2.0 * inertia;
}

bool abut_axis_is_stiff(const AbutJointLaw *law, const AbutAxisStart *start)
{
	return !start->at_rest && is_stiff(law, start, start->inertia);
}

/* Returns the share of the end of the step in the spring (law.h). */
static double spring_end(const AbutJointLaw *law, const AbutAxisStart *start)
{
	const double dt = start->timestep;
	if (law->stiffness == 0.0) {
		return 0.0;
	}
	if (start->at_rest) {
		return 1.0;
	}
	if (!is_stiff(law, start, start->guided_inertia)) {
		return 0.0;
	}
	const double q = dt * dt * law->stiffness / start->guided_inertia;
	const double n = 0.5 * (1.0 + start->last_timestep / dt) * (1.0 + q) - 2.0 - 0.5 * q;
	return n > 0.0 ? n / (n + 1.0 + q) : 0.0;
}

/* Returns c - c- for the spring. Before the first step there is no c-. Where the timestep does not resolve the spring,
 * c - dt c' may load it far beyond its energy, so c- is at most its amplitude away from the reference. */
static double spring_back(const AbutJointLaw *law, const AbutAxisStart *start)
{
	const double back = start->last_timestep * start->last_rate, stretch = start->c - law->reference;
	if (start->known) {
		return back;
	}
	const double amplitude =
	    sqrt(stretch * stretch + start->guided_inertia * start->last_rate * start->last_rate / law->stiffness);
	return stretch - abut_max(-amplitude, abut_min(stretch - back, amplitude));
}

static void setup_passive(const AbutJointLaw *law, const AbutAxisStart *start, AbutJointAxisWork *axis)
{
	const double dt = start->timestep, k = law->stiffness, end = spring_end(law, start), mean = 1.0 - end;
	const double back = end > 0.0 ? spring_back(law, start) : start->last_timestep * start->last_rate; /* c - c- */
	const double both = 0.5 * (dt + start->last_timestep);
	axis->spring_end = end;
	axis->I0 =
	    -k * ((mean * both + end * dt) * (start->c - law->reference) - 0.25 * mean * start->last_timestep * back) +
	    law->armature * start->last_rate;
	axis->slope = (0.25 * mean + end) * dt * dt * k + dt * law->damping + law->armature;
	if (law->servo == ABUT_SERVO_EFFORT) {
		axis->given = dt * abut_max(-law->motor_limit, abut_min(start->target, law->motor_limit));
		axis->I0 += axis->given;
	}
}

/* Sets up the servo: the rate u at which its effort vanishes, and its stiffness K. */
static void setup_servo(const AbutJointLaw *law, const AbutAxisStart *start, double inertia, AbutAxisPlace *next,
                        AbutJointAxisWork *axis)
{
	const double dt = start->timestep, kp = law->motor_stiffness, kd = law->motor_damping;
	const double K = dt * (dt * kp + kd);
	const double u = (law->to_position ? kp * (start->target - start->c) : kd * start->target) / (dt * kp + kd);
	if (law->servo == ABUT_SERVO_FREE) {
		axis->servo_y = next->y++;
		axis->servo_u = u;
		axis->servo_compliance = 1.0 / K;
	} else {
		const double scale = dt * law->motor_limit;
		axis->clip[ABUT_CLIP_SERVO] = (AbutClipped){.there = true,
		                                            .psi_y = next->y++,
		                                            .z = next->z,
		                                            .scale = scale,
		                                            .weight = 1.0,
		                                            .u = u,
		                                            .compliance = 1.0 / K};
		axis->clip[ABUT_CLIP_SERVO].cone =
		    add_cone(ABUT_CONE_SOC_FREE_HEAD, 2, abut_min(K, inertia) / scale, next);
	}
}

void abut_axis_setup(const AbutJointLaw *law, const AbutAxisStart *start, AbutAxisPlace *next, AbutJointAxisWork *axis)
{
	const double dt = start->timestep;
	*axis =
	    (AbutJointAxisWork){.from = *start, .c = start->c, .lower = law->lower, .upper = law->upper, .servo_y = -1};
	setup_passive(law, start, axis);
	const double inertia = start->inertia + axis->slope - law->armature; /* that an impulse on the freedom meets */
	axis->regular = abut_joint_delta / inertia;
	if (law->limited) {
		axis->limits_z = next->z;
		axis->limits =
		    add_cone(ABUT_CONE_ORTHANT, law->one_sided ? 1 : 2, inertia / (dt * abut_limit_weight), next);
	}
	if (law->rubs) {
		const double scale = dt * law->friction;
		axis->clip[ABUT_CLIP_FRICTION] = (AbutClipped){
		    .there = true, .psi_y = next->y++, .z = next->z, .scale = scale, .weight = abut_friction_weight};
		axis->clip[ABUT_CLIP_FRICTION].cone =
		    add_cone(ABUT_CONE_SOC_FREE_HEAD, 2, abut_friction_scaling(inertia, scale), next);
	}
	if (law->servo == ABUT_SERVO_FREE || law->servo == ABUT_SERVO_LIMITED) {
		setup_servo(law, start, inertia, next, axis);
	}
}

/* --- evaluation --- */

static double evaluate_clip(const AbutClipped *clip, double rate, const double *y, const double *z, double *r,
                            double *H)
{
	const double impulse = clip->scale * z[clip->z + 1];
	r[clip->psi_y] = 1.0 - z[clip->z];
	H[clip->z] = y[clip->psi_y];
	H[clip->z + 1] = clip->weight * (rate - clip->u + clip->compliance * impulse);
	return impulse;
}

double abut_axis_evaluate(const AbutJointAxisWork *axis, const double *y, const double *z, double *r, double *H)
{
	double impulse = axis->I0 - axis->slope * axis->rate;
	if (axis->limits) {
		const int i = axis->limits_z;
		H[i] = abut_limit_weight * (axis->c - axis->lower);
		if (axis->limits->dim == 1) {
			impulse += z[i];
		} else {
			H[i + 1] = abut_limit_weight * (axis->upper - axis->c);
			impulse += z[i] - z[i + 1];
		}
	}
	for (int k = 0; k < ABUT_CLIPS; k++) {
		if (axis->clip[k].there) {
			impulse += evaluate_clip(&axis->clip[k], axis->rate, y, z, r, H);
		}
	}
	if (axis->servo_y >= 0) {
		r[axis->servo_y] = axis->rate - axis->servo_u + axis->servo_compliance * y[axis->servo_y];
		impulse += y[axis->servo_y];
	}
	if (axis->geared != 0.0) {
		impulse += axis->geared;
	}
	return impulse;
}

/* --- elimination --- */

/* The change of b: lane[0] + weight lane[1] - stiffness dc'. */
static void eliminate_clip(const AbutClipped *clip, const double *r, const AbutConeLaw *law, double lane[2],
                           double *stiffness)
{
	const AbutFreeHeadLaw *own = abut_free_head_law(law, clip->cone);
	const double B = own->B[0] * clip->weight;
	const double share = 1.0 / (1.0 + B * clip->compliance * clip->scale);
	lane[0] = share * (own->k[0][0] + own->a[0] * r[clip->psi_y]);
	lane[1] = share * own->k[1][0];
	*stiffness = share * B;
}

void abut_axis_condense(const AbutJointAxisWork *axis, double timestep, const double *r, const AbutConeLaw *law,
                        double lane[2], double *stiffness)
{
	lane[0] = lane[1] = 0.0;
	*stiffness = axis->slope;
	if (axis->limits) {
		const double *K = &law->K[axis->limits->law], *c0 = &law->c[0][axis->limits->offset],
		             *c1 = &law->c[1][axis->limits->offset];
		const bool both = axis->limits->dim > 1;
		lane[0] += both ? c0[0] - c0[1] : c0[0];
		lane[1] += both ? c1[0] - c1[1] : c1[0];
		*stiffness += (both ? K[0] + K[1] : K[0]) * abut_limit_weight * timestep;
	}
	for (int k = 0; k < ABUT_CLIPS; k++) {
		const AbutClipped *clip = &axis->clip[k];
		if (clip->there) {
			double own[2], slope;
			eliminate_clip(clip, r, law, own, &slope);
			lane[0] += clip->scale * own[0];
			lane[1] += clip->scale * own[1];
			*stiffness += clip->scale * slope;
		}
	}
	if (axis->servo_y >= 0) {
		const double slope = 1.0 / (axis->servo_compliance + axis->regular);
		lane[0] -= slope * r[axis->servo_y];
		*stiffness += slope;
	}
}

double abut_axis_stiffness(const AbutJointAxisWork *axis)
{
	return axis->slope + (axis->servo_y >= 0 ? 1.0 / (axis->servo_compliance + axis->regular) : 0.0);
}

static void recover_clip(const AbutClipped *clip, const double *r, const AbutConeLaw *law, double weight, double drate,
                         const AbutJointChange *change)
{
	double *const dz = change->dz, *const dH = change->dH;
	const AbutFreeHeadLaw *own = abut_free_head_law(law, clip->cone);
	double lane[2], stiffness;
	eliminate_clip(clip, r, law, lane, &stiffness);
	dz[clip->z] = r[clip->psi_y];
	dz[clip->z + 1] = lane[0] + weight * lane[1] - stiffness * drate;
	dH[clip->z + 1] = clip->weight * (drate + clip->compliance * clip->scale * dz[clip->z + 1]);
	dH[clip->z] = change->dy[clip->psi_y] =
	    own->q[0] + weight * own->q[1] + own->qs[0] * dH[clip->z + 1] + own->qb * dz[clip->z];
}

void abut_axis_recover(const AbutJointAxisWork *axis, double timestep, const double *r, const AbutConeLaw *law,
                       double weight, double drate, const AbutJointChange *change)
{
	if (axis->limits) {
		const int i = axis->limits_z;
		double *dH = change->dH;
		dH[i] = abut_limit_weight * timestep * drate;
		if (axis->limits->dim > 1) {
			dH[i + 1] = -dH[i];
		}
		abut_cone_apply_law(axis->limits, law, weight, &dH[i], &change->dz[i]);
	}
	for (int k = 0; k < ABUT_CLIPS; k++) {
		if (axis->clip[k].there) {
			recover_clip(&axis->clip[k], r, law, weight, drate, change);
		}
	}
	if (axis->servo_y >= 0) {
		change->dy[axis->servo_y] = -(r[axis->servo_y] + drate) / (axis->servo_compliance + axis->regular);
	}
}
