/* Compares step lengths to the boundary of the cones with bisection in long double. */
#include <criterion/criterion.h>
#include <string.h>

#include "sample_cones.h"
#include "solver/cones/soc.h"

enum { DIM_MAX = 6 };

/* Returns the least eigenvalue of z + step dz, in long double. */
static long double margin(int dim, const double *z, const double *dz, long double step)
{
	const long double head = (long double)z[0] + step * (long double)dz[0];
	long double sum = 0.0L;
	for (int i = 1; i < dim; i++) {
		const long double t = (long double)z[i] + step * (long double)dz[i];
		sum += t * t;
	}
	return head - sqrtl(sum);
}

/* Returns the largest step in [0, limit] that stays inside. Such steps are an interval: the margin is concave. */
static double bisection(int dim, const double *z, const double *dz, double limit)
{
	long double low = 0.0L, high = (long double)limit;
	if (margin(dim, z, dz, high) >= 0.0L) {
		return limit;
	}
	for (int i = 0; i < 200; i++) {
		const long double middle = 0.5L * (low + high);
		*(margin(dim, z, dz, middle) >= 0.0L ? &low : &high) = middle;
	}
	return (double)low;
}

static double step_of(int dim, const double *z, const double *dz, double limit)
{
	const AbutCone cone = {.kind = ABUT_CONE_SOC, .offset = 0, .dim = dim, .weight = 1.0, .law = 0};
	return abut_cones_step(&cone, 1, z, dz, limit);
}

/* Checks what a user of the step needs: 0.95 of it, which the solver takes, stays strictly inside, including the head.
 * The step may exceed the true one only by rounding. */
static void check_step(int dim, const double *z, const double *dz, double limit, double tolerance, const char *what,
                       unsigned seed)
{
	const double step = step_of(dim, z, dz, limit), exact = bisection(dim, z, dz, limit);
	cr_assert(step >= 0.0 && step <= limit, "%s, dim %d, seed %u: %g", what, dim, seed, step);
	cr_assert_float_eq(step, exact, tolerance * exact, "%s, dim %d, seed %u: %.17g, bisection %.17g", what, dim,
	                   seed, step, exact);
	if (step < limit) {
		cr_assert_gt(margin(dim, z, dz, 0.95L * (long double)step), 0.0L, "%s, dim %d, seed %u", what, dim,
		             seed);
	}
}

/* From points well inside, in any direction, the formula of the root loses at most a few digits. */
Test(cone_step, from_well_inside)
{
	static const int dims[] = {2, 3, 4, 6};
	for (int d = 0; d < 4; d++) {
		const AbutCone cone = {.kind = ABUT_CONE_SOC, .offset = 0, .dim = dims[d], .weight = 1.0, .law = 0};
		for (unsigned seed = 0; seed < 2000; seed++) {
			AbutRng rng = {seed};
			double z[DIM_MAX], dz[DIM_MAX];
			sample_interior(&cone, 1, &rng, z);
			for (int i = 0; i < dims[d]; i++) {
				dz[i] = sample_log_uniform(&rng, 0.01, 100.0) * abut_rng_normal(&rng);
			}
			check_step(dims[d], z, dz, 1.0 / 0.95, 1e-12, "inside", seed);
		}
	}
}

/* Starts from an eigenvalue `small` above the boundary. z contains it only to 1e-16, a relative error of 1e-16 / small
 * of the way there. The root gets a factor of 100. */
Test(cone_step, from_near_the_boundary)
{
	for (unsigned seed = 0; seed < 4000; seed++) {
		AbutRng rng = {seed};
		const int dim = 2 + (int)(seed % 5);
		const double small = sample_log_uniform(&rng, 1e-10, 1e-2);
		double u[DIM_MAX], z[DIM_MAX], dz[DIM_MAX];
		sample_unit(dim - 1, &rng, u);
		sample_spectral(dim, sample_log_uniform(&rng, 0.3, 3.0), small, u, z);
		for (int i = 0; i < dim; i++) {
			dz[i] = sample_log_uniform(&rng, 0.1 * small, 10.0) * abut_rng_normal(&rng);
		}
		check_step(dim, z, dz, 1.0, 1e-14 / small, "near the boundary", seed);
	}
}

/* A ray towards the apex has a tiny tail. The roots nearly coincide, and rounding may hide them, so that the head must
 * bound the step. The roots differ by the tail over the head. The discriminant has an error of 1e-16, and its root of
 * 1e-8; these are the tolerances. */
Test(cone_step, through_the_apex)
{
	for (unsigned seed = 0; seed < 4000; seed++) {
		AbutRng rng = {seed};
		const int dim = 2 + (int)(seed % 5);
		const double tiny = seed % 17 == 0 ? 0.0 : sample_log_uniform(&rng, 1e-18, 1e-6);
		const double head = sample_log_uniform(&rng, 1e-6, 1e6), length = sample_log_uniform(&rng, 0.1, 10.0);
		double z[DIM_MAX], dz[DIM_MAX];
		z[0] = head;
		dz[0] = -head * length;
		for (int i = 1; i < dim; i++) {
			z[i] = head * tiny * abut_rng_normal(&rng);
			dz[i] = head * length * tiny * abut_rng_normal(&rng);
		}
		const double step = step_of(dim, z, dz, 1.0), exact = bisection(dim, z, dz, 1.0);
		cr_assert_float_eq(step, exact, (5e-8 + 20.0 * tiny) * exact, "dim %d, seed %u: %.17g, bisection %.17g",
		                   dim, seed, step, exact);
		cr_assert_geq(z[0] + step * dz[0], -1e-15 * head, "dim %d, seed %u: the head goes negative", dim, seed);
		if (step < 1.0) {
			cr_assert_gt(margin(dim, z, dz, 0.95L * (long double)step), 0.0L, "dim %d, seed %u", dim, seed);
		}
	}
}

