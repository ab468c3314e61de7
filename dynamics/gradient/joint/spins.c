/* Adds the branches of spins. Let dI = -S dc' - R dphi be what friction and motors add to the impulses I of the spins,
 * with the changes dc' of the rates and dphi of the rotation vector at the start of the step. The stiffness S is a sum
 * over the laws: 1 / (servo's compliance) for a free motor, and, for a clipped impulse that follows b = P(b - C H) with
 * the compliance e, slack weight w and slip q,
 *
 *     on the path   S = (e + (scale w B)^-1)^-1, with B of the law of the cone (solver/cones/soc.h)
 *     stick         S = 1 / e; without e the spins are held
 *     slip          S = k / (1 + e k) (1 - u u'),     k = scale w / |w q|,     u = q / |q|.
 *
 * S is symmetric, so elimination with pivots from the diagonal yields S = sum K v v' and R = sum K v x', which are the
 * branches: directions v of the spins with the stiffness K. The R of a motor to a rotation is servo S dphi' / dphi,
 * with the rotation vector phi' from its target. Tested in tests/dynamics/joint/test_joint_gradient.c. */
#include "dynamics/gradient/joint/spins.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vec3.h"

static const AbutClipped *clip_of(const AbutJointWork *work, int which)
{
	return &work->ball.clip[which].clip;
}

bool abut_joint_spins_stick(const AbutJointWork *work, const double *z, const double *H)
{
	const AbutClipped *friction = clip_of(work, ABUT_CLIP_FRICTION);
	return friction->there && abut_given_head_sticks(ABUT_SPIN_CONE, &z[friction->cone->offset],
	                                                 &H[friction->cone->offset], friction->cone->weight);
}

/* Computes (1 + factor B)^-1 B by solving with the matrix of each column. */
static void soften(double factor, const double B[9], double out[9])
{
	double M[9], across[3][3];
	for (int i = 0; i < 9; i++) {
		M[i] = 0.5 * factor * (B[i] + B[i % 3 * 3 + i / 3]) + (i % 4 == 0 ? 1.0 : 0.0);
	}
	for (int i = 0; i < 3; i++) {
		const double column[3] = {B[i], B[3 + i], B[6 + i]};
		abut_sym3_solve(M, column, across[i]);
	}
	for (int i = 0; i < 9; i++) {
		out[i] = 0.5 * (across[i % 3][i / 3] + across[i / 3][i % 3]);
	}
}

/* Computes the stiffness of a clipped impulse that is not held. */
static void stiffness_of(const AbutClipped *clip, const double *z, const double *H, const AbutConeLaw *law,
                         bool smoothed, double S[9])
{
	const int at = clip->cone->offset;
	const double *slip = &H[at + 1], length = abut_norm3(slip);
	double B[9];
	if (smoothed) {
		memcpy(B, abut_free_head_law(law, clip->cone)->B, sizeof B);
		soften(clip->weight * clip->compliance * clip->scale, B, S);
		for (int i = 0; i < 9; i++) {
			S[i] *= clip->scale * clip->weight;
		}
		return;
	}
	const bool sticks = abut_given_head_sticks(ABUT_SPIN_CONE, &z[at], &H[at], clip->cone->weight);
	const double k = clip->scale * clip->weight / length;
	const double stiffness = sticks ? 1.0 / clip->compliance : k / (1.0 + clip->compliance * k);
	for (int i = 0; i < 9; i++) {
		const double along = sticks ? 0.0 : slip[i / 3] * slip[i % 3] / (length * length);
		S[i] = stiffness * ((i % 4 == 0 ? 1.0 : 0.0) - along);
	}
}

/* Adds a branch along v with the stiffness K; softer than 1 / delta, or held. */
static void add_branch(AbutJointLinear *out, double K, int pivot, const double v[3], const double x[3])
{
	const AbutJointWork *work = out->work;
	const double delta = abut_joint_softer * work->axis[0].regular, e = 1.0 / K;
	const bool held = e < delta;
	AbutJointBranch *branch = &out->branch[out->n++];
	*branch = (AbutJointBranch){.row = work->joint->n_held, .spins = true, .K = 1.0 / (e + (held ? delta : 0.0))};
	branch->pull = held ? delta * branch->K : 0.0;
	branch->stiffness = K;
	branch->pivot = pivot;
	abut_copy3(v, branch->mix);
	abut_copy3(x, branch->by_c);
	out->n_held += held;
}

