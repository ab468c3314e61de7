/* Eliminates the unknowns of one contact, so that a linear system of its two bodies remains (docs/formulation.md 7).
 * The elimination has three stages: the collision unknowns (contact point p, scaling alpha, eps, lambda) by one 4 x 4
 * system; then the normal impulse gamma, a scalar; then friction, in closed form.
 *
 * Every differential is a row of coefficients: 6 columns of side 0's body, 2 right-hand sides, 6 columns of side 1's
 * body. In world axes, with the timestep dt, body i has
 *
 *     dTheta_i = G_i dw_i                        rotation
 *     dxi_i    = dt dv_i + dTheta_i x arm_i      displacement of its material at p
 *     dtilt_i  = dTheta_i x n_i                  change of its normal by the rotation
 *
 * Let R = R_0 be the rotation of side 0, and delta = R' (dp - dxi_0) the displacement of p relative to side 0, in side
 * 0's frame. The shapes contribute their stiffness Q_i and right-hand sides k_i (collision/rows/rows_parts.h). With S =
 * (R'R_1) Q_1 (R'R_1)' and the residual r, stationarity in p and alpha reads
 *
 *     [Q_0 + S + ..] [delta; dalpha] = k_0 + R'R_1 k_1 - r - R'(dtilt_0 - dtilt_1) - S R'(dxi_0 - dxi_1)
 *
 * where the dots are the regularisation and the law of lambda_alpha. The stiffness of side 0 is 1 / kappa across a face
 * and kappa along it; its own frame keeps these magnitudes apart exactly. Contact frames and impulses follow from delta
 * and are in world axes again. Compared with the dense Jacobian in tests/dynamics/contact/test_directions.c. */
#include "dynamics/contact/condense.h"

#include <string.h>

#include "base/clones.h"
#include "base/solve4.h"
#include "base/vec3.h"
#include "collision/rows/shape_kernel.h"

typedef double Row[ABUT_ROW];              /* starts on a cache line; each half fills one */
typedef double Half[ABUT_SIDE_1];          /* one side's columns of a row */
enum { V = 0, W = 3, HALF = ABUT_SIDE_1 }; /* first column of dv, of dw; length of a half */

/* Unit rows of a half: entry c is 1 in column c or right-hand side c. */
static const _Alignas(64) Half unit[HALF] = {
    {1, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0, 0},
    {0, 0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 0, 0, 1}};

/* Motion of one side's material at p: rows in world axes, in the side's own columns. */
typedef struct Material {
	_Alignas(64) Half swing[3]; /* displacement by rotation, dTheta x arm */
	Half tilt[3];               /* change of the normal, dTheta x n */
} Material;

/* Computes target += k[0] rows[0] + k[1] rows[1] + k[2] rows[2]. */
ALWAYS_INLINE void add_rows3(int width, double *restrict target, const double k[3], const Row *restrict rows)
{
	for (int c = 0; c < width; c++) {
		target[c] += k[0] * rows[0][c] + k[1] * rows[1][c] + k[2] * rows[2][c];
	}
}

ALWAYS_INLINE void add_rhs(double *row, double k0, double k1)
{
	for (int c = 0; c < HALF; c++) {
		row[c] += k0 * unit[ABUT_LANE][c] + k1 * unit[ABUT_LANE + 1][c];
	}
}

ALWAYS_INLINE void material_rows(const AbutContactSide *side, Material *out)
{
	const double *G = side->body->G, *arm = side->arm, *n = side->n;
	_Alignas(64) Half turn[3];
	for (int i = 0; i < 3; i++) {
		for (int c = 0; c < HALF; c++) {
			turn[i][c] =
			    G[3 * i] * unit[W][c] + G[3 * i + 1] * unit[W + 1][c] + G[3 * i + 2] * unit[W + 2][c];
		}
	}
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		for (int c = 0; c < HALF; c++) {
			out->swing[i][c] = arm[k] * turn[j][c] - arm[j] * turn[k][c];
			out->tilt[i][c] = n[k] * turn[j][c] - n[j] * turn[k][c];
		}
	}
}

/* Computes the columns of one side in the system of condense_collision: in the rows of p, -S R'(+-dxi) -+ R' dtilt; in
 * the row of alpha, -alpha_row . R'(+-dxi). `sign` is +1 for side 0 and -1 for side 1. */
