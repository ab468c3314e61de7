/* Implements what the spins of a ball share (spin.h). */
#include "dynamics/joint/spin.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vec3.h"

void abut_spins_aim(AbutJointWork *work, const double *targets, double aim[3])
{
	const AbutJointLaw *law = &work->joint->law[0];
	memset(aim, 0, 3 * sizeof *aim);
	if (law->target_unit == 0.0 || abut_norm3(targets) == 0.0) {
		return;
	}
	abut_scale3(1.0 / law->target_unit, targets, work->ball.target);
	if (law->to_position) {
		double to[9], from_target[9], turn[3];
		abut_rotation_to_mat3(targets, to);
		abut_mat3_transposed_mul(to, work->ball.from, from_target);
		abut_mat3_to_rotation(from_target, turn);
		for (int i = 0; i < 3; i++) {
			aim[i] = work->rows[work->joint->n_held + i].value - turn[i];
		}
		return;
	}
	abut_copy3(work->ball.target, aim);
	const double length = abut_norm3(aim);
	if (law->servo == ABUT_SERVO_EFFORT && length > law->motor_limit) {
		abut_scale3(law->motor_limit / length, aim, aim);
	}
}

AbutJointLaw abut_spin_law(const AbutJointLaw *law)
{
	AbutJointLaw own = *law;
	own.rubs = false;
	own.motor_limit = law->servo == ABUT_SERVO_EFFORT ? (double)INFINITY : law->motor_limit; /* of all three */
	own.servo = law->servo == ABUT_SERVO_LIMITED ? ABUT_SERVO_NONE : law->servo;
	return own;
}

static void add_clip(AbutJointWork *work, int which, const AbutClipped *clip, double weight, AbutAxisPlace *next)
{
	AbutSpinClip *own = &work->ball.clip[which];
	AbutCone *cone = next->cones++;
	*cone = (AbutCone){.kind = ABUT_CONE_SOC_FREE_HEAD,
	                   .offset = next->z_of_joint + next->z,
	                   .dim = ABUT_SPIN_CONE,
	                   .weight = weight,
	                   .law = next->law,
	                   .given_head = true};
	own->clip = *clip;
	own->clip.there = true;
	own->clip.cone = cone;
	own->clip.psi_y = next->y++;
	own->clip.z = next->z;
	next->z += ABUT_SPIN_CONE;
	next->law += abut_cone_law_size(cone->kind, cone->dim);
}

void abut_spins_setup(AbutJointWork *work, double timestep, AbutAxisPlace *next)
{
	const AbutJointLaw *law = &work->joint->law[0];
	const double dt = timestep, kp = law->motor_stiffness, kd = law->motor_damping, K = dt * (dt * kp + kd);
	double inertia = 0.0;
	for (int i = 0; i < 3; i++) {
		inertia += (work->axis[i].from.inertia + work->axis[i].slope - law->armature) / 3.0;
	}
	if (law->rubs) {
		const AbutClipped clip = {.scale = dt * law->friction, .weight = abut_friction_weight};
		add_clip(work, ABUT_CLIP_FRICTION, &clip, abut_friction_scaling(inertia, clip.scale), next);
	}
	if (law->servo == ABUT_SERVO_LIMITED) {
		const AbutClipped clip = {.scale = dt * law->motor_limit, .weight = 1.0, .compliance = 1.0 / K};
		add_clip(work, ABUT_CLIP_SERVO, &clip, abut_min(K, inertia) / clip.scale, next);
		for (int i = 0; i < 3; i++) {
			const AbutAxisStart *from = &work->axis[i].from;
			work->ball.clip[ABUT_CLIP_SERVO].u[i] =
			    (law->to_position ? kp * (from->target - from->c) : kd * from->target) / (dt * kp + kd);
		}
	}
}

