/* One contact eliminated onto its two bodies (docs/formulation.md 7). The contact is block triangular: first the
 * collision unknowns (p, alpha, eps, lambda), one 4 x 4 system; then gamma, a scalar; then friction, in closed form.
 *
 * Every differential is a row: 6 columns of side 0's body, 2 right-hand sides, 6 columns of side 1's body. With
 *
 *     dxi_i    = dt dv_i + dTheta_i x arm_i,  dTheta_i = G_i dw_i      (material of body i at p)
 *     delta    = R' (dp - dxi_0),             R = R_0                  (p relative to side 0, in side 0's frame)
 *
 * stationarity in p and alpha reads, with Q, k of the shapes and S = (R'R_1) Q_1 (R'R_1)',
 *
 *     [Q_0 + S + ..] [delta; dalpha] = k_0 + R'R_1 k_1 - r - R'(dTheta_0 x n_0 - dTheta_1 x n_1) - S R'(dxi_0 - dxi_1)
 *
 * Side 0's own frame keeps the grading of its stiffness exact (1 / kappa across a face, kappa along it), and all rows
 * stay in it: only their coefficients are turned. Checked against the dense oracle in tests/dynamics/test_directions.c.
 */
#include <string.h>

#include "base/clones.h"
#include "base/solve4.h"
#include "base/vec3.h"
#include "dynamics/contact_problem.h"

typedef double Row[ABUT_ROW];

/* What the rows of one contact are made of, all in side 0's frame. */
typedef struct LocalSide {
	double arm[3], n[3]; /* p - x, normal */
	double G[9];         /* turn of the body per change of its w */
	double swing[9];     /* dTheta x arm by w: -[arm]x G */
	double tilt[9];      /* dTheta x n by w: -[n]x G */
} LocalSide;

ALWAYS_INLINE void add_row(int width, double *restrict target, double factor, const double *restrict source)
{
	for (int c = 0; c < width; c++) {
		target[c] += factor * source[c];
	}
}

/* target += k[0] rows[0] + k[1] rows[1] + k[2] rows[2] */
ALWAYS_INLINE void add_rows3(int width, double *restrict target, const double k[3], const Row *restrict rows)
{
	for (int c = 0; c < width; c++) {
		target[c] += k[0] * rows[0][c] + k[1] * rows[1][c] + k[2] * rows[2][c];
	}
}

/* out = -[v]x G, column by column: G_j x v */
ALWAYS_INLINE void turn_of(const double v[3], const double G[9], double out[9])
{
	for (int j = 0; j < 3; j++) {
		out[j] = G[3 + j] * v[2] - G[6 + j] * v[1];
		out[3 + j] = G[6 + j] * v[0] - G[j] * v[2];
		out[6 + j] = G[j] * v[1] - G[3 + j] * v[0];
	}
}

ALWAYS_INLINE void local_side(const AbutContactSide *side, const double R[9], LocalSide *out)
{
	abut_mat3_tvec(R, side->arm, out->arm);
	abut_mat3_tvec(R, side->n, out->n);
	abut_mat3_transposed_mul(R, side->body->G, out->G);
	turn_of(out->arm, out->G, out->swing);
	turn_of(out->n, out->G, out->tilt);
}

/* Columns of one side of T: -S R'(+-dxi) -+ R'(dTheta x n) in the rows of p, -row . R'(+-dxi) in that of alpha. */
ALWAYS_INLINE void collision_columns(const LocalSide *side, double sign, double timestep, const double R[9],
                                     const double S[9], const double alpha_row[3], int column, Row *T)
{
	double turn[9];
	abut_mat3_mul(S, side->swing, turn);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			/* S R' and row' R' by columns of R' */
			T[i][column + j] =
			    -sign * timestep *
			    (S[3 * i] * R[3 * j] + S[3 * i + 1] * R[3 * j + 1] + S[3 * i + 2] * R[3 * j + 2]);
			T[i][column + 3 + j] = -sign * (turn[3 * i + j] + side->tilt[3 * i + j]);
		}
		T[3][column + i] = -sign * timestep * abut_dot3(alpha_row, &R[3 * i]);
		T[3][column + 3 + i] = -sign * (alpha_row[0] * side->swing[i] + alpha_row[1] * side->swing[3 + i] +
		                                alpha_row[2] * side->swing[6 + i]);
	}
}

