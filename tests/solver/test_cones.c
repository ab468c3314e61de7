/* Tests cones: the linearisation of the path, and the identities of the product and of the measures. (test_cone_step.c
 * tests step lengths, test_cone_exact.c the exact law and projections.) */
#include <criterion/criterion.h>
#include <string.h>

#include "base/lapack.h"
#include "sample_cones.h"
#include "solver/cones/soc.h"

static const int dims[] = {2, 3, 4, 6};
enum { DIMS = 4, SEEDS = 200, DIM_MAX = 6 };

static double tail_dot(int dim, const double *a, const double *b)
{
	double sum = 0.0;
	for (int i = 1; i < dim; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

/* Computes z o s of a second-order cone. */
static void product(int dim, const double *z, const double *s, double *out)
{
	out[0] = z[0] * s[0] + tail_dot(dim, z, s);
	for (int i = 1; i < dim; i++) {
		out[i] = z[0] * s[i] + s[0] * z[i];
	}
}

/* Computes the arrow matrix of v (column-major): arrow(z) s = z o s. */
static void arrow(int dim, const double *v, double *out)
{
	memset(out, 0, (size_t)(dim * dim) * sizeof *out);
	for (int i = 0; i < dim; i++) {
		out[i + i * dim] = v[0];
		out[i] = v[i];
		out[i * dim] = v[i];
	}
}

static AbutCone one_cone(AbutConeKind kind, int dim)
{
	return (AbutCone){.kind = kind, .offset = 0, .dim = dim, .weight = 1.0, .law = 0};
}

typedef struct Law {
	double c[2][16], K[64];
	AbutConeLaw law;
} Law;

static void law_memory(Law *m)
{
	memset(m, 0, sizeof *m);
	m->law = (AbutConeLaw){.c = {m->c[0], m->c[1]}, .K = m->K};
}

/* Returns the residual of the equation that the law solves, S (dz) + Z (dH - s + H) = (kappa + w) e - z o s, with
 * explicit arrow matrices. Relative to the largest term it is rounding: 1e-16 times the condition number of S, which
 * near the boundary (kappa) is 1 / kappa. */
static double newton_residual(int dim, const double *z, const double *s, const double *H, const double *dz,
                              const double *dH, double right)
{
	double Z[36], S[36], worst = 0.0, size = right;
	arrow(dim, z, Z);
	arrow(dim, s, S);
	for (int i = 0; i < dim; i++) {
		double sum = i == 0 ? -right : 0.0;
		for (int j = 0; j < dim; j++) {
			const double terms[3] = {S[i + j * dim] * dz[j], Z[i + j * dim] * dH[j], Z[i + j * dim] * H[j]};
			for (int k = 0; k < 3; k++) {
				sum += terms[k];
				size = fmax(size, fabs(terms[k]));
			}
		}
		worst = fmax(worst, fabs(sum));
	}
	return worst / size;
}

/* Computes dz = S^-1 [(kappa + w) e - Z H - Z dH] independently by LAPACK. */
static void dense_dz(int dim, const double *z, const double *s, const double *H, const double *dH, double right,
                     double *dz)
{
	double Z[36], S[36];
	int pivots[DIM_MAX];
	arrow(dim, z, Z);
	arrow(dim, s, S);
	for (int i = 0; i < dim; i++) {
		dz[i] = i == 0 ? right : 0.0;
		for (int j = 0; j < dim; j++) {
			dz[i] -= Z[i + j * dim] * (H[j] + dH[j]);
		}
	}
	cr_assert(abut_lapack_solve(dim, S, pivots, 1, dz));
}

Test(cones, path_law_of_a_soc_solves_the_linear_system)
{
	static const double kappas[] = {1.0, 1e-2, 1e-4, 1e-8};
	for (int d = 0; d < DIMS; d++) {
		const AbutCone cone = one_cone(ABUT_CONE_SOC, dims[d]);
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			AbutRng rng = {seed};
			const double kappa = kappas[seed % 4], weight = seed % 3 == 0 ? 0.0 : abut_rng_normal(&rng);
			double z[DIM_MAX], s[DIM_MAX], H[DIM_MAX], dH[DIM_MAX], dz[DIM_MAX], expected[DIM_MAX];
			Law m;
			law_memory(&m);
			sample_near_path(&cone, 1, kappa, 0.3, &rng, z, s);
			for (int i = 0; i < cone.dim; i++) {
				H[i] = s[i] + 0.1 * abut_rng_normal(&rng);
				dH[i] = abut_rng_normal(&rng);
			}
			abut_cones_law_path(&cone, 1, z, s, H, kappa, &m.law);
			abut_cone_apply_law(&cone, &m.law, weight, dH, dz);
			const double right = kappa + weight;
			cr_assert_leq(newton_residual(cone.dim, z, s, H, dz, dH, right), 1e-14 / kappa,
			              "dim %d, seed %u", cone.dim, seed);
			dense_dz(cone.dim, z, s, H, dH, right, expected);
			double size = 0.0, error = 0.0;
			for (int i = 0; i < cone.dim; i++) {
				size = fmax(size, fabs(expected[i]));
				error = fmax(error, fabs(dz[i] - expected[i]));
			}
			cr_assert_leq(error, 1e-14 / kappa * size, "dim %d, seed %u, kappa %g: %g", cone.dim, seed,
			              kappa, error / size);
		}
	}
}

Test(cones, path_law_of_an_orthant_solves_each_row)
{
	const AbutCone cone = one_cone(ABUT_CONE_ORTHANT, 6);
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		AbutRng rng = {seed};
		const double kappa = seed % 2 ? 1e-8 : 1e-2, weight = abut_rng_normal(&rng);
		double z[6], s[6], H[6], dH[6], dz[6];
		Law m;
		law_memory(&m);
		sample_near_path(&cone, 1, kappa, 0.0, &rng, z, s);
		for (int i = 0; i < 6; i++) {
			H[i] = s[i] + 0.1 * abut_rng_normal(&rng);
			dH[i] = abut_rng_normal(&rng);
		}
		abut_cones_law_path(&cone, 1, z, s, H, kappa, &m.law);
		abut_cone_apply_law(&cone, &m.law, weight, dH, dz);
		for (int i = 0; i < 6; i++) {
			/* s dz + z (dH + H - s) + z s = kappa + w: four roundings of the largest term */
			const double left = s[i] * dz[i] + z[i] * dH[i] + z[i] * H[i];
			const double size = fabs(s[i] * dz[i]) + fabs(z[i]) * (fabs(dH[i]) + fabs(H[i])) + 1.0;
			cr_assert_float_eq(left, kappa + weight, 1e-14 * size, "seed %u, row %d", seed, i);
		}
	}
}

