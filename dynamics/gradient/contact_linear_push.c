/* Computes the wrenches of one linearised contact for given motions and parameters, in all lanes. The notation is that
 * of dynamics/contact/condense.c: p is the contact point, dxi_i the motion of side i's material at p, dtilt_i the
 * change of its normal with the body. The unknown dp_0 = R_0' (dp - dxi_0) is the motion of p relative to side 0.
 * Relative to side 1 it is
 *
 *     dq_1 = R_1' (R_0 dp_0 + dxi_0 - dxi_1).
 *
 * Each side's rows give dH = W (dq, dalpha, deps), dlambda = -K dH, and f = W' dlambda; a smooth shape's curvature is
 * subtracted from f. The equations of the collision problem are
 *
 *     f_0 + R f_1 = R_0' (dtilt_0 - dtilt_1)   (3; R = R_0' R_1),
 *     f_0 + f_1 + dlambda_alpha = 0            (alpha),      f_i = 0   (eps of side i):
 *
 * a square system in u = (dp_0, dalpha, deps) and the duals of rigid rows. The regularisation rho (u - u_held) on its
 * left vanishes at u_held = u (dynamics/gradient/solve.c), like the regularisation of the impulses' laws. If a flat
 * point counts as round (contact_stiffness.c), its curvature is part of f_0. The other quantities follow explicitly:
 * normals, arms, slip, the impulses by their laws, and wrenches.
 *
 * A parameter (contact_parameter.c) may move the material of a part, which adds to dxi and dtilt. It may change rows,
 * which adds to dH and, by d(W' lambda), to f. It may also change mu or the torsional radius. Tested in
 * tests/dynamics/gradient/test_gradient.c. */
#include "dynamics/gradient/contact_linear_push.h"

#include <string.h>

#include "base/lane_algebra.h"
#include "base/vec3.h"
#include "collision/rows/smooth_rows.h"

/* --- the collision problem --- */

/* Computes -K dH of one cone from dH of its own rows. */
ALWAYS_INLINE void apply_law(const AbutCone *cone, const AbutConeLaw *law, const AbutLanes *dH, AbutLanes *dz)
{
	const double *K = &law->K[cone->law];
	for (int i = 0; i < cone->dim; i++) {
		abut_lanes_zero(dz[i]);
		if (cone->kind == ABUT_CONE_ORTHANT) {
			abut_lanes_add(dz[i], -K[i], dH[i]);
			continue;
		}
		for (int j = 0; j < cone->dim; j++) {
			abut_lanes_add(dz[i], -K[i * cone->dim + j], dH[j]);
		}
	}
}

/* Motion of a side's material at p, xi = dx + dtheta x arm, and the change of its normal, tilt = dtheta x n. World
 * axes. */
typedef struct Material {
	AbutLanes xi[3], tilt[3];
} Material;

ALWAYS_INLINE void material_of(const AbutContactSide *side, const AbutLinearMotion *motion,
                               const AbutLinearInput *input, int index, Material *out)
{
	for (int i = 0; i < 3; i++) {
		abut_lanes_zero(out->tilt[i]);
		for (int l = 0; l < ABUT_LANES; l++) {
			out->xi[i][l] = motion->displacement[index][i][l];
		}
	}
	abut_lanes_add_cross(motion->turn[index], side->arm, out->xi);
	abut_lanes_add_cross(motion->turn[index], side->n, out->tilt);
	for (int i = 0; input && i < 3; i++) {
		abut_lanes_add(out->xi[i], 1.0, input->material[index][i]);
	}
	if (input) {
		abut_lanes_add_cross(input->turn[index], side->n, out->tilt);
	}
}

/* Computes f = W' dz of a side (width entries, for q, alpha and eps). */
ALWAYS_INLINE void pull_rows(const AbutConicRows *rows, const AbutLanes *dz, AbutLanes *f)
{
	for (int a = 0; a < rows->width; a++) {
		abut_lanes_zero(f[a]);
	}
	for (int i = 0; i < rows->n_rows; i++) {
		for (int a = 0; a < rows->width; a++) {
			abut_lanes_add(f[a], rows->W[i * rows->width + a], dz[i]);
		}
	}
}

