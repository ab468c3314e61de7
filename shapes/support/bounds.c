/* Computes bounds of the support function h from furthest points that were found once (the cage). h is sublinear. With
 * u = sum w_k V_k, w_k >= 0, and x_k the furthest point along V_k,
 *
 *      max_k u . x_k  <=  h(u)  <=  sum w_k h(V_k).
 *
 * The V_k are the points with integer coordinates on the octahedron |x| + |y| + |z| = n, so that rounding down finds
 * the triangle of V_k around a direction. The cage stores h and x_k at index 1 + 4 (2 ((x + n)(2 n + 1) + y + n) + (z <
 * 0)). Its first entry is 1 if all points were found. Tested by support/bounds_hold in tests/shapes/support.c. */
#include "shapes/support/bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "shapes/core/conic.h"
#include "shapes/support/support.h"

enum { n = ABUT_CAGE_STEPS };

/* Error of furthest points, relative to the outer radius. */
static const double rounding = 1e-8;

static int place_of(const int V[3])
{
	return 1 + 4 * (2 * ((V[0] + n) * ABUT_CAGE_SIDE + V[1] + n) + (V[2] < 0));
}

static bool find_point(const AbutShape *shape, const int V[3], double *out)
{
	const double v[3] = {V[0], V[1], V[2]}, length = abut_norm3(v);
	const double u[3] = {v[0] / length, v[1] / length, v[2] / length};
	abut_shape_support_own(shape, u, &out[1]);
	out[0] = abut_dot3(v, &out[1]) + rounding * length * shape->outer_radius;
	return abut_all_finite(out, 4);
}

void abut_cage_fill(AbutShape *shape)
{
	double *const cage = abut_shape_support_is_closed(shape) ? NULL : calloc(ABUT_CAGE_DOUBLES, sizeof *cage);
	if (!cage) {
		return;
	}
	bool found = true;
	for (int x = -n; x <= n; x++) {
		for (int y = abs(x) - n; y <= n - abs(x); y++) {
			const int z = n - abs(x) - abs(y), up[3] = {x, y, z}, down[3] = {x, y, -z};
			found = found && find_point(shape, up, &cage[place_of(up)]) &&
			        (z == 0 || find_point(shape, down, &cage[place_of(down)]));
		}
	}
	cage[0] = found;
	shape->cage = cage;
}

/* Computes bounds along a unit direction in the shape's own frame. For a round shape they differ by about 0.5 % of its
 * size. Returns false if there is no cage. */
static bool cage_bounds(const AbutShape *shape, const double u[3], double *lower, double *upper)
{
	const double *cage = shape->cage, sum = fabs(u[0]) + fabs(u[1]) + fabs(u[2]);
	if (!cage || cage[0] == 0.0 || !(sum > 0.0)) {
		return false;
	}
	double rest[3];
	int floor_of[3], left = n;
	for (int i = 0; i < 3; i++) {
		const double at = fabs(u[i]) * n / sum;
		floor_of[i] = (int)abut_min(at, n - 1);
		rest[i] = at - floor_of[i];
		left -= floor_of[i];
	}
	/* Each corner is larger than floor_of by one: in one coordinate, or in all except one. */
	const bool one_more = left == 1;
	*lower = -HUGE_VAL;
	*upper = 0.0;
	for (int k = 0; k < 3; k++) {
		const double weight = abut_max(one_more ? rest[k] : 1.0 - rest[k], 0.0);
		int V[3], size = 0;
		for (int i = 0; i < 3; i++) {
			V[i] = floor_of[i] + ((i == k) == one_more);
			size += V[i];
		}
		if (size != n) { /* rounding has found a corner, which belongs to another triangle */
			return false;
		}
		for (int i = 0; i < 3; i++) {
			V[i] = u[i] < 0.0 ? -V[i] : V[i];
		}
		const double *corner = &cage[place_of(V)];
		*upper += weight * corner[0];
		*lower = abut_max(*lower, abut_dot3(u, &corner[1]));
	}
	*upper = *upper * sum / n + rounding * shape->outer_radius;
	return true;
}

/* An intersection lies in each of its parts, so that their smallest upper bound is valid. A sum has the sum of the
 * bounds of its parts. Tested by support/bounds_hold. */
void abut_shape_support_bounds(const AbutShape *shape, const double direction[3], double *lower, double *upper)
{
	if (abut_shape_support_is_closed(shape)) {
		*lower = *upper = abut_shape_support(shape, direction, NULL);
		return;
	}
	const double away = abut_dot3(shape->position, direction), centre = abut_dot3(shape->centre, direction);
	const bool sum = shape->kind == ABUT_SHAPE_MINKOWSKI_SUM;
	double u[3], together[2] = {0.0, 0.0}, least = HUGE_VAL, low, high;
	*lower = centre + shape->inner_radius;
	*upper = centre + shape->outer_radius;
	abut_mat3_tvec(shape->rotation, direction, u);
	if (cage_bounds(shape, u, &low, &high)) {
		*lower = fmax(*lower, away + low);
		*upper = fmin(*upper, away + high);
	}
	for (int i = 0; i < shape->n_parts; i++) {
		abut_shape_support_bounds(shape->parts[i], u, &low, &high);
		together[0] += low;
		together[1] += high;
		least = fmin(least, high);
	}
	if (shape->n_parts > 0) {
		*upper = fmin(*upper, away + (sum ? together[1] : least));
		*lower = sum ? fmax(*lower, away + together[0]) : *lower;
	}
}