/* Along the direction, with ds = dH and H = s, the product changes at the law's rate kappa e + w e - z o s. A central
 * difference of a quadratic is exact, except for 1e-16 / 1e-3 of |z||s|. */
Test(cones, product_changes_along_the_direction_as_asked)
{
	for (int d = 0; d < DIMS; d++) {
		const AbutCone cone = one_cone(ABUT_CONE_SOC, dims[d]);
		const int dim = cone.dim;
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			AbutRng rng = {1000 + seed};
			const double kappa = 0.1, weight = abut_rng_uniform(&rng, 0.0, 1.0), step = 1e-3;
			double z[6], s[6], ds[6], dz[6], now[6], at[2][6];
			Law m;
			law_memory(&m);
			sample_interior(&cone, 1, &rng, z);
			sample_interior(&cone, 1, &rng, s);
			for (int i = 0; i < dim; i++) {
				ds[i] = abut_rng_normal(&rng);
			}
			abut_cones_law_path(&cone, 1, z, s, s, kappa, &m.law);
			abut_cone_apply_law(&cone, &m.law, weight, ds, dz);
			product(dim, z, s, now);
			double size = 1.0;
			for (int side = 0; side < 2; side++) {
				double zt[6], st[6];
				for (int i = 0; i < dim; i++) {
					zt[i] = z[i] + (side ? -step : step) * dz[i];
					st[i] = s[i] + (side ? -step : step) * ds[i];
					size = fmax(size, fabs(zt[i]) * 3.0);
				}
				product(dim, zt, st, at[side]);
			}
			for (int i = 0; i < dim; i++) {
				const double rate = (at[0][i] - at[1][i]) / (2.0 * step);
				const double asked = (i == 0 ? kappa + weight : 0.0) - now[i];
				cr_assert_float_eq(rate, asked, 1e-11 * size, "dim %d, seed %u, row %d", dim, seed, i);
			}
		}
	}
}

/* Tests a free-head cone on the path. With dz_head given and psi = s0 unknown, all rows of S dz + Z dH = (kappa + w) e
 * - Z H hold, where dH_head = dpsi and H_head = s0. Errors relative to the terms are 1e-16 times the condition number 1
 * / kappa. */
