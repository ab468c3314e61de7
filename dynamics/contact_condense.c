/* One contact eliminated onto its two bodies (FAST.md section 3). The contact is block triangular: first the collision
 * unknowns (p, alpha, eps, lambda), one 4 x 4 system; then gamma, a scalar; then friction, in closed form.
 *
 * Every differential is a row: 6 columns of side 0's body, 2 right-hand sides, 6 columns of side 1's body. With
 *
 *     dxi_i    = dt dv_i + dTheta_i x arm_i,  dTheta_i = G_i dw_i      (material of body i at p)
 *     delta    = R_0' (dp - dxi_0)                                     (p relative to side 0, in side 0's frame)
 *
 * stationarity in p and alpha reads, with Q, k of the shapes and S = R Q_1 R', R = R_0' R_1,
 *
 *     [Q_0 + S + ..] [delta; dalpha] = k_0 + R k_1 - r - R_0'(dTheta_0 x n_0 - dTheta_1 x n_1) - S R_0'(dxi_0 - dxi_1)
 *
 * Side 0's own frame keeps the grading of its stiffness exact (1 / kappa across a face, kappa along it). Checked
 * against the dense oracle in tests/dynamics/test_directions.c. */
#include <string.h>

#include "base/clones.h"
#include "base/vec3.h"
#include "dynamics/contact_problem.h"

typedef double Row[ABUT_ROW];

enum { LANE = 6, SIDE_1 = 8 };

ALWAYS_INLINE void add_row(int width, double *restrict target, double factor, const double *restrict source)
{
	for (int c = 0; c < width; c++) {
		target[c] += factor * source[c];
	}
}

/* target rows += M (3 x 3) source rows */
ALWAYS_INLINE void add_rows3(int width, Row *restrict target, const double M[9], const Row *restrict source)
{
	for (int i = 0; i < 3; i++) {
		for (int c = 0; c < width; c++) {
			target[i][c] += M[3 * i] * source[0][c] + M[3 * i + 1] * source[1][c] +
			                M[3 * i + 2] * source[2][c];
		}
	}
}

/* target rows += M' source rows */
ALWAYS_INLINE void add_rows3_transposed(int width, Row *restrict target, const double M[9],
                                        const Row *restrict source)
{
	const double T[9] = {M[0], M[3], M[6], M[1], M[4], M[7], M[2], M[5], M[8]};
	add_rows3(width, target, T, source);
}

ALWAYS_INLINE void add_block3(Row *target, int column, double factor, const double M[9])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			target[i][column + j] += factor * M[3 * i + j];
		}
	}
}

/* Columns of the two bodies of dxi_i, and of dTheta_i x v for a fixed v, added with a factor. */
ALWAYS_INLINE void add_turn(Row *target, int side, double factor, const double v[3], const double G[9])
{
	double skew[9], product[9];
	abut_skew3(v, skew);
	abut_mat3_mul(skew, G, product);
	add_block3(target, side * SIDE_1 + 3, -factor, product); /* dTheta x v = -[v]x G dw */
}

ALWAYS_INLINE void add_material(Row *target, int side, double factor, const AbutContactSide *s, double timestep)
{
	for (int i = 0; i < 3; i++) {
		target[i][side * SIDE_1 + i] += factor * timestep;
	}
	add_turn(target, side, factor, s->arm, s->body->G);
}

/* [delta; dalpha] as rows: M U = T by Gaussian elimination with row pivoting (second-order cones on the path make M
 * nonsymmetric). */