ALWAYS_INLINE void collision_columns(const Material *side, double sign, double timestep, const double R[9],
                                     const double S[9], const double alpha_row[3], int column, Row *T)
{
	_Alignas(64) Half xi[3], tilt[3];
	for (int i = 0; i < 3; i++) {
		const double *r0 = &R[i], *r1 = &R[3 + i], *r2 = &R[6 + i]; /* row i of R' */
		for (int c = 0; c < HALF; c++) {
			xi[i][c] = *r0 * (timestep * unit[V][c] + side->swing[0][c]) +
			           *r1 * (timestep * unit[V + 1][c] + side->swing[1][c]) +
			           *r2 * (timestep * unit[V + 2][c] + side->swing[2][c]);
			tilt[i][c] = *r0 * side->tilt[0][c] + *r1 * side->tilt[1][c] + *r2 * side->tilt[2][c];
		}
	}
	for (int i = 0; i < 3; i++) {
		for (int c = 0; c < HALF; c++) {
			T[i][column + c] = -sign * (S[3 * i] * xi[0][c] + S[3 * i + 1] * xi[1][c] +
			                            S[3 * i + 2] * xi[2][c] + tilt[i][c]);
		}
	}
	for (int c = 0; c < HALF; c++) {
		T[3][column + c] =
		    -sign * (alpha_row[0] * xi[0][c] + alpha_row[1] * xi[1][c] + alpha_row[2] * xi[2][c]);
	}
}

/* Stiffness of side 1 with respect to (p, alpha), in side 0's frame. */
typedef struct TurnedStiffness {
	double S[9], column[3], row[3], corner; /* blocks (p, p), (p, alpha), (alpha, p), (alpha, alpha) */
	double k[2][4];
} TurnedStiffness;

ALWAYS_INLINE void turn_stiffness(const AbutContactWork *contact, TurnedStiffness *out)
{
	const AbutContactSide *b = &contact->side[1];
	const double *Q = b->stiffness.Q;
	double R[9], Qpp[9], RQ[9];
	abut_mat3_transposed_mul(contact->side[0].body->R, b->body->R, R);
	for (int i = 0; i < 3; i++) {
		abut_copy3(&Q[4 * i], &Qpp[3 * i]);
	}
	abut_mat3_mul(R, Qpp, RQ);
	abut_mat3_mul_transposed(RQ, R, out->S);
	const double column[3] = {Q[3], Q[7], Q[11]};
	abut_mat3_vec(R, column, out->column);
	abut_mat3_vec(R, &Q[12], out->row);
	out->corner = Q[15];
	for (int lane = 0; lane < 2; lane++) {
		abut_mat3_vec(R, b->stiffness.k[lane], out->k[lane]);
		out->k[lane][3] = b->stiffness.k[lane][3];
	}
}

/* Computes the stiffness of a halfspace, whose single row does not depend on alpha. With m this row in side 0's frame,
 * and D and c from its law, S = D m m' and k = c m. */
ALWAYS_INLINE void halfspace_stiffness(const AbutContactWork *contact, const AbutConeLaw *law, TurnedStiffness *out)
{
	const AbutContactSide *b = &contact->side[1];
	const AbutCone *cone = b->cones;
	const double D = law->K[cone->law];
	double m[3];
	abut_mat3_vec(b->body->R, b->rows->W, m);
	abut_mat3_tvec(contact->side[0].body->R, m, m);
	for (int i = 0; i < 3; i++) {
		abut_scale3(D * m[i], m, &out->S[3 * i]);
		out->column[i] = out->row[i] = 0.0;
		out->k[0][i] = law->c[0][cone->offset] * m[i];
		out->k[1][i] = law->c[1][cone->offset] * m[i];
	}
	out->corner = out->k[0][3] = out->k[1][3] = 0.0;
}

/* Solves the system of the collision unknowns. U receives the rows of [delta; dalpha]. */
ALWAYS_INLINE bool condense_collision(int width, const AbutContactWork *contact, double timestep,
                                      const Material *material, const AbutConeLaw *law, double r_alpha, Row *U)
{
	const AbutContactSide *a = &contact->side[0];
	const double *QA = a->stiffness.Q, *R = a->body->R;
	const AbutCone *alpha_cone = contact->alpha_cone;
	TurnedStiffness b;
	double M[4][4], stationarity[3];
	if (contact->side[1].rows->bounded) {
		turn_stiffness(contact, &b);
	} else {
		halfspace_stiffness(contact, law, &b);
	}
	for (int i = 0; i < 3; i++) {
		abut_add3(&QA[4 * i], &b.S[3 * i], M[i]);
		M[i][i] += law->rho;
		M[i][3] = QA[4 * i + 3] + b.column[i];
		M[3][i] = QA[12 + i] + b.row[i];
	}
	M[3][3] = QA[15] + b.corner + law->K[alpha_cone->law] + law->rho;
	collision_columns(&material[0], 1.0, timestep, R, b.S, b.row, 0, U);
	if (width == ABUT_ROW) {
		collision_columns(&material[1], -1.0, timestep, R, b.S, b.row, ABUT_SIDE_1, U);
	}
	abut_mat3_tvec(R, contact->value.stationarity, stationarity);
	for (int j = 0; j < 3; j++) {
		add_rhs(U[j], a->stiffness.k[0][j] + b.k[0][j] - stationarity[j], a->stiffness.k[1][j] + b.k[1][j]);
	}
	add_rhs(U[3], a->stiffness.k[0][3] + b.k[0][3] + law->c[0][alpha_cone->offset] - r_alpha,
	        a->stiffness.k[1][3] + b.k[1][3] + law->c[1][alpha_cone->offset]);
	/* M is definite with orthant rows only, and under every exact law. With second-order cones on the path it is
	 * nonsymmetric. */
	const bool definite = contact->definite || law->rho > 0.0;
	return definite ? abut_solve4(width, ABUT_ROW, true, M, U[0]) : abut_solve4(width, ABUT_ROW, false, M, U[0]);
}