/* Stiffness of side 1 on (p, alpha) in side 0's frame. */
typedef struct TurnedStiffness {
	double S[9], column[3], row[3], corner; /* pp, p alpha, alpha p, alpha alpha */
	double k[2][4];
} TurnedStiffness;

ALWAYS_INLINE void turn_stiffness(const AbutContactWork *contact, TurnedStiffness *out)
{
	const AbutContactSide *b = &contact->side[1];
	const double *Q = b->stiffness.Q;
	double R[9], Qpp[9], RQ[9];
	abut_mat3_transposed_mul(contact->side[0].body->R, b->body->R, R);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			Qpp[3 * i + j] = Q[4 * i + j];
		}
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

/* A halfspace has one row, which does not scale: S = D m m', k = c m with m its row in side 0's frame. */
ALWAYS_INLINE void halfspace_stiffness(const AbutContactWork *contact, const AbutConeLaw *law, TurnedStiffness *out)
{
	const AbutContactSide *b = &contact->side[1];
	const AbutCone *cone = b->cones;
	const double D = law->K[cone->law];
	double m[3];
	abut_mat3_vec(b->body->R, b->rows->W, m);
	abut_mat3_tvec(contact->side[0].body->R, m, m);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			out->S[3 * i + j] = D * m[i] * m[j];
		}
		out->column[i] = out->row[i] = 0.0;
		out->k[0][i] = law->c[0][cone->offset] * m[i];
		out->k[1][i] = law->c[1][cone->offset] * m[i];
	}
	out->corner = out->k[0][3] = out->k[1][3] = 0.0;
}

/* The collision block: U receives the rows of [delta; dalpha]. */
ALWAYS_INLINE bool condense_collision(int width, const AbutContactWork *contact, double timestep,
                                      const LocalSide *local, const AbutConeLaw *law, double r_alpha,
                                      const double stationarity[3], Row *U)
{
	const AbutContactSide *a = &contact->side[0];
	const double *QA = a->stiffness.Q, *R = a->body->R;
	const AbutCone *alpha_cone = contact->alpha_cone;
	TurnedStiffness b;
	double M[4][4];
	if (contact->side[1].rows->bounded) {
		turn_stiffness(contact, &b);
	} else {
		halfspace_stiffness(contact, law, &b);
	}
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			M[i][j] = QA[4 * i + j] + b.S[3 * i + j];
		}
		M[i][i] += law->rho;
		M[i][3] = QA[4 * i + 3] + b.column[i];
		M[3][i] = QA[12 + i] + b.row[i];
	}
	M[3][3] = QA[15] + b.corner + law->K[alpha_cone->law] + law->rho;
	collision_columns(&local[0], 1.0, timestep, R, b.S, b.row, 0, U);
	if (width == ABUT_ROW) {
		collision_columns(&local[1], -1.0, timestep, R, b.S, b.row, ABUT_SIDE_1, U);
		for (int i = 0; i < 4; i++) {
			U[i][ABUT_SIDE_1 + ABUT_LANE] = U[i][ABUT_SIDE_1 + ABUT_LANE + 1] = 0.0;
		}
	}
	for (int j = 0; j < 3; j++) {
		U[j][ABUT_LANE] = a->stiffness.k[0][j] + b.k[0][j] - stationarity[j];
		U[j][ABUT_LANE + 1] = a->stiffness.k[1][j] + b.k[1][j];
	}
	U[3][ABUT_LANE] = a->stiffness.k[0][3] + b.k[0][3] + law->c[0][alpha_cone->offset] - r_alpha;
	U[3][ABUT_LANE + 1] = a->stiffness.k[1][3] + b.k[1][3] + law->c[1][alpha_cone->offset];
	/* Orthant rows, and every exact law, give a definite M; second-order cones on the path a nonsymmetric one. */
	const bool definite = contact->definite || law->rho > 0.0;
	return definite ? abut_solve4(width, ABUT_ROW, true, M, U[0]) : abut_solve4(width, ABUT_ROW, false, M, U[0]);
}