static void add_held(AbutJointLinear *out)
{
	for (int i = 0; i < 3; i++) {
		double v[3] = {0.0, 0.0, 0.0};
		const double none[3] = {0.0, 0.0, 0.0};
		v[i] = 1.0;
		add_branch(out, (double)INFINITY, i, v, none);
	}
}

/* Adds springs, dampers and armature of a spin. */
static void add_passive(int i, AbutJointLinear *out)
{
	const AbutJointAxisWork *axis = &out->work->axis[i];
	const AbutJointLaw *law = &out->work->joint->law[i];
	const AbutAxisStart *from = &axis->from;
	const double before = from->last_timestep,
	             mean = from->at_rest ? out->timestep : 0.5 * (out->timestep + before);
	if (axis->slope > 0.0) {
		AbutJointBranch *branch = &out->branch[out->n++];
		*branch = (AbutJointBranch){
		    .row = out->work->joint->n_held + i,
		    .spins = true,
		    .K = axis->slope,
		    .last = from->at_rest ? 0.0 : law->armature + 0.25 * law->stiffness * before * before};
		branch->mix[i] = 1.0;
		branch->by_c[i] = law->stiffness * mean / axis->slope;
	}
}

/* Splits S and R into branches. Overwrites both. */
static void add_shared(double S[9], double R[9], AbutJointLinear *out)
{
	static const double negligible = 1e-14;
	const double largest = abut_max(S[0], abut_max(S[4], S[8]));
	for (int round = 0; round < 3; round++) {
		int p = 0;
		for (int i = 1; i < 3; i++) {
			p = S[4 * i] > S[4 * p] ? i : p;
		}
		const double K = S[4 * p];
		if (!(K > negligible * largest)) {
			return;
		}
		double x[3], v[3];
		for (int i = 0; i < 3; i++) {
			v[i] = S[3 * i + p] / K;
			x[i] = R[3 * p + i] / K;
		}
		add_branch(out, K, p, v, x);
		for (int i = 0; i < 9; i++) {
			S[i] = i / 3 == p || i % 3 == p ? 0.0 : S[i] - K * v[i / 3] * v[i % 3];
			R[i] -= K * v[i / 3] * x[i % 3];
		}
	}
}

/* Computes the derivative of the rotation vector from the target of a position motor to the child's frame, which is c
 * less the target, by the rotation vector c. */
static void turn_of_target(const AbutJointWork *work, double out[9])
{
	double c[3], from_target[3], J[9], inverse[9];
	for (int i = 0; i < 3; i++) {
		const AbutAxisStart *from = &work->axis[i].from;
		c[i] = from->c;
		from_target[i] = from->c - from->target;
	}
	abut_rotation_jacobian(c, J);
	abut_rotation_jacobian_inverse(from_target, inverse);
	abut_mat3_mul(inverse, J, out);
}

void abut_joint_spins_add(const double *z, const double *H, const AbutConeLaw *law, bool smoothed, AbutJointLinear *out)
{
	const AbutJointWork *work = out->work;
	const AbutJointLaw *own = &work->joint->law[0];
	const double gain = out->timestep * own->motor_stiffness + own->motor_damping;
	const double servo = own->to_position && gain > 0.0 ? own->motor_stiffness / gain : 0.0; /* -du / dphi */
	double S[9] = {0.0}, R[9] = {0.0}, turned[9], of[9];
	if (!smoothed && abut_joint_spins_stick(work, z, H)) {
		add_held(out);
		return;
	}
	turn_of_target(work, turned);
	for (int i = 0; i < 3; i++) {
		add_passive(i, out);
		if (work->axis[i].servo_y >= 0) {
			S[4 * i] += 1.0 / work->axis[i].servo_compliance;
			for (int k = 0; k < 3; k++) {
				R[3 * i + k] += servo / work->axis[i].servo_compliance * turned[3 * i + k];
			}
		}
	}
	for (int k = 0; k < ABUT_CLIPS; k++) {
		if (clip_of(work, k)->there) {
			double by_phi[9];
			stiffness_of(clip_of(work, k), z, H, law, smoothed, of);
			memcpy(out->clip_stiffness[k], of, sizeof of);
			abut_mat3_mul(of, turned, by_phi);
			for (int i = 0; i < 9; i++) {
				S[i] += of[i];
				R[i] += k == ABUT_CLIP_SERVO ? servo * by_phi[i] : 0.0;
			}
		}
	}
	add_shared(S, R, out);
}