/* Rotates a vector of rows from side 0's frame to world axes. */
ALWAYS_INLINE void to_world(int width, const double R[9], const Row *rows, Row *out)
{
	for (int i = 0; i < 3; i++) {
		for (int c = 0; c < width; c++) {
			out[i][c] = R[3 * i] * rows[0][c] + R[3 * i + 1] * rows[1][c] + R[3 * i + 2] * rows[2][c];
		}
	}
}

/* Computes, in world axes, the rows of dn_i and of d(arm_i) = dp - dt dv_i for both sides. For side 0, dn_0 = R A_0'
 * dlambda_0 + dtilt_0 with A_0' dlambda_0 = Q_0 U - k_0. For side 1, dn_1 = dn_0 + (n_0 - n_1) + rho R delta. */
ALWAYS_INLINE void geometry_rows(int width, const AbutContactWork *contact, double timestep, double rho,
                                 const Material *material, const Row *U, Row dn[2][3], Row da[2][3])
{
	const AbutContactSide *a = &contact->side[0];
	const double *Q = a->stiffness.Q;
	_Alignas(64) Row own[3];
	for (int i = 0; i < 3; i++) {
		for (int c = 0; c < width; c++) {
			own[i][c] = Q[4 * i] * U[0][c] + Q[4 * i + 1] * U[1][c] + Q[4 * i + 2] * U[2][c] +
			            Q[4 * i + 3] * U[3][c];
		}
		add_rhs(own[i], -a->stiffness.k[0][i], -a->stiffness.k[1][i]);
	}
	to_world(width, a->body->R, own, dn[0]);
	to_world(width, a->body->R, U, da[0]);
	if (width == ABUT_ROW) {
		for (int i = 0; i < 3; i++) {
			for (int c = 0; c < width; c++) {
				dn[1][i][c] = dn[0][i][c] + rho * da[0][i][c];
			}
			add_rhs(dn[1][i], contact->value.stationarity[i], 0.0);
		}
	}
	for (int i = 0; i < 3; i++) {
		for (int c = 0; c < HALF; c++) {
			dn[0][i][c] += material[0].tilt[i][c];
			da[0][i][c] += material[0].swing[i][c];
		}
	}
	if (width == ABUT_ROW) {
		for (int i = 0; i < 3; i++) {
			for (int c = 0; c < HALF; c++) {
				dn[1][i][c] += material[0].tilt[i][c];
				da[1][i][c] = da[0][i][c] + timestep * unit[V + i][c];
				da[1][i][ABUT_SIDE_1 + c] = da[0][i][ABUT_SIDE_1 + c] - timestep * unit[V + i][c];
			}
		}
	}
}

/* Computes row += k . (3-vector in the columns of one side from `place`). */
ALWAYS_INLINE void add_own(double *row, int place, const double k[3])
{
	for (int c = 0; c < HALF; c++) {
		row[c] += k[0] * unit[place][c] + k[1] * unit[place + 1][c] + k[2] * unit[place + 2][c];
	}
}