Test(cones, path_law_of_a_free_head_solves_the_linear_system)
{
	static const double kappas[] = {1.0, 1e-2, 1e-4, 1e-8};
	for (int tail = 1; tail <= 3; tail++) {
		const AbutCone cone = one_cone(ABUT_CONE_SOC_FREE_HEAD, 1 + tail);
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			AbutRng rng = {seed};
			const double kappa = kappas[seed % 4], weight = seed % 3 == 0 ? 0.0 : abut_rng_normal(&rng);
			double z[4], s[4], H[4], dH[4], dz[4];
			Law m;
			law_memory(&m);
			sample_near_path(&cone, 1, kappa, 0.3, &rng, z, s);
			H[0] = s[0];
			for (int i = 1; i <= tail; i++) {
				H[i] = s[i] + 0.1 * abut_rng_normal(&rng);
				dH[i] = abut_rng_normal(&rng);
			}
			dz[0] = abut_rng_normal(&rng);
			abut_cones_law_path(&cone, 1, z, s, H, kappa, &m.law);
			const AbutFreeHeadLaw *law = abut_free_head_law(&m.law, &cone);
			dH[0] = law->q[0] + weight * law->q[1] + law->qb * dz[0];
			for (int i = 0; i < tail; i++) {
				dH[0] += law->qs[i] * dH[1 + i];
				dz[1 + i] = law->k[0][i] + weight * law->k[1][i] + law->a[i] * dz[0];
				for (int j = 0; j < tail; j++) {
					dz[1 + i] -= law->B[3 * i + j] * dH[1 + j];
				}
			}
			const double residual = newton_residual(cone.dim, z, s, H, dz, dH, kappa + weight);
			cr_assert_leq(residual, 1e-14 / kappa, "tail %d, seed %u, kappa %g: %g", tail, seed, kappa,
			              residual);
			for (int i = tail; i < 3; i++) { /* beyond the tail: zero */
				cr_assert(law->a[i] == 0.0 && law->qs[i] == 0.0 && law->k[0][i] == 0.0);
			}
		}
	}
}

static const AbutCone mixed[] = {{ABUT_CONE_ORTHANT, 0, 3, 0.1, 0, {0, 0}, 0.0, false},
                                 {ABUT_CONE_SOC, 3, 4, 0.1, 3, {0, 0}, 0.0, false},
                                 {ABUT_CONE_SOC_FREE_HEAD, 7, 3, 10.0, 19, {0, 0}, 0.0, false},
                                 {ABUT_CONE_ORTHANT, 10, 1, 1.0, 48, {0, 0}, 0.0, false},
                                 {ABUT_CONE_SOC, 11, 2, 1.0, 49, {0, 0}, 0.0, false}};
enum { MIXED = 5, MIXED_Z = 13 };

Test(cones, degree_and_identity)
{
	double e[MIXED_Z], s[MIXED_Z];
	cr_assert_eq(abut_cones_degree(mixed, MIXED), 3 + 1 + 1 + 1 + 1);
	cr_assert_eq(abut_cones_degree(mixed, 0), 0);
	abut_cones_identity(mixed, MIXED, e);
	static const double expected[MIXED_Z] = {1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0};
	cr_assert_arr_eq(e, expected, sizeof expected);
	/* e o s = s */
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		double out[4];
		sample_interior(mixed, MIXED, &rng, s);
		product(4, &e[3], &s[3], out);
		cr_assert_arr_eq(out, &s[3], sizeof out);
	}
	cr_assert_eq(abut_cone_law_size(ABUT_CONE_ORTHANT, 5), 5);
	cr_assert_eq(abut_cone_law_size(ABUT_CONE_SOC, 5), 25);
	cr_assert_eq((size_t)abut_cone_law_size(ABUT_CONE_SOC_FREE_HEAD, 4) * sizeof(double), sizeof(AbutFreeHeadLaw));
}

/* Checks the largest entry of z o s - kappa e: heads and orthant rows one-sided, tails in absolute value. */
Test(cones, complementarity_is_the_largest_entry)
{
	for (unsigned seed = 0; seed < 500; seed++) {
		AbutRng rng = {seed};
		const double kappa = sample_log_uniform(&rng, 1e-8, 1.0);
		double z[MIXED_Z], s[MIXED_Z], worst = 0.0;
		sample_interior(mixed, MIXED, &rng, z);
		sample_interior(mixed, MIXED, &rng, s);
		for (int i = 0; seed % 2 && i < MIXED_Z; i++) {
			s[i] *= 1e-3;
		}
		for (int c = 0; c < MIXED; c++) {
			const AbutCone *cone = &mixed[c];
			double out[4];
			product(cone->dim, &z[cone->offset], &s[cone->offset], out);
			for (int i = 0; i < cone->dim; i++) {
				const double entry = cone->kind == ABUT_CONE_ORTHANT
				                         ? z[cone->offset + i] * s[cone->offset + i] - kappa
				                     : i == 0 ? out[0] - kappa
				                              : fabs(out[i]);
				worst = fmax(worst, entry);
			}
		}
		cr_assert_float_eq(abut_cones_complementarity(mixed, MIXED, z, s, kappa), worst, 1e-14, "seed %u",
		                   seed);
	}
}