/* Rays exactly through the apex, on both sides of it, and never through it. */
Test(cone_step, special_rays)
{
	const double z[3] = {2.0, 1.0, 0.0};
	cr_assert_eq(step_of(3, z, (const double[]){-2.0, -1.0, 0.0}, 5.0), 1.0); /* into the apex */
	cr_assert_eq(step_of(3, z, (const double[]){0.0, 0.0, 0.0}, 5.0), 5.0);
	cr_assert_eq(step_of(3, z, (const double[]){1.0, 1.0, 0.0}, 5.0), 5.0); /* parallel to the boundary, along it */
	cr_assert_eq(step_of(3, z, (const double[]){1.0, -1.0, 0.0}, 5.0), 5.0); /* across, parallel to the far side */
	cr_assert_eq(step_of(3, z, (const double[]){0.0, 1.0, 0.0}, 5.0), 1.0);
	cr_assert_eq(step_of(3, z, (const double[]){-1.0, -1.0, 0.0}, 5.0), 1.5); /* parallel, to the far side */
	cr_assert_eq(step_of(3, z, (const double[]){-1.0, 1.0, 0.0}, 5.0), 0.5);
	cr_assert_eq(step_of(3, z, (const double[]){1.0, 0.5, 0.0}, 5.0), 5.0); /* outwards along itself */
	cr_assert_float_eq(step_of(3, z, (const double[]){0.0, 0.0, 1.0}, 5.0), sqrt(3.0), 1e-15);
	cr_assert_float_eq(step_of(3, z, (const double[]){-1e100, 0.0, 0.0}, 1.0), 1e-100, 1e-114);
}

/* Directions are parallel to the boundary up to a tilt. The far root goes to infinity as 1 / tilt, and the leading
 * coefficient of the quadratic is only rounding. The requested step is at most 1. */
Test(cone_step, parallel_to_the_boundary)
{
	for (unsigned seed = 0; seed < 4000; seed++) {
		AbutRng rng = {seed};
		const int dim = 2 + (int)(seed % 5);
		const AbutCone cone = {.kind = ABUT_CONE_SOC, .offset = 0, .dim = dim, .weight = 1.0, .law = 0};
		const double tilt = sample_log_uniform(&rng, 1e-17, 1e-3), sign = seed % 2 ? 1.0 : -1.0;
		const double length = sample_log_uniform(&rng, 0.1, 1e3);
		double u[DIM_MAX], z[DIM_MAX], dz[DIM_MAX];
		sample_interior(&cone, 1, &rng, z);
		sample_unit(dim - 1, &rng, u);
		dz[0] = sign * length * (1.0 + tilt * abut_rng_normal(&rng));
		for (int i = 1; i < dim; i++) {
			dz[i] = length * u[i - 1];
		}
		/* the direction's own rounding turns it by 1e-16, which moves a root at distance r by 1e-16 r^2 length
		 */
		check_step(dim, z, dz, 1.0, 1e-12 * (1.0 + length), "parallel", seed);
	}
}

/* From the boundary itself, steps inwards are free and steps outwards are zero. In a list of cones the smallest step
 * counts. */
Test(cone_step, from_the_boundary_and_in_lists)
{
	const double z[3] = {5.0, 3.0, 4.0};
	cr_assert_eq(step_of(3, z, (const double[]){1.0, 0.0, 0.0}, 1.0), 1.0);
	cr_assert_eq(step_of(3, z, (const double[]){-1.0, 0.0, 0.0}, 1.0), 0.0);
	cr_assert_eq(step_of(3, z, (const double[]){0.0, 3.0, 4.0}, 1.0), 0.0);
	static const AbutCone cones[] = {{ABUT_CONE_ORTHANT, 0, 2, 1.0, 0, {0, 0}, 0.0, false},
	                                 {ABUT_CONE_SOC, 2, 3, 1.0, 2, {0, 0}, 0.0, false},
	                                 {ABUT_CONE_SOC_FREE_HEAD, 5, 3, 1.0, 11, {0, 0}, 0.0, false}};
	for (unsigned seed = 0; seed < 1000; seed++) {
		AbutRng rng = {seed};
		double point[8], d[8], expected = 0.7;
		sample_interior(cones, 3, &rng, point);
		for (int i = 0; i < 8; i++) {
			d[i] = abut_rng_normal(&rng);
		}
		for (int i = 0; i < 2; i++) {
			if (d[i] < 0.0) {
				expected = fmin(expected, -point[i] / d[i]);
			}
		}
		expected = fmin(expected, bisection(3, &point[2], &d[2], 0.7));
		expected = fmin(expected, bisection(3, &point[5], &d[5], 0.7));
		cr_assert_float_eq(abut_cones_step(cones, 3, point, d, 0.7), expected, 1e-12, "seed %u", seed);
	}
}