ALWAYS_INLINE void add_columns(Row *target, int column, double factor, const double M[9])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			target[i][column + j] += factor * M[3 * i + j];
		}
	}
}

/* Rows of R' dn and R' d(arm) of both sides. dn_0 = A_0' dlambda_0 + dTheta_0 x n_0 with A_0' dlambda_0 = Q U - k;
 * dn_1 = dn_0 + (n_0 - n_1), and the regularisation's share; d(arm_i) = dp - dt dv_i. */
ALWAYS_INLINE void geometry_rows(int width, const AbutContactWork *contact, double timestep, double rho,
                                 const LocalSide *local, const double stationarity[3], const Row *U, Row dn[2][3],
                                 Row da[2][3])
{
	const AbutContactSide *a = &contact->side[0];
	const double *Q = a->stiffness.Q, *R = a->body->R;
	for (int i = 0; i < 3; i++) {
		for (int c = 0; c < width; c++) {
			dn[0][i][c] = Q[4 * i] * U[0][c] + Q[4 * i + 1] * U[1][c] + Q[4 * i + 2] * U[2][c] +
			              Q[4 * i + 3] * U[3][c];
			da[0][i][c] = U[i][c];
		}
		dn[0][i][ABUT_LANE] -= a->stiffness.k[0][i];
		dn[0][i][ABUT_LANE + 1] -= a->stiffness.k[1][i];
	}
	add_columns(dn[0], 3, 1.0, local[0].tilt);
	add_columns(da[0], 3, 1.0, local[0].swing);
	if (width < ABUT_ROW) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		for (int c = 0; c < width; c++) {
			dn[1][i][c] = dn[0][i][c] + rho * U[i][c];
			da[1][i][c] = da[0][i][c];
		}
		dn[1][i][ABUT_LANE] += stationarity[i];
		for (int j = 0; j < 3; j++) {
			da[1][i][j] += timestep * R[3 * j + i];
			da[1][i][ABUT_SIDE_1 + j] -= timestep * R[3 * j + i];
		}
	}
}

/* Slip rows of one moving side added to `slip`. */
ALWAYS_INLINE void add_slip_rows(int width, const AbutContactWork *contact, int index, double dN[3][9], const Row *dn,
                                 const Row *da, Row *slip)
{
	const AbutContactSide *side = &contact->side[index];
	const double *R = contact->side[0].body->R;
	const double w = ABUT_WEIGHT_FRICTION * side->sign;
	const int column = index * ABUT_SIDE_1;
	for (int t = 0; t < 2; t++) {
		const double *N = side->frame.N[1 + t];
		double turn[3], swing[3], by_normal[3];
		abut_cross3(side->arm, N, turn);      /* N . (dw x arm) */
		abut_cross3(N, side->body->w, swing); /* N . (w x da) */
		abut_mat3_tvec(dN[1 + t], side->velocity, by_normal);
		abut_mat3_tvec(R, swing, swing);
		abut_mat3_tvec(R, by_normal, by_normal);
		for (int j = 0; j < 3; j++) {
			swing[j] *= w;
			by_normal[j] *= w;
		}
		add_rows3(width, slip[t], swing, da);
		add_rows3(width, slip[t], by_normal, dn);
		for (int j = 0; j < 3; j++) {
			slip[t][column + j] += w * N[j];
			slip[t][column + 3 + j] += w * turn[j];
		}
	}
	const double wr = w * contact->pair->torsional_radius;
	if (wr != 0.0) {
		double by_normal[3];
		abut_mat3_tvec(dN[0], side->body->w, by_normal);
		abut_mat3_tvec(R, by_normal, by_normal);
		for (int j = 0; j < 3; j++) {
			by_normal[j] *= wr;
		}
		add_rows3(width, slip[2], by_normal, dn);
		for (int j = 0; j < 3; j++) {
			slip[2][column + 3 + j] += wr * side->frame.N[0][j];
		}
	}
}