/* Sets f to the effect of parameters on W' lambda at fixed unknowns: through the rows' law, and through W itself. */
ALWAYS_INLINE void pull_input(AbutContactLinear *c, const AbutLinearInput *input, int index, AbutLanes *f)
{
	const AbutContactSide *side = &c->contact->side[index];
	const AbutConicRows *rows = side->rows;
	const int first = c->contact->at.z + side->z, n_cones = abut_conic_rows_cone_count(rows);
	for (int i = 0; i < n_cones; i++) { /* -K dH; lanes.dz serves as scratch */
		const AbutCone *cone = &side->cones[i];
		const int own = side->z + cone->offset - first;
		apply_law(cone, c->law, &input->dH[own], &c->lanes.dz[own]);
	}
	pull_rows(rows, &c->lanes.dz[side->z], f);
	for (int a = 0; a < rows->width; a++) {
		abut_lanes_add(f[a], 1.0, input->f[index][a]);
	}
}

/* Adds a side's right-hand sides: the effect of parameters, minus F (shift, 0, 0). The entries of q are turned into
 * side 0's frame. `shift` is R_1' (dxi_0 - dxi_1), or NULL for side 0. */
ALWAYS_INLINE void add_right(AbutContactLinear *c, const AbutLinearInput *input, const double R[9], int index,
                             const AbutLanes shift[3], AbutLanes *right)
{
	const AbutConicRows *rows = c->contact->side[index].rows;
	const double *F = c->side[index].F;
	AbutLanes *f = c->lanes.f, turned[3];
	const bool shifts = shift && c->side[index].gives;
	if (!input && !shifts) {
		return;
	}
	if (input) {
		pull_input(c, input, index, f);
	} else {
		memset(f, 0, (size_t)rows->width * sizeof *f);
	}
	for (int a = 0; shifts && a < rows->width; a++) {
		for (int b = 0; b < 3; b++) {
			abut_lanes_add(f[a], -F[a * rows->width + b], shift[b]);
		}
	}
	if (index == 0) {
		memcpy(turned, f, sizeof turned);
	} else {
		abut_lanes_mat3(R, f, turned);
	}
	for (int i = 0; i < 3; i++) {
		abut_lanes_add(right[i], 1.0, turned[i]);
	}
	abut_lanes_add(right[3], 1.0, f[3]);
	for (int e = 4; e < rows->width; e++) {
		abut_lanes_add(right[c->side[index].u + e - 4], 1.0, f[e]);
	}
}

/* Computes the right-hand sides of the rigid rows: -(dH + W shift) at fixed unknowns, with the shift of side 1. */
ALWAYS_INLINE void right_of_rigid(AbutContactLinear *c, const AbutLinearInput *input, const AbutLanes shift[3])
{
	for (int i = 0; i < c->rigid.n; i++) {
		const AbutRigidRow *rigid = &c->rigid.rows[i];
		const AbutContactSide *side = &c->contact->side[rigid->side];
		AbutLanes *right = &c->lanes.du[c->n_u + i];
		abut_lanes_zero(*right);
		for (int j = 0; j < rigid->dim; j++) {
			const int row = rigid->first + j;
			const double part = rigid->dim > 1 ? c->held[side->z + row] : 1.0;
			const double *W = &side->rows->W[row * side->rows->width];
			for (int k = 0; rigid->side == 1 && k < 3; k++) {
				abut_lanes_add(*right, -part * W[k], shift[k]);
			}
			if (input) {
				abut_lanes_add(*right, -part, input->dH[side->z + row]);
			}
		}
	}
}

/* Adds W' dz of one row to the first three entries of f, which are all that is needed. */
ALWAYS_INLINE void pull_row(const AbutConicRows *rows, int row, double factor, const AbutLanes dz, AbutLanes f[3])
{
	for (int a = 0; a < 3; a++) {
		abut_lanes_add(f[a], factor * rows->W[row * rows->width + a], dz);
	}
}