/* Adds the slip rows of one moving side to `slip`: weight (N . (dv + dw x arm + w x d(arm)) + dN . velocity). */
ALWAYS_INLINE void add_slip_rows(int width, const AbutContactWork *contact, int index, const AbutFrameTurn *turn,
                                 const Row *dn, const Row *da, Row *slip)
{
	const AbutContactSide *side = &contact->side[index];
	const AbutContactFrame *frame = &side->frame;
	const double w = contact->scale.weight_friction * side->sign;
	double by_normal[3][3];
	abut_frame_pull1(frame, turn, w, side->velocity, by_normal[0]);
	abut_frame_pull2(frame, turn, w, side->velocity, by_normal[1]);
	for (int t = 0; t < 2; t++) {
		const double N[3] = {w * frame->N[1 + t][0], w * frame->N[1 + t][1], w * frame->N[1 + t][2]};
		double by_spin[3], by_arm[3];
		abut_cross3(side->arm, N, by_spin);    /* coefficients of dw in N . (dw x arm) */
		abut_cross3(N, side->body->w, by_arm); /* coefficients of d(arm) in N . (w x d(arm)) */
		add_rows3(width, slip[t], by_arm, da);
		add_rows3(width, slip[t], by_normal[t], dn);
		add_own(&slip[t][index * HALF], V, N);
		add_own(&slip[t][index * HALF], W, by_spin);
	}
	const double wr = w * contact->pair->torsional_radius;
	if (wr != 0.0) {
		const double N[3] = {wr * frame->N[0][0], wr * frame->N[0][1], wr * frame->N[0][2]};
		abut_frame_pull0(frame, wr, side->body->w, by_normal[2]);
		add_rows3(width, slip[2], by_normal[2], dn);
		add_own(&slip[2][index * HALF], W, N);
	}
}

/* Computes the rows of the impulse (3) and angular impulse (3) from one side's frame, before multiplication by the sign
 * of the side. */
ALWAYS_INLINE void wrench_rows(int width, const AbutContactWork *contact, int index, const AbutFrameTurn *turn,
                               const Row *dn, const Row *da, const Row *d_impulse, Row *wrench)
{
	const AbutContactSide *side = &contact->side[index];
	const AbutContactFrame *frame = &side->frame;
	const double I = contact->scale.impulse;
	const double Ir = I * contact->pair->torsional_radius;
	const double impulse[3] = {I * contact->value.gamma, I * contact->value.beta[0], I * contact->value.beta[1]};
	double P[9];
	abut_frame_push(frame, turn, impulse, P);
	for (int i = 0; i < 3; i++) {
		const double N[3] = {I * frame->N[0][i], I * frame->N[1][i], I * frame->N[2][i]};
		for (int c = 0; c < width; c++) {
			wrench[i][c] = N[0] * d_impulse[0][c] + N[1] * d_impulse[1][c] + N[2] * d_impulse[2][c] +
			               P[3 * i] * dn[0][c] + P[3 * i + 1] * dn[1][c] + P[3 * i + 2] * dn[2][c];
		}
	}
	const double *arm = side->arm, *F = side->force;
	for (int i = 0; i < 3; i++) { /* arm x dF + darm x F */
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		for (int c = 0; c < width; c++) {
			wrench[3 + i][c] =
			    arm[j] * wrench[k][c] - arm[k] * wrench[j][c] + F[k] * da[j][c] - F[j] * da[k][c];
		}
	}
	if (Ir != 0.0) { /* torsion: d(beta_3 N0) = N0 (dbeta_3 - beta_3 / rho N0.dn) + beta_3 / rho dn */
		const double twist = Ir * contact->value.beta[2] * frame->inverse_rho;
		const double *N = frame->N[0];
		for (int c = 0; c < width; c++) {
			const double along = N[0] * dn[0][c] + N[1] * dn[1][c] + N[2] * dn[2][c];
			const double torsion = Ir * d_impulse[3][c] - twist * along;
			wrench[3][c] += N[0] * torsion + twist * dn[0][c];
			wrench[4][c] += N[1] * torsion + twist * dn[1][c];
			wrench[5][c] += N[2] * torsion + twist * dn[2][c];
		}
	}
	if (side->body->planar) {
		for (int c = 0; c < width; c++) {
			wrench[1][c] = wrench[3][c] = wrench[5][c] = 0.0;
		}
	}
}

/* Computes block += factor * wrench, column by column, for one half of the wrench rows. */
ALWAYS_INLINE void add_block(double *restrict block, const double *restrict factor, const Row *restrict wrench,
                             int half)
{
	for (int i = 0; i < 6; i++) {
		for (int c = 0; c < ABUT_BLOCK_ROW; c++) {
			block[i * ABUT_BLOCK_ROW + c] += factor[c] * wrench[i][half * HALF + c];
		}
	}
}

