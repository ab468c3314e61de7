/* Computes vectorised loops over rows. Tested in tests/solver/test_row_kernels.c by comparison with plain loops. */
#include "solver/cones/row_kernels.h"

#include <math.h>

#include <stdbool.h>

#include "base/lanes.h"

/* Number of rows that abut_orthant_step checks together. */
enum { CHUNK = 2 * ABUT_LANES };

ALWAYS_INLINE void add_distance(int n, const double *s, const double *H, AbutLanes worst, AbutLanes sum)
{
	AbutLanes a;
	for (int l = 0; l < n; l++) {
		a[l] = fabs(s[l] - H[l]);
		sum[l] += a[l];
	}
	abut_lanes_raise(n, worst, a);
}

ABUT_CLONES double abut_rows_distance(int n, const double *s, const double *H)
{
	AbutLanes worst = {0}, sum = {0};
	int i = 0;
	for (; i + ABUT_LANES <= n; i += ABUT_LANES) {
		add_distance(ABUT_LANES, &s[i], &H[i], worst, sum);
	}
	add_distance(n - i, &s[i], &H[i], worst, sum);
	return isfinite(abut_lanes_sum(sum)) ? abut_lanes_max(worst) : (double)NAN;
}

ABUT_CLONES void abut_rows_slack_direction(int n, const double *s, const double *H, const double *dH,
                                           double *restrict ds)
{
	for (int i = 0; i < n; i++) {
		ds[i] = dH[i] - (s[i] - H[i]);
	}
}

ALWAYS_INLINE void add_product(int n, double step, const double *z, const double *dz, const double *s, const double *ds,
                               AbutLanes sum)
{
	for (int l = 0; l < n; l++) {
		sum[l] += (z[l] + step * dz[l]) * (s[l] + step * ds[l]);
	}
}

ABUT_CLONES double abut_rows_product(int n, double step, const double *z, const double *dz, const double *s,
                                     const double *ds)
{
	AbutLanes sum = {0};
	int i = 0;
	for (; i + ABUT_LANES <= n; i += ABUT_LANES) {
		add_product(ABUT_LANES, step, &z[i], &dz[i], &s[i], &ds[i], sum);
	}
	add_product(n - i, step, &z[i], &dz[i], &s[i], &ds[i], sum);
	return abut_lanes_sum(sum);
}

ABUT_CLONES void abut_rows_advance(int n, double step, const double *dz, const double *ds, double *restrict z,
                                   double *restrict s)
{
	for (int i = 0; i < n; i++) {
		z[i] += step * dz[i];
		s[i] += step * ds[i];
	}
}

ALWAYS_INLINE void raise_to_products(int n, const double *z, const double *s, AbutLanes worst)
{
	AbutLanes product;
	for (int l = 0; l < n; l++) {
		product[l] = z[l] * s[l];
	}
	abut_lanes_raise(n, worst, product);
}

ABUT_CLONES double abut_orthant_largest_product(int n, const double *z, const double *s, double least)
{
	AbutLanes worst = {least, least, least, least, least, least, least, least};
	int i = 0;
	for (; i + ABUT_LANES <= n; i += ABUT_LANES) {
		raise_to_products(ABUT_LANES, &z[i], &s[i], worst);
	}
	raise_to_products(n - i, &z[i], &s[i], worst);
	return abut_lanes_max(worst);
}

ALWAYS_INLINE double step_by_rows(int n, const double *z, const double *dz, double step)
{
	for (int i = 0; i < n; i++) {
		if (z[i] + step * dz[i] < 0.0) {
			step = -z[i] / dz[i];
		}
	}
	return step;
}

/* Returns whether the step takes a row of a chunk out of the orthant. */
ALWAYS_INLINE bool leaves(const double *z, const double *dz, double step)
{
	AbutLanes below = {0}, outside;
	for (int i = 0; i < CHUNK; i += ABUT_LANES) {
		for (int l = 0; l < ABUT_LANES; l++) {
			outside[l] = -(z[i + l] + step * dz[i + l]);
		}
		abut_lanes_raise(ABUT_LANES, below, outside);
	}
	return abut_lanes_max(below) > 0.0;
}

/* Only the few rows that limit the step need a division. */
ABUT_CLONES double abut_orthant_step(int n, const double *z, const double *dz, double step)
{
	int i = 0;
	for (; i + CHUNK <= n; i += CHUNK) {
		if (leaves(&z[i], &dz[i], step)) {
			step = step_by_rows(CHUNK, &z[i], &dz[i], step);
		}
	}
	return step_by_rows(n - i, &z[i], &dz[i], step);
}

/* Linearises s dz + z (dH - s + H) = kappa + w - z s. */
ABUT_CLONES void abut_orthant_law_path(int n, const double *z, const double *s, const double *H, double kappa,
                                       double *restrict c0, double *restrict c1, double *restrict K)
{
	for (int i = 0; i < n; i++) {
		const double inverse = 1.0 / s[i];
		c1[i] = inverse;
		c0[i] = (kappa - z[i] * H[i]) * inverse;
		K[i] = z[i] * inverse;
	}
}