/* Adds the duals of a side's rigid rows to dz and f. */
ALWAYS_INLINE void add_rigid_duals(AbutContactLinear *c, int index, AbutLanes f[3])
{
	const AbutContactSide *side = &c->contact->side[index];
	for (int i = 0; i < c->rigid.n; i++) {
		const AbutRigidRow *rigid = &c->rigid.rows[i];
		for (int j = 0; rigid->side == index && j < rigid->dim; j++) {
			const int row = rigid->first + j;
			const double part = rigid->dim > 1 ? c->held[side->z + row] : 1.0;
			abut_lanes_add(c->lanes.dz[side->z + row], part, c->lanes.du[c->n_u + i]);
			pull_row(side->rows, row, part, c->lanes.du[c->n_u + i], f);
		}
	}
}

/* Computes dH of a side's row from its own unknowns. */
ALWAYS_INLINE void row_change(AbutContactLinear *c, const AbutLinearInput *input, int index, int row,
                              const AbutLanes dq[3], AbutLanes dH)
{
	const AbutContactSide *side = &c->contact->side[index];
	const int width = side->rows->width;
	const double *W = &side->rows->W[row * width];
	abut_lanes_dot(W, dq, dH);
	abut_lanes_add(dH, W[3], c->lanes.du[3]);
	for (int e = 4; e < width; e++) {
		abut_lanes_add(dH, W[e], c->lanes.du[c->side[index].u + e - 4]);
	}
	if (input) {
		abut_lanes_add(dH, 1.0, input->dH[side->z + row]);
	}
}

/* Computes dz of a cone's rows by its law, and adds W' dz to f. Entries without stiffness are skipped; these are most
 * entries of a polytope. */
ALWAYS_INLINE void recover_cone(AbutContactLinear *c, const AbutLinearInput *input, int index, const AbutCone *cone,
                                const AbutLanes dq[3], AbutLanes f[3])
{
	const AbutContactSide *side = &c->contact->side[index];
	const double *K = &c->law->K[cone->law];
	const int first = cone->offset - c->contact->at.z - side->z;
	AbutLanes *dz = &c->lanes.dz[side->z + first];
	if (cone->kind == ABUT_CONE_ORTHANT) {
		for (int i = 0; i < cone->dim; i++) {
			abut_lanes_zero(dz[i]);
			if (K[i] != 0.0) {
				row_change(c, input, index, first + i, dq, c->lanes.dH[0]);
				abut_lanes_add(dz[i], -K[i], c->lanes.dH[0]);
				pull_row(side->rows, first + i, 1.0, dz[i], f);
			}
		}
		return;
	}
	for (int i = 0; i < cone->dim; i++) {
		row_change(c, input, index, first + i, dq, c->lanes.dH[i]);
	}
	apply_law(cone, c->law, c->lanes.dH, dz);
	for (int i = 0; i < cone->dim; i++) {
		pull_row(side->rows, first + i, 1.0, dz[i], f);
	}
}

/* Computes dz of a side's rows from its own unknowns, and the first three entries of f = W' dz minus the curvature's
 * effect. */
ALWAYS_INLINE void recover_side(AbutContactLinear *c, const AbutLinearInput *input, int index, const AbutLanes dq[3],
                                AbutLanes f[3])
{
	const AbutContactSide *side = &c->contact->side[index];
	const AbutConicRows *rows = side->rows;
	const int n_cones = abut_conic_rows_cone_count(rows), width = rows->width;
	for (int a = 0; a < 3; a++) {
		abut_lanes_zero(f[a]);
		if (input) {
			abut_lanes_add(f[a], 1.0, input->f[index][a]);
		}
	}
	for (int i = 0; i < n_cones; i++) {
		recover_cone(c, input, index, &side->cones[i], dq, f);
	}
	add_rigid_duals(c, index, f);
	if (rows->smooth) {
		const double *C = abut_smooth_rows_curvature(rows);
		for (int a = 0; a < 3; a++) {
			for (int b = 0; b < width; b++) {
				abut_lanes_add(f[a], -C[a * width + b],
				               b < 3    ? dq[b]
				               : b == 3 ? c->lanes.du[3]
				                        : c->lanes.du[c->side[index].u + b - 4]);
			}
		}
	}
}