/* Adds a wrench F to the rows r - sign F = 0 of the body: -sign dF to the columns, +sign dF to the right-hand sides. */
ALWAYS_INLINE void add_wrench(int width, const AbutContactWork *contact, int index, const AbutBlockSystem *system,
                              const Row *wrench)
{
	static const _Alignas(64) double columns[2][HALF] = {{1, 1, 1, 1, 1, 1, 0, 0}, {-1, -1, -1, -1, -1, -1, 0, 0}};
	static const _Alignas(64) double rhs[HALF] = {0, 0, 0, 0, 0, 0, 1, 1};
	static const _Alignas(64) double both[HALF] = {1, 1, 1, 1, 1, 1, -1, -1};
	const int bodies[2] = {contact->side[0].body->moving, contact->side[1].body->moving};
	double *diagonal = abut_block(system, bodies[index], bodies[index]);
	if (index == 0) {
		add_block(diagonal, both, wrench, 0);
	} else { /* the right-hand sides are in side 0's half */
		add_block(diagonal, columns[1], wrench, 1);
		add_block(diagonal, rhs, wrench, 0);
	}
	if (width == ABUT_ROW) {
		add_block(abut_block(system, bodies[index], bodies[1 - index]), columns[index], wrench, 1 - index);
	}
}

/* Computes the rows of dgamma and dbeta from the rows of dalpha and dslip. */
ALWAYS_INLINE void impulse_rows(int width, const AbutContactWork *contact, const AbutEdgeRoom *room,
                                const AbutConeLaw *law, const double *d_alpha, const Row *slip, Row *d_impulse)
{
	const AbutCone *cone = &contact->cones[0];
	const double D = law->K[cone->law] * contact->scale.weight_contact;
	for (int c = 0; c < width; c++) {
		d_impulse[0][c] = -D * d_alpha[c];
	}
	add_rhs(d_impulse[0], law->c[0][cone->offset], law->c[1][cone->offset]);
	AbutFrictionLaw friction;
	const AbutFriction own = abut_contact_friction(contact, room->friction_cone);
	abut_friction_condense(&own, law, &friction);
	for (int t = 0; t < 3; t++) { /* entries beyond `tail` are zero */
		const double *B = &friction.B[3 * t];
		for (int c = 0; c < width; c++) {
			d_impulse[1 + t][c] =
			    friction.a[t] * d_impulse[0][c] - B[0] * slip[0][c] - B[1] * slip[1][c] - B[2] * slip[2][c];
		}
		add_rhs(d_impulse[1 + t], friction.k[0][t], friction.k[1][t]);
	}
}

ALWAYS_INLINE bool condense_rows(int width, AbutContactWork *contact, const AbutEdgeRoom *room, double r_alpha,
                                 const AbutConeLaw *law)
{
	const int n_sides = width / HALF;
	_Alignas(64) Row rows[7], dn[2][3], da[2][3], d_impulse[4], wrench[6];
	Row *U = rows, *slip = &rows[4];
	Material material[2];
	AbutFrameTurn turn[2];
	for (int i = 0; i < n_sides; i++) {
		material_rows(&contact->side[i], &material[i]);
	}
	if (!condense_collision(width, contact, room->timestep, material, law, r_alpha, U)) {
		return false;
	}
	geometry_rows(width, contact, room->timestep, law->rho, material, U, dn, da);
	for (int t = 0; t < 3; t++) {
		for (int c = 0; c < width; c++) {
			slip[t][c] = 0.0;
		}
	}
	for (int i = 0; i < n_sides; i++) {
		abut_frame_turn(&contact->side[i].frame, contact->scale.sigma, &turn[i]);
		add_slip_rows(width, contact, i, &turn[i], dn[i], da[i], slip);
	}
	impulse_rows(width, contact, room, law, U[3], slip, d_impulse);
	for (int i = 0; i < n_sides; i++) {
		wrench_rows(width, contact, i, &turn[i], dn[i], da[i], d_impulse, wrench);
		add_wrench(width, contact, i, &room->system, wrench);
	}
	for (int i = 0; i < 7; i++) {
		for (int c = 0; c < width; c++) {
			contact->rows[i][c] = rows[i][c];
		}
	}
	return true;
}

ABUT_CLONES bool abut_contact_condense(AbutContactWork *contact, const AbutEdgeRoom *room, const double *r,
                                       const AbutConeLaw *law)
{
	const int n_sides = contact->side[1].rows->bounded ? 2 : 1;
	for (int i = 0; i < n_sides; i++) {
		AbutContactSide *side = &contact->side[i];
		if (!abut_conic_rows_condense(side->rows, side->cones, law, side->B_lambda, room->scratch,
		                              &side->stiffness, side->eps_map)) {
			return false;
		}
	}
	if (contact->side[1].body->moving >= 0) {
		return condense_rows(ABUT_ROW, contact, room, r[3], law);
	}
	return condense_rows(ABUT_SIDE_1, contact, room, r[3], law);
}