ALWAYS_INLINE bool solve4(int width, double M[4][4], Row *T)
{
	int order[4] = {0, 1, 2, 3};
	for (int p = 0; p < 4; p++) {
		int best = p;
		for (int r = p + 1; r < 4; r++) {
			if (fabs(M[order[r]][p]) > fabs(M[order[best]][p])) {
				best = r;
			}
		}
		const int chosen = order[best];
		order[best] = order[p];
		order[p] = chosen;
		const double inverse = 1.0 / M[chosen][p];
		if (!isfinite(inverse)) {
			return false;
		}
		for (int r = p + 1; r < 4; r++) {
			const double factor = -M[order[r]][p] * inverse;
			for (int c = p + 1; c < 4; c++) {
				M[order[r]][c] += factor * M[chosen][c];
			}
			add_row(width, T[order[r]], factor, T[chosen]);
		}
		M[chosen][p] = inverse;
	}
	Row U[4];
	for (int p = 3; p >= 0; p--) {
		memcpy(U[p], T[order[p]], (size_t)width * sizeof(double));
		for (int c = p + 1; c < 4; c++) {
			add_row(width, U[p], -M[order[p]][c], U[c]);
		}
		for (int c = 0; c < width; c++) {
			U[p][c] *= M[order[p]][p];
		}
	}
	for (int p = 0; p < 4; p++) {
		memcpy(T[p], U[p], (size_t)width * sizeof(double));
	}
	return true;
}

/* The collision block: U receives the rows of [delta; dalpha]. */
ALWAYS_INLINE bool condense_collision(int width, const AbutContactWork *contact, const AbutContactProblem *problem,
                                      const AbutConeLaw *law, double r_alpha, Row *U)
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	const double *QA = a->stiffness.Q, *QB = b->stiffness.Q;
	double R[9], Qpp[9], RQ[9], S[9];
	abut_mat3_transposed_mul(a->body->R, b->body->R, R);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			Qpp[3 * i + j] = QB[4 * i + j];
		}
	}
	abut_mat3_mul(R, Qpp, RQ);
	abut_mat3_mul_transposed(RQ, R, S);
	const double column_b[3] = {QB[3], QB[7], QB[11]};
	double column[3], row[3], k0[3], k1[3], stationarity[3];
	abut_mat3_vec(R, column_b, column);
	abut_mat3_vec(R, &QB[12], row);
	abut_mat3_vec(R, b->stiffness.k[0], k0);
	abut_mat3_vec(R, b->stiffness.k[1], k1);
	abut_mat3_tvec(a->body->R, contact->stationarity, stationarity);
	const AbutCone *alpha_cone = contact->alpha_cone;
	double M[4][4];
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			M[i][j] = QA[4 * i + j] + S[3 * i + j];
		}
		M[i][i] += law->rho;
		M[i][3] = QA[4 * i + 3] + column[i];
		M[3][i] = QA[12 + i] + row[i];
	}
	M[3][3] = QA[15] + QB[15] + law->K[alpha_cone->law] + law->rho;

	Row E[3], local[3]; /* dxi_0 - dxi_1 in world axes and in side 0's */
	memset(E, 0, sizeof E);
	memset(local, 0, sizeof local);
	memset(U, 0, 4 * sizeof(Row));
	Row turn[3];
	memset(turn, 0, sizeof turn);
	add_material(E, 0, 1.0, a, problem->timestep);
	add_turn(turn, 0, -1.0, a->n, a->body->G);
	if (width == ABUT_ROW) {
		add_material(E, 1, -1.0, b, problem->timestep);
		add_turn(turn, 1, 1.0, b->n, b->body->G);
	}
	add_rows3_transposed(width, local, a->body->R, E);
	for (int i = 0; i < 9; i++) {
		S[i] = -S[i];
	}
	add_rows3_transposed(width, U, a->body->R, turn);
	add_rows3(width, U, S, local);
	for (int j = 0; j < 3; j++) {
		add_row(width, U[3], -row[j], local[j]);
		U[j][LANE] += a->stiffness.k[0][j] + k0[j] - stationarity[j];
		U[j][LANE + 1] += a->stiffness.k[1][j] + k1[j];
	}
	U[3][LANE] += a->stiffness.k[0][3] + b->stiffness.k[0][3] + law->c[0][alpha_cone->offset] - r_alpha;
	U[3][LANE + 1] += a->stiffness.k[1][3] + b->stiffness.k[1][3] + law->c[1][alpha_cone->offset];
	return solve4(width, M, U);
}