/* Subtracts from f of side 0 the curvature of a flat point that counts as round. */
ALWAYS_INLINE void subtract_round(const AbutContactLinear *c, AbutLanes f[3])
{
	for (int t = 0; t < 2; t++) {
		AbutLanes along;
		abut_lanes_dot(c->tangents[t], c->lanes.du, along);
		for (int i = 0; i < 3; i++) {
			abut_lanes_add(f[i], -c->rho * c->tangents[t][i], along);
		}
	}
}

/* Changes of normals and arms. */
typedef struct Geometry {
	AbutLanes dn[2][3], arm[2][3];
} Geometry;

ALWAYS_INLINE void solve_collision(AbutContactLinear *c, const AbutLinearMotion *motion, const AbutLinearInput *input,
                                   Geometry *out)
{
	const AbutContactWork *contact = c->contact;
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	Material material[2];
	AbutLanes relative[3], shift[3], tilt[3], turned[3], dq[3], f[3], dp[3];
	double R[9];
	abut_mat3_transposed_mul(a->body->R, b->body->R, R);
	for (int i = 0; i < 2; i++) {
		material_of(&contact->side[i], motion, input, i, &material[i]);
	}
	for (int i = 0; i < 3; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			relative[i][l] = material[0].xi[i][l] - material[1].xi[i][l];
			tilt[i][l] = material[0].tilt[i][l] - material[1].tilt[i][l];
		}
	}
	abut_lanes_tmat3(b->body->R, relative, shift);
	abut_lanes_tmat3(a->body->R, tilt, turned);
	for (int i = 0; i < c->n_u; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			c->lanes.du[i][l] = c->rho * c->lanes.u[i][l] - (i < 3 ? turned[i][l] : 0.0);
		}
	}
	abut_lanes_add(c->lanes.du[3], 1.0, c->lanes.c[contact->at.alpha_z]);
	add_right(c, input, R, 0, NULL, c->lanes.du);
	add_right(c, input, R, 1, shift, c->lanes.du);
	right_of_rigid(c, input, shift);
	abut_lanes_solve(c->n_u + c->rigid.n, c->lu, c->pivots, c->lanes.du);
	/* the changes of the normals follow from the rows: n_0 = R_0 A' lambda = -R_0 f, n_1 = R_1 f */
	recover_side(c, input, 0, c->lanes.du, f);
	if (c->regular == ABUT_REGULAR_ROUND) {
		subtract_round(c, f);
	}
	abut_lanes_mat3(a->body->R, f, out->dn[0]); /* cppcheck-suppress uninitvar ; written there */
	abut_lanes_mat3(a->body->R, c->lanes.du, dp);
	abut_lanes_tmat3(R, c->lanes.du, dq);
	for (int i = 0; i < 3; i++) {
		abut_lanes_add(dq[i], 1.0, shift[i]);
	}
	recover_side(c, input, 1, dq, f);
	abut_lanes_mat3(b->body->R, f, out->dn[1]);
	for (int i = 0; i < 3; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			out->dn[0][i][l] = material[0].tilt[i][l] - out->dn[0][i][l];
			out->dn[1][i][l] = material[1].tilt[i][l] + out->dn[1][i][l];
			dp[i][l] += material[0].xi[i][l];
			out->arm[0][i][l] = dp[i][l] - motion->displacement[0][i][l];
			out->arm[1][i][l] = dp[i][l] - motion->displacement[1][i][l];
		}
	}
	const double K_alpha = c->law->K[contact->alpha_cone->law];
	for (int l = 0; l < ABUT_LANES; l++) {
		c->lanes.dz[contact->at.alpha_z][l] = c->lanes.c[contact->at.alpha_z][l] - K_alpha * c->lanes.du[3][l];
	}
}

/* --- impulses and wrenches --- */

/* Adds one side's share of dslip: weight_friction times N . (dv + domega x arm + omega x darm) + dN . velocity, with
 * omega its spin. The third entry is for the spin about the normal, times the torsional radius. */