void abut_spins_evaluate(AbutJointWork *work, const double *y, const double *z, double *r, double *H)
{
	for (int k = 0; k < ABUT_CLIPS; k++) {
		const AbutSpinClip *own = &work->ball.clip[k];
		const AbutClipped *clip = &own->clip;
		if (!clip->there) {
			continue;
		}
		r[clip->psi_y] = 1.0 - z[clip->z];
		H[clip->z] = y[clip->psi_y];
		for (int i = 0; i < 3; i++) {
			const double impulse = clip->scale * z[clip->z + 1 + i];
			H[clip->z + 1 + i] =
			    clip->weight * (work->axis[i].rate - own->u[i] + clip->compliance * impulse);
			work->impulse[work->joint->n_held + i] += impulse;
		}
	}
}

/* Computes M^-1 for M = 1 + factor B. */
static void invert(double factor, const double B[9], double out[9])
{
	double M[9], across[3][3];
	for (int i = 0; i < 9; i++) {
		M[i] = factor * B[i] + (i % 4 == 0 ? 1.0 : 0.0);
	}
	for (int i = 0; i < 3; i++) { /* columns of the adjugate */
		abut_cross3(&M[3 * ((i + 1) % 3)], &M[3 * ((i + 2) % 3)], across[i]);
	}
	const double determinant = abut_dot3(M, across[0]);
	for (int i = 0; i < 9; i++) {
		out[i] = across[i % 3][i / 3] / determinant;
	}
}

/* The change of b: lane[0] + weight lane[1] - W dc'. */
static void eliminate(const AbutClipped *clip, const double *r, const AbutFreeHeadLaw *law, double lane[2][3],
                      double W[9])
{
	double right[3], inverse[9], B[9];
	if (clip->compliance > 0.0) {
		invert(clip->weight * clip->compliance * clip->scale, law->B, inverse);
		abut_add_scaled3(law->k[0], r[clip->psi_y], law->a, right);
		abut_mat3_vec(inverse, right, lane[0]);
		abut_mat3_vec(inverse, law->k[1], lane[1]);
		abut_mat3_mul(inverse, law->B, B);
	} else {
		abut_add_scaled3(law->k[0], r[clip->psi_y], law->a, lane[0]);
		abut_copy3(law->k[1], lane[1]);
		memcpy(B, law->B, sizeof B);
	}
	for (int i = 0; i < 9; i++) {
		W[i] = clip->weight * B[i];
	}
}

void abut_spins_condense(AbutJointWork *work, const double *r, const AbutConeLaw *law)
{
	memset(work->ball.stiffness, 0, sizeof work->ball.stiffness);
	for (int k = 0; k < ABUT_CLIPS; k++) {
		const AbutClipped *clip = &work->ball.clip[k].clip;
		double lane[2][3], W[9];
		if (!clip->there) {
			continue;
		}
		eliminate(clip, r, abut_free_head_law(law, clip->cone), lane, W);
		for (int i = 0; i < 3; i++) {
			double *own = &work->j[work->joint->n_held + i][ABUT_LANE];
			own[0] += clip->scale * lane[0][i];
			own[1] += clip->scale * lane[1][i];
		}
		for (int i = 0; i < 9; i++) {
			work->ball.stiffness[i] += clip->scale * W[i];
		}
	}
}

void abut_spins_recover(const AbutJointWork *work, const AbutConeLaw *law, double weight, const double drate[3],
                        const AbutJointChange *change)
{
	for (int k = 0; k < ABUT_CLIPS; k++) {
		const AbutClipped *clip = &work->ball.clip[k].clip;
		double lane[2][3], W[9], by_rate[3];
		if (!clip->there) {
			continue;
		}
		const AbutFreeHeadLaw *own = abut_free_head_law(law, clip->cone);
		double *const dz = &change->dz[clip->z], *const dH = &change->dH[clip->z];
		eliminate(clip, work->residual, own, lane, W);
		abut_mat3_vec(W, drate, by_rate);
		dz[0] = work->residual[clip->psi_y];
		dH[0] = own->q[0] + weight * own->q[1] + own->qb * dz[0];
		for (int i = 0; i < 3; i++) {
			dz[1 + i] = lane[0][i] + weight * lane[1][i] - by_rate[i];
			dH[1 + i] = clip->weight * (drate[i] + clip->compliance * clip->scale * dz[1 + i]);
			dH[0] += own->qs[i] * dH[1 + i];
		}
		change->dy[clip->psi_y] = dH[0];
	}
}
