/* Tests how exact laws and laws of the path are split into a soft part and a held or rigid part. Both parts together
 * must give the original law. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "solver/cones/cones.h"
#include "solver/cones/soc.h"

enum { DIM = 4, SEEDS = 500 };

static void sample(AbutRng *rng, double z[DIM], double H[DIM])
{
	for (int i = 0; i < DIM; i++) {
		z[i] = abut_rng_normal(rng) + (i == 0 ? 1.0 : 0.0);
		H[i] = abut_rng_normal(rng);
	}
}

/* The exact law of a second-order cone is its soft part, plus one over the compliance along the held direction. */
Test(cone_held, soft_and_rigid_make_the_exact_law)
{
	const double delta = 1e-5;
	int rays = 0;
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		AbutRng rng = {seed};
		double z[DIM], H[DIM], held[DIM], c[DIM], full[DIM * DIM], K[DIM * DIM];
		const double C = abut_rng_uniform(&rng, 0.5, 2.0);
		const AbutCone cone = {ABUT_CONE_SOC, 0, DIM, C, 0, {0, 0}, 0.0, false};
		sample(&rng, z, H);
		const bool all = abut_cone_held(&cone, z, H, held);
		abut_soc_law_exact(DIM, z, H, C, delta, c, full);
		cr_assert_gt(abut_soc_law_soft(DIM, z, H, C, K), 0.0);
		rays += !all && held[0] > 0.0;
		double size = C;
		for (int i = 0; i < DIM * DIM; i++) {
			size = fmax(size, fabs(K[i]));
		}
		for (int i = 0; i < DIM * DIM; i++) {
			const double rigid = C / delta * (all ? (i % (DIM + 1) == 0) : held[i / DIM] * held[i % DIM]);
			cr_assert_leq(fabs(full[i] - rigid - K[i]), 1e-3 * size * size,
			              "seed %u, entry %d: %g, of which %g is rigid and %g soft", seed, i, full[i],
			              rigid, K[i]);
		}
	}
	cr_expect_gt(rays, SEEDS / 10);
}

/* Computes a o b of the second-order cone in extended precision. */
static void product(const long double a[DIM], const long double b[DIM], long double out[DIM])
{
	out[0] = a[0] * b[0];
	for (int i = 1; i < DIM; i++) {
		out[0] += a[i] * b[i];
		out[i] = a[0] * b[i] + b[0] * a[i];
	}
}

/* A point of the path with eigenvalues f and kappa / g of z, kappa / f and g of s, along (1, u) and (1, -u). */
typedef struct PathPoint {
	double f, g;
	long double u[DIM], z[DIM], s[DIM]; /* u[0] = 0 */
} PathPoint;

static void sample_path(AbutRng *rng, double kappa, PathPoint *out)
{
	long double sum = 0.0L;
	out->f = abut_rng_uniform(rng, 0.1, 2.0);
	out->g = abut_rng_uniform(rng, 0.1, 2.0);
	for (int i = 0; i < DIM; i++) {
		out->u[i] = i == 0 ? 0.0L : (long double)abut_rng_normal(rng);
		sum += out->u[i] * out->u[i];
	}
	for (int i = 0; i < DIM; i++) {
		const long double of_z = kappa / (long double)out->g, of_s = kappa / (long double)out->f;
		out->u[i] /= sqrtl(sum);
		out->z[i] = 0.5L * (i == 0 ? out->f + of_z : (out->f - of_z) * out->u[i]);
		out->s[i] = 0.5L * (i == 0 ? out->g + of_s : (of_s - out->g) * out->u[i]);
	}
}

/* A law of the path may be stiff along one ray and soft along the other. Then s o K v = z o v holds along each ray to
 * its own digits. */
Test(cone_held, soft_and_ray_make_the_law_of_the_path)
{
	const double kappa = 1e-6;
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		AbutRng rng = {seed};
		PathPoint at;
		double z[DIM], s[DIM], K[DIM * DIM], ray[DIM];
		sample_path(&rng, kappa, &at);
		for (int i = 0; i < DIM; i++) {
			z[i] = (double)at.z[i];
			s[i] = (double)at.s[i];
		}
		const double compliance = abut_soc_law_path_soft(DIM, z, s, 1e3, K, ray);
		cr_assert_gt(compliance, 0.0);
		for (int kind = 0; kind < 3; kind++) { /* stiff, soft, across */
			long double v[DIM], Kv[DIM] = {0.0L}, left[DIM], right[DIM], size = 0.0L;
			for (int i = 0; i < DIM; i++) {
				v[i] = kind == 2 ? 0.0L : i == 0 ? 1.0L : kind == 0 ? at.u[i] : -at.u[i];
			}
			if (kind == 2) {
				v[1] = at.u[2];
				v[2] = -at.u[1];
			}
			for (int i = 0; i < DIM; i++) {
				for (int j = 0; j < DIM; j++) {
					const long double stiff =
					    kind == 0 ? (long double)ray[i] * ray[j] / compliance : 0.0L;
					Kv[i] += (K[i * DIM + j] + stiff) * v[j];
				}
			}
			product(at.s, Kv, left);
			product(at.z, v, right);
			for (int i = 0; i < DIM; i++) {
				size = fmaxl(size, fabsl(right[i]));
			}
			for (int i = 0; i < DIM; i++) {
				cr_assert_leq(fabsl(left[i] - right[i]), 1e-8L * size,
				              "seed %u, kind %d, %d: %Lg, not %Lg", seed, kind, i, left[i], right[i]);
			}
		}
	}
}