/* Rows of dn of both sides and of dp, from the collision block. */
ALWAYS_INLINE void geometry_rows(int width, const AbutContactWork *contact, const AbutContactProblem *problem,
                                 const Row *U, Row dn[2][3], Row *dp)
{
	const AbutContactSide *a = &contact->side[0];
	const double *Q = a->stiffness.Q;
	Row dg[3];
	memset(dg, 0, sizeof dg);
	memset(dn, 0, 6 * sizeof(Row));
	memset(dp, 0, 3 * sizeof(Row));
	for (int i = 0; i < 3; i++) { /* A' dlambda = Q [delta; dalpha] - k */
		for (int j = 0; j < 4; j++) {
			add_row(width, dg[i], Q[4 * i + j], U[j]);
		}
		dg[i][LANE] -= a->stiffness.k[0][i];
		dg[i][LANE + 1] -= a->stiffness.k[1][i];
	}
	add_rows3(width, dn[0], a->body->R, dg);
	add_turn(dn[0], 0, 1.0, a->n, a->body->G);
	add_rows3(width, dp, a->body->R, U);
	/* dn_1 = dn_0 + (n_0 - n_1), and the regularisation's share */
	for (int i = 0; i < 3; i++) {
		add_row(width, dn[1][i], 1.0, dn[0][i]);
		add_row(width, dn[1][i], problem->rho, dp[i]);
		dn[1][i][LANE] += contact->stationarity[i];
	}
	add_material(dp, 0, 1.0, a, problem->timestep);
}

/* Slip rows of one moving side added to `slip`, with da = dp - dt dv. */
ALWAYS_INLINE void add_slip_rows(int width, const AbutContactWork *contact, int index, double dN[3][9], const Row *dn,
                                 const Row *da, Row *slip)
{
	const AbutContactSide *side = &contact->side[index];
	const double w = ABUT_WEIGHT_FRICTION * side->sign;
	const int column = index * SIDE_1;
	for (int t = 0; t < 2; t++) {
		const double *N = side->frame.N[1 + t];
		double turn[3], swing[3], by_normal[3];
		abut_cross3(side->arm, N, turn);       /* N . (dw x arm) */
		abut_cross3(N, side->body->w, swing);  /* N . (w x da) */
		abut_mat3_tvec(dN[1 + t], side->velocity, by_normal);
		for (int j = 0; j < 3; j++) {
			slip[t][column + j] += w * N[j];
			slip[t][column + 3 + j] += w * turn[j];
			add_row(width, slip[t], w * swing[j], da[j]);
			add_row(width, slip[t], w * by_normal[j], dn[j]);
		}
	}
	const double wr = w * contact->pair->torsional_radius;
	if (wr != 0.0) {
		double by_normal[3];
		abut_mat3_tvec(dN[0], side->body->w, by_normal);
		for (int j = 0; j < 3; j++) {
			slip[2][column + 3 + j] += wr * side->frame.N[0][j];
			add_row(width, slip[2], wr * by_normal[j], dn[j]);
		}
	}
}

