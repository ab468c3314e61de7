/* Compares the directions of the dense linear algebra with those of a condense that evaluates the laws by its own code
 * (small_problem.h). */
#include "small_problem.h"
#include "solver/ncp/newton_parts.h"

/* Makes a problem with every kind of cone and random entries, at a random point; `exact` chooses the law. */
static void begin_random(SmallSolve *solve, bool exact, AbutRng *rng)
{
	SmallProblem *p = &solve->problem;
	memset(p, 0, sizeof *p);
	p->n_y = 4;
	p->cubic = 0.3;
	small_add_cone(p, ABUT_CONE_ORTHANT, 3, 0.1);
	small_add_cone(p, ABUT_CONE_SOC_FREE_HEAD, 3, 10.0);
	small_add_cone(p, ABUT_CONE_SOC, 3, 0.1);
	small_add_cone(p, ABUT_CONE_SOC, 2, 1.0);
	cr_assert_leq(p->n_z, SMALL);
	for (int i = 0; i < SMALL; i++) {
		for (int j = 0; j < SMALL; j++) {
			p->A[i][j] = abut_rng_normal(rng) + (i == j ? 3.0 : 0.0);
			p->B[i][j] = abut_rng_normal(rng);
			p->C[i][j] = abut_rng_normal(rng);
			p->D[i][j] = 0.1 * abut_rng_normal(rng);
		}
		p->a[i] = abut_rng_normal(rng);
		p->h[i] = abut_rng_normal(rng);
	}
	small_begin(solve, true);
	AbutIterate *it = &solve->it;
	sample_near_path(p->cones, p->n_cones, 0.1, 0.3, rng, it->z, it->s);
	for (int i = 0; i < p->n_y; i++) {
		it->y[i] = abut_rng_normal(rng);
	}
	small_evaluate(p, it->y, it->z, it->r, it->H);
	if (exact) {
		abut_cones_law_exact(p->cones, p->n_cones, it->z, it->H, 1e-3, 1e-3, (double)INFINITY, &it->law);
		it->law.rho = 0.01;
	} else {
		abut_cones_law_path(p->cones, p->n_cones, it->z, it->s, it->H, 0.1, &it->law);
	}
}

/* Two LAPACK solves of one system, assembled in two ways. Its condition number is up to 1e5. */
Test(dense, directions_are_those_of_the_laws)
{
	for (unsigned seed = 0; seed < 400; seed++) {
		AbutRng rng = {seed};
		SmallSolve solve;
		double dy[SMALL], dz[SMALL], dH[SMALL];
		begin_random(&solve, seed % 2 == 1, &rng);
		AbutIterate *it = &solve.it;
		cr_assert(abut_dense_condense(&solve.ncp, it), "seed %u", seed);
		cr_assert(small_condense(&solve.problem, it->r, &it->law), "seed %u", seed);
		for (int k = 0; k < 2; k++) { /* any weight after one factorisation */
			const double weight = k * abut_rng_normal(&rng);
			abut_dense_recover(&solve.ncp, it, weight);
			small_recover(&solve.problem, &it->law, weight, dy, dz, dH);
			double size = 1.0;
			for (int i = 0; i < solve.problem.n_z; i++) {
				size = fmax(size, fmax(fabs(dz[i]), fabs(dH[i])));
			}
			for (int i = 0; i < solve.problem.n_z; i++) {
				cr_assert_float_eq(it->dz[i], dz[i], 1e-10 * size, "seed %u", seed);
				cr_assert_float_eq(it->dH[i], dH[i], 1e-10 * size, "seed %u", seed);
				cr_assert(i >= solve.problem.n_y || fabs(it->dy[i] - dy[i]) <= 1e-10 * size, "seed %u",
				          seed);
			}
		}
		small_end(&solve);
	}
}

/* Without lane 1 the direction is Newton's, along which the residual falls to first order. Checks by central
 * differences of r. */
Test(dense, direction_solves_the_equations)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		SmallSolve solve;
		begin_random(&solve, false, &rng);
		AbutIterate *it = &solve.it;
		double r[2][SMALL], H[2][SMALL];
		cr_assert(abut_dense_condense(&solve.ncp, it));
		abut_dense_recover(&solve.ncp, it, 0.0);
		double size = 1.0;
		for (int i = 0; i < solve.problem.n_y; i++) {
			size = fmax(size, fabs(it->dy[i]));
		}
		for (int i = 0; i < solve.problem.n_z; i++) {
			size = fmax(size, fabs(it->dz[i]));
		}
		const double step = 1e-4 / size;
		for (int side = 0; side < 2; side++) {
			double y[SMALL], z[SMALL];
			for (int i = 0; i < solve.problem.n_y; i++) {
				y[i] = it->y[i] + (side ? -step : step) * it->dy[i];
			}
			for (int i = 0; i < solve.problem.n_z; i++) {
				z[i] = it->z[i] + (side ? -step : step) * it->dz[i];
			}
			small_evaluate(&solve.problem, y, z, r[side], H[side]);
		}
		/* (1e-4)^2 of the cubic's third derivative, 1e-16 / 1e-4 of rounding, times the size */
		for (int i = 0; i < solve.problem.n_y; i++) {
			cr_assert_float_eq((r[0][i] - r[1][i]) / (2.0 * step), -it->r[i], 1e-7 * size, "seed %u", seed);
		}
		for (int i = 0; i < solve.problem.n_z; i++) {
			cr_assert_float_eq((H[0][i] - H[1][i]) / (2.0 * step), it->dH[i], 1e-10 * size, "seed %u",
			                   seed);
		}
		small_end(&solve);
	}
}

Test(dense, singular_matrix_is_reported)
{
	AbutRng rng = {1};
	SmallSolve solve;
	begin_random(&solve, false, &rng);
	memset(solve.problem.A, 0, sizeof solve.problem.A);
	memset(solve.problem.B, 0, sizeof solve.problem.B);
	solve.problem.cubic = 0.0;
	cr_assert_not(abut_dense_condense(&solve.ncp, &solve.it));
	small_end(&solve);
}

/* The vectors of the iterate do not overlap: each is filled with its own number and keeps it. */
Test(dense, iterate_keeps_its_vectors_apart)
{
	AbutIterate it;
	cr_assert_eq(abut_iterate_create(5, 7, 11, true, &it), ABUT_OK);
	double *const vectors[] = {it.y,      it.r,        it.dy,       it.y_base, it.y_best, it.z,
	                           it.s,      it.H,        it.dz,       it.ds,     it.dH,     it.z_base,
	                           it.z_best, it.law.c[0], it.law.c[1], it.law.K,  it.dense};
	enum { VECTORS = sizeof vectors / sizeof *vectors };
	int length[VECTORS];
	for (int i = 0; i < VECTORS; i++) {
		length[i] = i < 5 ? 5 : i < 15 ? 7 : i == 15 ? 11 : (int)abut_dense_size(5, 7);
		for (int j = 0; j < length[i]; j++) {
			vectors[i][j] = i;
		}
	}
	for (int j = 0; j < 12; j++) {
		it.pivots[j] = -1;
	}
	for (int i = 0; i < VECTORS; i++) {
		for (int j = 0; j < length[i]; j++) {
			cr_assert_eq(vectors[i][j], i);
		}
	}
	abut_iterate_destroy(&it);
	cr_assert_eq(abut_iterate_create(0, 0, 0, false, &it), ABUT_OK);
	cr_assert_null(it.dense);
	abut_iterate_destroy(&it);
}