ALWAYS_INLINE void add_slip(const AbutContactLinear *c, int index, const AbutLinearMotion *motion,
                            const AbutLinearInput *input, const Geometry *g, AbutLanes dN[3][3], AbutLanes slip[3])
{
	const AbutContactSide *side = &c->contact->side[index];
	const double w = c->contact->scale.weight_friction * side->sign, wr = w * c->contact->pair->torsional_radius;
	for (int t = 0; t < 2; t++) {
		const double N[3] = {w * side->frame.N[1 + t][0], w * side->frame.N[1 + t][1],
		                     w * side->frame.N[1 + t][2]};
		const double velocity[3] = {w * side->velocity[0], w * side->velocity[1], w * side->velocity[2]};
		double by_spin[3], by_arm[3];
		abut_cross3(side->arm, N, by_spin);
		abut_cross3(N, side->body->w, by_arm);
		abut_lanes_add_dot(N, motion->velocity[index], slip[t]);
		abut_lanes_add_dot(by_spin, motion->spin[index], slip[t]);
		abut_lanes_add_dot(by_arm, g->arm[index], slip[t]);
		abut_lanes_add_dot(velocity, dN[1 + t], slip[t]);
	}
	const double N0[3] = {wr * side->frame.N[0][0], wr * side->frame.N[0][1], wr * side->frame.N[0][2]};
	const double spin[3] = {wr * side->body->w[0], wr * side->body->w[1], wr * side->body->w[2]};
	abut_lanes_add_dot(N0, motion->spin[index], slip[2]);
	abut_lanes_add_dot(spin, dN[0], slip[2]);
	if (input) {
		abut_lanes_add(slip[2], w * abut_dot3(side->frame.N[0], side->body->w), input->torsional_radius);
	}
}

/* Returns the change of mu gamma. */
ALWAYS_INLINE double bound_by(const AbutContactWork *contact, const AbutLinearInput *input, double d_gamma, int lane)
{
	return contact->mu * d_gamma + (input ? contact->value.gamma * input->mu[lane] : 0.0);
}

/* Computes the friction of the second-order cone, whose head is mu gamma: dtail = c + a d(mu gamma) - B dslip. */
ALWAYS_INLINE void push_cone(AbutContactLinear *c, const AbutLinearInput *input, const AbutLanes slip[3],
                             AbutLanes d_impulse[4])
{
	const AbutContactWork *contact = c->contact;
	const int tail = contact->pair->tail, first = contact->at.friction_z;
	const AbutFreeHeadLaw *head = abut_free_head_law(c->law, contact->friction_cones);
	for (int t = 0; t < tail; t++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			d_impulse[1 + t][l] =
			    c->lanes.c[first + 1 + t][l] + head->a[t] * bound_by(contact, input, d_impulse[0][l], l);
			for (int u = 0; u < tail; u++) {
				d_impulse[1 + t][l] -= head->B[3 * t + u] * slip[u][l];
			}
			c->lanes.dz[first + 1 + t][l] = d_impulse[1 + t][l];
		}
	}
}

/* Computes the friction of the pyramid, lane by lane, because its law has room for one right-hand side. */
static void push_pyramid(AbutContactLinear *c, const AbutLinearInput *input, const AbutLanes slip[3],
                         AbutLanes d_impulse[4])
{
	const AbutContactWork *contact = c->contact;
	const int tail = contact->pair->tail, n_z = contact->at.n_friction_z, first = contact->at.friction_z;
	for (int l = 0; l < ABUT_LANES; l++) {
		const double d_slip[3] = {slip[0][l], slip[1][l], slip[2][l]};
		const double d_gamma = bound_by(contact, input, d_impulse[0][l], l) / contact->mu;
		double dy[1], dz[8], dH[8];
		for (int i = 0; i < n_z; i++) {
			c->law->c[0][contact->friction_cones->offset + i] = c->lanes.c[first + i][l];
		}
		const AbutFriction friction = {ABUT_FRICTION_CONE_PYRAMID, tail, contact->mu, 0.0,
		                               contact->friction_cones};
		abut_friction_recover(&friction, c->law, 0.0, d_gamma, d_slip, dy, dz, dH);
		for (int i = 0; i < n_z; i++) {
			c->lanes.dz[first + i][l] = dz[i];
		}
		for (int t = 0; t < tail; t++) {
			d_impulse[1 + t][l] = dz[1 + 2 * t] - dz[2 + 2 * t];
		}
	}
}