/* Rows of the impulse (3) and angular impulse (3) of one side, without its sign. */
ALWAYS_INLINE void wrench_rows(int width, const AbutContactWork *contact, int index, double dN[3][9], const Row *dn,
                               const Row *da, const double *d_gamma, const Row *d_beta, Row *wrench)
{
	const AbutContactSide *side = &contact->side[index];
	const double I = contact->impulse_scale;
	const double Ir = I * contact->pair->torsional_radius;
	double P[9], arm[9], force[9], twist[9];
	memset(wrench, 0, 6 * sizeof(Row));
	for (int i = 0; i < 9; i++) {
		P[i] = I * (contact->gamma * dN[0][i] + contact->beta[0] * dN[1][i] + contact->beta[1] * dN[2][i]);
		twist[i] = Ir * contact->beta[2] * dN[0][i];
	}
	for (int i = 0; i < 3; i++) {
		add_row(width, wrench[i], I * side->frame.N[0][i], d_gamma);
		add_row(width, wrench[i], I * side->frame.N[1][i], d_beta[0]);
		add_row(width, wrench[i], I * side->frame.N[2][i], d_beta[1]);
	}
	add_rows3(width, wrench, P, dn);
	abut_skew3(side->arm, arm);
	abut_skew3(side->force, force);
	for (int i = 0; i < 9; i++) {
		force[i] = -force[i]; /* da x F = -[F]x da */
	}
	add_rows3(width, &wrench[3], arm, wrench);
	add_rows3(width, &wrench[3], force, da);
	if (Ir != 0.0) {
		add_rows3(width, &wrench[3], twist, dn);
		for (int i = 0; i < 3; i++) {
			add_row(width, wrench[3 + i], Ir * side->frame.N[0][i], d_beta[2]);
		}
	}
}

/* The body's rows r - sign F = 0: columns get -sign dF, right-hand sides +sign dF. */
ALWAYS_INLINE void add_wrench(const AbutContactWork *contact, int index, AbutBlockSystem *system, const Row *wrench)
{
	const AbutContactSide *side = &contact->side[index];
	const int own = side->body->moving;
	double *diagonal = abut_block(system, own, own);
	for (int j = 0; j < 2; j++) {
		const int other = contact->side[j].body->moving;
		if (other < 0) {
			continue;
		}
		double *block = abut_block(system, own, other);
		for (int i = 0; i < 6; i++) {
			for (int c = 0; c < 6; c++) {
				block[i * ABUT_BLOCK_ROW + c] -= side->sign * wrench[i][j * SIDE_1 + c];
			}
		}
	}
	for (int i = 0; i < 6; i++) {
		diagonal[i * ABUT_BLOCK_ROW + 6] += side->sign * wrench[i][LANE];
		diagonal[i * ABUT_BLOCK_ROW + 7] += side->sign * wrench[i][LANE + 1];
	}
}

ALWAYS_INLINE bool condense_rows(int width, AbutContactWork *contact, AbutContactProblem *problem,
                                 double r_alpha, const AbutConeLaw *law)
{
	const int n_sides = width == ABUT_ROW ? 2 : 1;
	Row *U = contact->rows;
	Row *slip = &contact->rows[4];
	Row dn[2][3], dp[3], da[2][3];
	double dN[2][3][9];
	memset(slip, 0, 3 * sizeof(Row));
	if (!condense_collision(width, contact, problem, law, r_alpha, U)) {
		return false;
	}
	geometry_rows(width, contact, problem, U, dn, dp);
	for (int i = 0; i < n_sides; i++) {
		const AbutContactSide *side = &contact->side[i];
		abut_contact_frame_derivative(side->n, contact->sigma, contact->reference, dN[i]);
		memcpy(da[i], dp, sizeof dp);
		for (int j = 0; j < 3; j++) {
			da[i][j][i * SIDE_1 + j] -= problem->timestep;
		}
		add_slip_rows(width, contact, i, dN[i], dn[i], da[i], slip);
	}
	const AbutCone *gamma_cone = &contact->cones[0];
	AbutFrictionLaw friction;
	Row d_gamma, d_beta[3];
	memset(d_gamma, 0, sizeof d_gamma);
	memset(d_beta, 0, sizeof d_beta);
	add_row(width, d_gamma, -law->K[gamma_cone->law] * contact->weight_contact, U[3]);
	d_gamma[LANE] += law->c[0][gamma_cone->offset];
	d_gamma[LANE + 1] += law->c[1][gamma_cone->offset];
	abut_friction_condense(problem->friction_cone, contact->pair->tail, contact->pair->mu, contact->head_residual,
	                       contact->friction_cones, law, &friction);
	for (int t = 0; t < contact->pair->tail; t++) {
		add_row(width, d_beta[t], friction.a[t], d_gamma);
		for (int u = 0; u < contact->pair->tail; u++) {
			add_row(width, d_beta[t], -friction.B[3 * t + u], slip[u]);
		}
		d_beta[t][LANE] += friction.k[0][t];
		d_beta[t][LANE + 1] += friction.k[1][t];
	}
	for (int i = 0; i < n_sides; i++) {
		Row wrench[6];
		wrench_rows(width, contact, i, dN[i], dn[i], da[i], d_gamma, d_beta, wrench);
		add_wrench(contact, i, &problem->system, wrench);
	}
	return true;
}