/* Rows of the impulse (3) and angular impulse (3) of one side, without its sign, in world axes. */
ALWAYS_INLINE void wrench_rows(int width, const AbutContactWork *contact, int index, double dN[3][9], const Row *dn,
                               const Row *da, const Row *d_impulse, const double *d_torsion, Row *wrench)
{
	const AbutContactSide *side = &contact->side[index];
	const double *R = contact->side[0].body->R;
	const double I = contact->impulse_scale;
	const double Ir = I * contact->pair->torsional_radius;
	double P[9], PR[9], force[9], FR[9];
	for (int i = 0; i < 9; i++) {
		P[i] = I * (contact->gamma * dN[0][i] + contact->beta[0] * dN[1][i] + contact->beta[1] * dN[2][i]);
	}
	abut_mat3_mul(P, R, PR);
	abut_skew3(side->force, force);
	abut_mat3_mul(force, R, FR);
	for (int i = 0; i < 3; i++) {
		const double N[3] = {I * side->frame.N[0][i], I * side->frame.N[1][i], I * side->frame.N[2][i]};
		for (int c = 0; c < width; c++) {
			wrench[i][c] = N[0] * d_impulse[0][c] + N[1] * d_impulse[1][c] + N[2] * d_impulse[2][c] +
			               PR[3 * i] * dn[0][c] + PR[3 * i + 1] * dn[1][c] + PR[3 * i + 2] * dn[2][c];
		}
	}
	const double *arm = side->arm;
	for (int i = 0; i < 3; i++) { /* arm x dF + darm x F = arm x dF - [F]x darm */
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		for (int c = 0; c < width; c++) {
			wrench[3 + i][c] = arm[j] * wrench[k][c] - arm[k] * wrench[j][c] - FR[3 * i] * da[0][c] -
			                   FR[3 * i + 1] * da[1][c] - FR[3 * i + 2] * da[2][c];
		}
	}
	if (Ir != 0.0) {
		double twist[9], TR[9];
		for (int i = 0; i < 9; i++) {
			twist[i] = Ir * contact->beta[2] * dN[0][i];
		}
		abut_mat3_mul(twist, R, TR);
		for (int i = 0; i < 3; i++) {
			const double N = Ir * side->frame.N[0][i];
			for (int c = 0; c < width; c++) {
				wrench[3 + i][c] += N * d_torsion[c] + TR[3 * i] * dn[0][c] + TR[3 * i + 1] * dn[1][c] +
				                    TR[3 * i + 2] * dn[2][c];
			}
		}
	}
}

/* The body's rows r - sign F = 0: columns get -sign dF, right-hand sides +sign dF. */
ALWAYS_INLINE void add_wrench(int width, const AbutContactWork *contact, int index, AbutBlockSystem *system,
                              const Row *wrench)
{
	const AbutContactSide *side = &contact->side[index];
	const int own = side->body->moving;
	double *diagonal = abut_block(system, own, own);
	for (int j = 0; j < width / ABUT_SIDE_1; j++) {
		double *block = abut_block(system, own, contact->side[j].body->moving);
		for (int i = 0; i < 6; i++) {
			for (int c = 0; c < 6; c++) {
				block[i * ABUT_BLOCK_ROW + c] -= side->sign * wrench[i][j * ABUT_SIDE_1 + c];
			}
		}
	}
	for (int i = 0; i < 6; i++) {
		diagonal[i * ABUT_BLOCK_ROW + 6] += side->sign * wrench[i][ABUT_LANE];
		diagonal[i * ABUT_BLOCK_ROW + 7] += side->sign * wrench[i][ABUT_LANE + 1];
	}
}

