/* Compares Newton directions with differences of the problem's own functions: along a direction, r must change by -r,
 * and H by dH. */
#pragma once

#include <criterion/criterion.h>
#include <math.h>

#include "solver/ncp/ncp.h"

enum { DIRECTION_MAX = 200 };

static inline void evaluate_along(const AbutNcp *ncp, const AbutIterate *it, double step, double *r, double *H)
{
	double y[DIRECTION_MAX], z[DIRECTION_MAX];
	for (int i = 0; i < ncp->n_y; i++) {
		y[i] = it->y[i] + step * it->dy[i];
	}
	for (int i = 0; i < ncp->n_z; i++) {
		z[i] = it->z[i] + step * it->dz[i];
	}
	ncp->ops->evaluate(ncp->problem, y, z, r, H);
}

static inline double largest_of(int n, const double *v, double least)
{
	for (int i = 0; i < n; i++) {
		least = fmax(least, fabs(v[i]));
	}
	return least;
}

static inline void expect_change(const char *what, int n, const double *high, const double *low, double h,
                                 const double *expected, double sign, double scale, const char *name, int seed)
{
	for (int i = 0; i < n; i++) {
		const double change = (high[i] - low[i]) / (2.0 * h);
		cr_assert_float_eq(change, sign * expected[i], 2e-4 * scale, "%s, seed %d: %s %d changes by %g, not %g",
		                   name, seed, what, i, change, sign * expected[i]);
	}
}

/* Compares at the iterate, which must be inside the cones, for right-hand sides 0 + weight * 1 of the path's law. */
static inline void direction_check(const AbutNcp *ncp, AbutIterate *it, double weight, const char *name, int seed)
{
	double r[2][DIRECTION_MAX], H[2][DIRECTION_MAX];
	cr_assert(ncp->n_y <= DIRECTION_MAX && ncp->n_z <= DIRECTION_MAX);
	ncp->ops->evaluate(ncp->problem, it->y, it->z, it->r, it->H);
	abut_cones_law_path(ncp->cones, ncp->n_cones, it->z, it->s, it->H, 1e-3, &it->law);
	it->law.rho = 0.0;
	cr_assert(ncp->ops->condense(ncp->problem, it->r, &it->law), "%s, seed %d: not condensed", name, seed);
	ncp->ops->recover(ncp->problem, &it->law, weight, it->dy, it->dz, it->dH);
	const double size = largest_of(ncp->n_y, it->dy, largest_of(ncp->n_z, it->dz, 0.0));
	const double scale = largest_of(ncp->n_y, it->r, largest_of(ncp->n_z, it->dH, 0.0)), h = 1e-6 / size;
	evaluate_along(ncp, it, h, r[0], H[0]);
	evaluate_along(ncp, it, -h, r[1], H[1]);
	expect_change("r", ncp->n_y, r[0], r[1], h, it->r, -1.0, scale, name, seed);
	expect_change("H", ncp->n_z, H[0], H[1], h, it->dH, 1.0, scale, name, seed);
}