ABUT_CLONES bool abut_contact_condense(AbutContactWork *contact, AbutContactProblem *problem, const double *r,
                           const AbutConeLaw *law)
{
	for (int i = 0; i < 2; i++) {
		AbutContactSide *side = &contact->side[i];
		if (!abut_conic_rows_condense(side->rows, side->cones, law, side->B_lambda, problem->scratch,
		                              &side->stiffness, side->eps_map)) {
			return false;
		}
	}
	if (contact->side[1].body->moving >= 0) {
		return condense_rows(ABUT_ROW, contact, problem, r[3], law);
	}
	return condense_rows(SIDE_1, contact, problem, r[3], law);
}

ABUT_CLONES void abut_contact_recover(const AbutContactWork *contact, const AbutContactProblem *problem, const AbutConeLaw *law,
                          double weight, const double *dy_bodies, double *dy, double *dz, double *dH)
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	double step[ABUT_ROW] = {0.0};
	memcpy(step, &dy_bodies[6 * a->body->moving], 6 * sizeof(double));
	step[LANE] = 1.0;
	step[LANE + 1] = weight;
	if (b->body->moving >= 0) {
		memcpy(&step[SIDE_1], &dy_bodies[6 * b->body->moving], 6 * sizeof(double));
	}
	const int width = b->body->moving >= 0 ? ABUT_ROW : SIDE_1;
	double values[7]; /* delta, dalpha, dslip */
	for (int i = 0; i < 7; i++) {
		double sum = 0.0;
		for (int c = 0; c < width; c++) {
			sum += contact->rows[i][c] * step[c];
		}
		values[i] = sum;
	}
	double point[2][4] = {{values[0], values[1], values[2], values[3]}, {0.0, 0.0, 0.0, values[3]}};
	double d_world[3], material[2][3] = {{0.0}};
	abut_mat3_vec(a->body->R, values, d_world);
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		if (side->body->moving < 0) {
			continue;
		}
		double turn[3];
		const double *d = &step[i * SIDE_1];
		abut_mat3_vec(side->body->G, &d[3], turn);
		abut_cross3(turn, side->arm, material[i]);
		for (int j = 0; j < 3; j++) {
			material[i][j] += problem->timestep * d[j];
		}
	}
	for (int i = 0; i < 3; i++) {
		dy[i] = d_world[i] + material[0][i];
		d_world[i] = dy[i] - material[1][i];
	}
	dy[3] = values[3];
	abut_mat3_tvec(b->body->R, d_world, point[1]);
	dH[0] = contact->weight_contact * values[3];
	abut_cone_apply_law(&contact->cones[0], law, weight, &dH[0], &dz[0]);
	dH[contact->alpha_z] = values[3];
	abut_cone_apply_law(contact->alpha_cone, law, weight, &dH[contact->alpha_z], &dz[contact->alpha_z]);
	abut_friction_recover(problem->friction_cone, contact->pair->tail, contact->pair->mu, contact->head_residual,
	                      contact->friction_cones, law, weight, dz[0], &values[4], &dy[contact->psi_y],
	                      &dz[contact->friction_z], &dH[contact->friction_z]);
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		abut_conic_rows_recover(side->rows, side->cones, law, weight, side->eps_map, point[i], &dy[side->y],
		                        &dz[side->z], &dH[side->z]);
	}
}