/* On the path it is zero: z = kappa s^-1. 1e-15 is rounding of terms of order 1. */
Test(cones, complementarity_vanishes_on_the_path)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		double u[3], z[4], s[4];
		const AbutCone cone = one_cone(ABUT_CONE_SOC, 4);
		const double kappa = sample_log_uniform(&rng, 1e-10, 1.0);
		const double plus = sample_log_uniform(&rng, 1e-5, 1.0), minus = sample_log_uniform(&rng, 1e-5, 1.0);
		sample_unit(3, &rng, u);
		sample_spectral(4, plus, minus, u, z);
		sample_spectral(4, kappa / plus, kappa / minus, u, s);
		const double size = (plus + minus) * (kappa / plus + kappa / minus);
		cr_assert_leq(abut_cones_complementarity(&cone, 1, z, s, kappa), 1e-15 * (1.0 + size), "seed %u", seed);
	}
}

/* A sharper cone has its own target for the products: s dz + z ds = (kappa + w) / (1 + sharper) - z s, with ds = dH -
 * (s - H), for any dH. */
Test(cones, sharper_targets)
{
	for (unsigned seed = 0; seed < 50; seed++) {
		AbutRng rng = {seed};
		const double sharper = abut_rng_uniform(&rng, 0.0, 100.0), kappa = 1e-3, weight = 0.2;
		const AbutCone cones[] = {{ABUT_CONE_ORTHANT, 0, 3, 0.1, 0, {0, 0}, sharper, false},
		                          {ABUT_CONE_SOC, 3, 3, 0.1, 3, {0, 0}, 0.0, false}};
		double z[6], s[6], H[6], dH[6], dz[6], c[2][6], K[16];
		AbutConeLaw law = {{c[0], c[1]}, K, 0.0};
		for (int i = 0; i < 6; i++) {
			z[i] = abut_rng_uniform(&rng, 0.1, 2.0) + (i == 3 ? 5.0 : 0.0);
			s[i] = abut_rng_uniform(&rng, 0.1, 2.0) + (i == 3 ? 5.0 : 0.0);
			H[i] = abut_rng_normal(&rng);
			dH[i] = abut_rng_normal(&rng);
		}
		abut_cones_law_path(cones, 2, z, s, H, kappa, &law);
		abut_cone_apply_law(&cones[0], &law, weight, dH, dz);
		for (int i = 0; i < 3; i++) {
			const double ds = dH[i] - (s[i] - H[i]);
			cr_expect_float_eq(s[i] * dz[i] + z[i] * ds, (kappa + weight) / (1.0 + sharper) - z[i] * s[i],
			                   1e-12, "seed %u", seed);
		}
		cr_expect_float_eq(abut_cones_target(cones, 2, kappa), kappa * (3.0 / (1.0 + sharper) + 1.0) / 4.0,
		                   1e-15, "seed %u", seed);
	}
}

/* The held directions are those in which the exact law is stiff. For small delta, delta / C times K is the unit matrix,
 * zero, or the square of the one direction. */
Test(cones, held_directions_are_the_stiff_ones)
{
	static const double delta = 1e-9, C = 0.3;
	int cases[3] = {0, 0, 0};
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const AbutCone cone = {seed % 2 ? ABUT_CONE_SOC : ABUT_CONE_ORTHANT, 0, 4, C, 0, {0, 0}, 0.0, false};
		double z[4], H[4], held[4], c[2][4], K[16] = {0.0};
		AbutConeLaw law = {{c[0], c[1]}, K, 0.0};
		for (int i = 0; i < 4; i++) {
			z[i] = abut_rng_normal(&rng) + (i == 0 ? abut_rng_uniform(&rng, -3.0, 3.0) : 0.0);
			H[i] = abut_rng_normal(&rng);
		}
		abut_cones_law_exact(&cone, 1, z, H, delta, delta, (double)INFINITY, &law);
		const bool all = abut_cone_held(&cone, z, H, held);
		const bool some = held[0] != 0.0 || held[1] != 0.0 || held[2] != 0.0 || held[3] != 0.0;
		cases[cone.kind == ABUT_CONE_SOC ? (all ? 0 : some ? 1 : 2) : 2]++;
		for (int i = 0; i < 4; i++) {
			for (int j = 0; j < 4; j++) {
				const double stiff = delta / C *
				                     (cone.kind == ABUT_CONE_SOC ? K[4 * i + j]
				                      : i == j                   ? K[i]
				                                                 : 0.0);
				const double expected = cone.kind == ABUT_CONE_ORTHANT ? (i == j ? held[i] : 0.0)
				                        : all                          ? (i == j ? 1.0 : 0.0)
				                                                       : held[i] * held[j];
				cr_assert_float_eq(stiff, expected, 1e-6, "seed %u, entry %d, %d: %g, not %g", seed, i,
				                   j, stiff, expected);
			}
		}
	}
	cr_expect(cases[0] > 5 && cases[1] > 5 && cases[2] > 5, "%d, %d and %d cases", cases[0], cases[1], cases[2]);
}