/* If the law is soft along both rays, nothing changes. */
Test(cone_held, law_of_the_path_that_is_not_stiff_stays)
{
	const double z[DIM] = {1.0, 0.5, 0.0, 0.0}, s[DIM] = {1.0, -0.5, 0.0, 0.0};
	double K[DIM * DIM] = {7.0}, ray[DIM] = {7.0};
	cr_expect_eq(abut_soc_law_path_soft(DIM, z, s, 1e3, K, ray), 0.0);
	cr_expect(K[0] == 7.0 && ray[0] == 7.0);
}

/* Returns the norm of the tail of z - H. */
static double tail_norm(const double z[DIM], const double H[DIM])
{
	double sum = 0.0;
	for (int i = 1; i < DIM; i++) {
		sum += (z[i] - H[i]) * (z[i] - H[i]);
	}
	return sqrt(sum);
}

/* Only the held entries of an orthant are softened; of a free head, the sticking part. */
Test(cone_held, softens_what_stands_for_infinity)
{
	int held_ones = 0, stuck = 0;
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		AbutRng rng = {seed};
		const bool orthant = seed % 2 == 0;
		const AbutCone cone = {
		    orthant ? ABUT_CONE_ORTHANT : ABUT_CONE_SOC_FREE_HEAD, 0, DIM, 1.0, 0, {0, 0}, 0.0, false};
		double z[DIM], H[DIM], held[DIM], c[2][DIM], K[64] = {0.0}, before[64];
		AbutConeLaw law = {.c = {c[0], c[1]}, .K = K};
		sample(&rng, z, H);
		abut_cones_law_exact(&cone, 1, z, H, 1e-6, 1e-6, (double)INFINITY, &law);
		memcpy(before, K, sizeof K);
		const double limit[DIM] = {1e5, 2e5, 3e5, 4e5};
		const bool all = abut_cone_soften(&cone, limit, held, &law);
		cr_assert_eq(all, !orthant && z[0] - H[0] >= tail_norm(z, H), "seed %u", seed);
		for (int j = 0; orthant && j < DIM; j++) {
			const bool active = z[j] - H[j] > 0.0;
			cr_assert_eq(held[j], active ? 1.0 : 0.0);
			cr_assert_eq(K[j], active ? limit[j] : 0.0, "seed %u, entry %d", seed, j);
			held_ones += active;
		}
		const double *B = ((const AbutFreeHeadLaw *)(const void *)K)->B;
		const double *B_before = ((const AbutFreeHeadLaw *)(const void *)before)->B;
		for (int i = 0; !orthant && i < 9; i++) {
			cr_assert_eq(B[i], all && i % 4 == 0 ? limit[1 + i / 4] : B_before[i], "seed %u, entry %d",
			             seed, i);
		}
		stuck += !orthant && all;
	}
	cr_expect_gt(held_ones, SEEDS / 2);
	cr_expect_gt(stuck, SEEDS / 20);
}

/* dz = fraction dz - K' dH equals dz = -K dH. */
Test(cone_held, of_the_path_what_is_held_makes_up_for_what_is_taken)
{
	const AbutCone cone = {ABUT_CONE_ORTHANT, 0, 3, 1.0, 0, {0, 0}, 0.0, false};
	double K[3] = {1e9, 2e3, 0.5}, fraction[3];
	AbutConeLaw law = {.K = K};
	abut_cone_soften_path(&cone, 1e4, fraction, &law);
	cr_expect_float_eq(K[0] / (1.0 - fraction[0]), 1e9, 1e3);
	cr_expect_leq(K[0], 1e4);
	cr_expect_eq(K[1], 2e3);
	cr_expect_eq(K[2], 0.5);
	cr_expect_eq(fraction[1], 0.0);
	cr_expect_eq(fraction[2], 0.0);
}