ALWAYS_INLINE void push_impulses(AbutContactLinear *c, const AbutLinearInput *input, const AbutLanes slip[3],
                                 AbutLanes d_impulse[4])
{
	const AbutContactWork *contact = c->contact;
	const double D = c->law->K[contact->cones[0].law] * contact->scale.weight_contact;
	for (int l = 0; l < ABUT_LANES; l++) {
		d_impulse[0][l] = c->lanes.dz[0][l] = c->lanes.c[0][l] - D * c->lanes.du[3][l];
		d_impulse[1][l] = d_impulse[2][l] = d_impulse[3][l] = 0.0;
	}
	if (contact->pair->tail > 0 && c->friction_cone == ABUT_FRICTION_CONE_SOC) {
		push_cone(c, input, slip, d_impulse);
	} else if (contact->pair->tail > 0) {
		push_pyramid(c, input, slip, d_impulse);
	} else if (input) {
		abut_lanes_add(d_impulse[1], 1.0, input->tangential[0]);
		abut_lanes_add(d_impulse[2], 1.0, input->tangential[1]);
	}
}

/* Computes dF = I (N dimpulse + dN impulse) and dT = arm x dF + darm x F + I (r N0 dbeta_3 + r beta_3 dN0 + beta_3 N0
 * dr). */
ALWAYS_INLINE void push_wrench(const AbutContactLinear *c, const AbutLinearInput *input, int index, const Geometry *g,
                               AbutLanes dN[3][3], const AbutLanes d_impulse[4], AbutLanes wrench[6])
{
	const AbutContactWork *contact = c->contact;
	const AbutContactSide *side = &contact->side[index];
	const double I = contact->scale.impulse, Ir = I * contact->pair->torsional_radius;
	const double impulse[3] = {I * contact->value.gamma, I * contact->value.beta[0], I * contact->value.beta[1]};
	for (int i = 0; i < 3; i++) {
		abut_lanes_zero(wrench[i]);
		for (int t = 0; t < 3; t++) {
			abut_lanes_add(wrench[i], I * side->frame.N[t][i], d_impulse[t]);
			abut_lanes_add(wrench[i], impulse[t], dN[t][i]);
		}
	}
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		for (int l = 0; l < ABUT_LANES; l++) {
			wrench[3 + i][l] =
			    side->arm[j] * wrench[k][l] - side->arm[k] * wrench[j][l] +
			    Ir * (side->frame.N[0][i] * d_impulse[3][l] + contact->value.beta[2] * dN[0][i][l]);
		}
		if (input) {
			abut_lanes_add(wrench[3 + i], I * contact->value.beta[2] * side->frame.N[0][i],
			               input->torsional_radius);
			abut_lanes_add(wrench[3 + i], I * side->frame.N[0][i], input->torsion);
		}
	}
	abut_lanes_add_cross(g->arm[index], side->force, &wrench[3]);
	if (side->body->planar) {
		abut_lanes_zero(wrench[1]);
		abut_lanes_zero(wrench[3]);
		abut_lanes_zero(wrench[5]);
	}
}

ALWAYS_INLINE void push(AbutContactLinear *c, const AbutLinearMotion *motion, const AbutLinearInput *input,
                        AbutLinearWrench *out)
{
	Geometry g;
	AbutLanes dN[2][3][3], slip[3], d_impulse[4];
	solve_collision(c, motion, input, &g);
	for (int t = 0; t < 3; t++) {
		abut_lanes_zero(slip[t]);
	}
	for (int i = 0; i < c->n_sides; i++) {
		for (int t = 0; t < 3; t++) {
			abut_lanes_mat3(c->side[i].dN[t], g.dn[i], dN[i][t]);
		}
		add_slip(c, i, motion, input, &g, dN[i], slip);
	}
	for (int t = 0; input && t < 2; t++) {
		abut_lanes_add(slip[t], -1.0, input->creep[t]);
	}
	push_impulses(c, input, slip, d_impulse);
	for (int i = 0; i < c->n_sides; i++) {
		push_wrench(c, input, i, &g, dN[i], d_impulse, out->on[i]);
	}
}

ABUT_CLONES void abut_contact_linear_push(AbutContactLinear *c, const AbutLinearMotion *motion, AbutLinearWrench *out)
{
	if (c->has_input) {
		push(c, motion, &c->input, out);
	} else {
		push(c, motion, NULL, out);
	}
}