ALWAYS_INLINE bool condense_rows(int width, AbutContactWork *contact, AbutContactProblem *problem, double r_alpha,
                                 const AbutConeLaw *law)
{
	const int n_sides = width / ABUT_SIDE_1, tail = contact->pair->tail;
	const double *R = contact->side[0].body->R;
	Row *U = contact->rows;
	Row *slip = &contact->rows[4];
	Row dn[2][3], da[2][3], d_impulse[4];
	double dN[2][3][9], stationarity[3];
	LocalSide local[2];
	for (int i = 0; i < n_sides; i++) {
		const AbutContactSide *side = &contact->side[i];
		local_side(side, R, &local[i]);
		abut_contact_frame_derivative(&side->frame, contact->sigma, contact->reference, dN[i]);
	}
	abut_mat3_tvec(R, contact->stationarity, stationarity);
	if (!condense_collision(width, contact, problem->timestep, local, law, r_alpha, stationarity, U)) {
		return false;
	}
	geometry_rows(width, contact, problem->timestep, law->rho, local, stationarity, U, dn, da);
	for (int t = 0; t < 3; t++) {
		for (int c = 0; c < width; c++) {
			slip[t][c] = 0.0;
			d_impulse[1 + t][c] = 0.0;
		}
	}
	for (int i = 0; i < n_sides; i++) {
		add_slip_rows(width, contact, i, dN[i], dn[i], da[i], slip);
	}
	const AbutCone *gamma_cone = &contact->cones[0];
	const double D = law->K[gamma_cone->law] * contact->weight_contact;
	for (int c = 0; c < width; c++) {
		d_impulse[0][c] = -D * U[3][c];
	}
	d_impulse[0][ABUT_LANE] += law->c[0][gamma_cone->offset];
	d_impulse[0][ABUT_LANE + 1] += law->c[1][gamma_cone->offset];
	AbutFrictionLaw friction;
	abut_friction_condense(problem->friction_cone, tail, contact->mu, contact->head_residual,
	                       contact->friction_cones, law, &friction);
	for (int t = 0; t < tail; t++) {
		const double *B = &friction.B[3 * t];
		for (int c = 0; c < width; c++) {
			d_impulse[1 + t][c] =
			    friction.a[t] * d_impulse[0][c] - B[0] * slip[0][c] - B[1] * slip[1][c] - B[2] * slip[2][c];
		}
		d_impulse[1 + t][ABUT_LANE] += friction.k[0][t];
		d_impulse[1 + t][ABUT_LANE + 1] += friction.k[1][t];
	}
	for (int i = 0; i < n_sides; i++) {
		Row wrench[6];
		wrench_rows(width, contact, i, dN[i], dn[i], da[i], d_impulse, d_impulse[3], wrench);
		add_wrench(width, contact, i, &problem->system, wrench);
	}
	return true;
}

ABUT_CLONES bool abut_contact_condense(AbutContactWork *contact, AbutContactProblem *problem, const double *r,
                                       const AbutConeLaw *law)
{
	const int n_sides = contact->side[1].rows->bounded ? 2 : 1;
	for (int i = 0; i < n_sides; i++) {
		AbutContactSide *side = &contact->side[i];
		if (!abut_conic_rows_condense(side->rows, side->cones, law, side->B_lambda, problem->scratch,
		                              &side->stiffness, side->eps_map)) {
			return false;
		}
	}
	if (contact->side[1].body->moving >= 0) {
		return condense_rows(ABUT_ROW, contact, problem, r[3], law);
	}
	return condense_rows(ABUT_SIDE_1, contact, problem, r[3], law);
}
