/* Rays from inside a shape. What has no auxiliary variables leaves through one of its cones, and a capsule through its
 * tube or a ball: closed forms. An intersection is left where the first of its parts is. What has a support function h
 * in closed form (sums, padded polytopes) is left at
 *
 *     t = min over n with n . u > 0 of (h(n) - n . from) / (n . u),
 *
 * which a portal finds: a triangle of points of the surface that the ray passes through, moved outward as long as the
 * support along its normal lies beyond it (the portal refinement of Snethen's XenoCollide). Its plane bounds t from
 * below, the plane of support from above, and both are the same under linear maps, so that thin shapes take no longer.
 * The rest, and a portal that rounding closes, is a conic program. Tested in tests/shapes/reach.c. */
#include "shapes/reach.h"

#include <math.h>

#include "base/vec3.h"
#include "shapes/conic_query.h"
#include "shapes/support.h"

enum { MOST_STEPS = 200 };

static const double tolerance = 1e-9;

AbutReachCost abut_shape_reach_cost(const AbutShape *shape)
{
	if (shape->n_eps == 0 || shape->kind == ABUT_SHAPE_CAPSULE) {
		return ABUT_REACH_CLOSED;
	}
	if (shape->kind == ABUT_SHAPE_INTERSECTION) {
		AbutReachCost most = ABUT_REACH_CLOSED;
		for (int i = 0; i < shape->n_parts; i++) {
			const AbutReachCost cost = abut_shape_reach_cost(shape->parts[i]);
			most = cost > most ? cost : most;
		}
		return most;
	}
	return abut_shape_support_is_closed(shape) ? ABUT_REACH_SEARCH : ABUT_REACH_PROGRAM;
}

static void to_own(const AbutShape *shape, const double from[3], const double u[3], double p[3], double v[3])
{
	double step[3];
	for (int i = 0; i < 3; i++) {
		step[i] = from[i] - shape->position[i];
	}
	abut_mat3_tvec(shape->rotation, step, p);
	abut_mat3_tvec(shape->rotation, u, v);
}

/* Out of the tube, unless that is beyond an end: then out of the ball there. */
static bool reach_capsule(const AbutShape *shape, const double from[3], const double direction[3], double *t)
{
	const double R = shape->size[0], half = 0.5 * shape->size[1];
	double p[3], u[3];
	to_own(shape, from, direction, p, u);
	const double a = u[0] * u[0] + u[1] * u[1], b = p[0] * u[0] + p[1] * u[1],
	             c = p[0] * p[0] + p[1] * p[1] - R * R;
	double end = u[2];
	if (!(c <= 0.0)) {
		return false;
	}
	if (a > 0.0) {
		*t = (sqrt(b * b - a * c) - b) / a;
		end = p[2] + *t * u[2];
	}
	if (a > 0.0 && fabs(end) <= half) {
		return true;
	}
	p[2] -= copysign(half, end);
	const double along = abut_dot3(p, u), square = along * along - abut_dot3(p, p) + R * R;
	*t = sqrt(square) - along;
	return square >= 0.0;
}

static bool reach_first(const AbutShape *shape, const double from[3], const double direction[3], double *t)
{
	double p[3], u[3];
	to_own(shape, from, direction, p, u);
	*t = HUGE_VAL;
	for (int i = 0; i < shape->n_parts; i++) {
		double reach = 0.0;
		if (!abut_shape_reach(shape->parts[i], p, u, &reach)) {
			return false;
		}
		*t = fmin(*t, reach);
	}
	return true;
}

/* --- portals --- */

/* The point furthest along n, from where the ray starts. */
static void furthest(const AbutShape *shape, const double from[3], const double n[3], double point[3])
{
	abut_shape_support(shape, n, point);
	for (int i = 0; i < 3; i++) {
		point[i] -= from[i];
	}
}

static double triple(const double a[3], const double b[3], const double c[3])
{
	double cross[3];
	abut_cross3(a, b, cross);
	return abut_dot3(cross, c);
}

/* Three points around the ray, counterclockwise seen from outside: the first furthest along it, the others moved until
 * the plane through the start, the ray's first point and each leaves the ray on the right side. */
static bool open_portal(const AbutShape *shape, const double from[3], const double u[3], double v[3][3])
{
	double n[3];
	furthest(shape, from, u, v[0]);
	abut_cross3(u, v[0], n);
	if (!(abut_norm3(n) > 0.0)) { /* straight at it: any plane along the ray will do */
		const double axis[3] = {fabs(u[0]) < 0.6, fabs(u[0]) >= 0.6, 0.0};
		abut_cross3(u, axis, n);
	}
	furthest(shape, from, n, v[1]);
	if (triple(v[0], v[1], u) < 0.0) {
		double swap[3];
		abut_copy3(v[0], swap);
		abut_copy3(v[1], v[0]);
		abut_copy3(swap, v[1]);
	}
	for (int step = 0; step < MOST_STEPS; step++) {
		abut_cross3(v[0], v[1], n);
		if (!(abut_norm3(n) > 0.0)) {
			return false;
		}
		furthest(shape, from, n, v[2]);
		if (triple(v[0], v[2], u) > 0.0) {
			abut_copy3(v[2], v[1]);
		} else if (triple(v[2], v[1], u) > 0.0) {
			abut_copy3(v[2], v[0]);
		} else {
			return true;
		}
	}
	return false;
}

/* Whether the ray passes through the triangle, and not by it for rounding: only then its plane bounds it. */
static bool holds(const double v[3][3], const double u[3])
{
	double least = HUGE_VAL, sum = 0.0;
	for (int i = 0; i < 3; i++) {
		const double weight = triple(v[(i + 1) % 3], v[(i + 2) % 3], u);
		least = fmin(least, weight);
		sum += fabs(weight);
	}
	return least >= -1e-10 * sum;
}

static bool reach_by_support(const AbutShape *shape, const double from[3], const double u[3], double *t)
{
	double v[3][3], lower = 0.0, upper = HUGE_VAL;
	if (!open_portal(shape, from, u, v)) {
		return false;
	}
	for (int step = 0; step < MOST_STEPS && !(lower >= (1.0 - tolerance) * upper); step++) {
		double ab[3], ac[3], n[3], next[3];
		for (int i = 0; i < 3; i++) {
			ab[i] = v[1][i] - v[0][i];
			ac[i] = v[2][i] - v[0][i];
		}
		abut_cross3(ab, ac, n);
		const double along = abut_dot3(n, u);
		if (!(along > 0.0) || !holds(v, u)) { /* as close as rounding lets it */
			break;
		}
		furthest(shape, from, n, next);
		lower = fmax(lower, abut_dot3(n, v[0]) / along);
		upper = fmin(upper, abut_dot3(n, next) / along);
		/* The ray passes through one of the three triangles with the new point. */
		const double s[3] = {triple(v[0], next, u), triple(v[1], next, u), triple(v[2], next, u)};
		abut_copy3(next, v[s[0] <= 0.0 && s[1] >= 0.0 ? 2 : s[1] <= 0.0 && s[2] >= 0.0 ? 0 : 1]);
	}
	*t = 0.5 * (lower + upper);
	return lower > 0.0 && lower >= (1.0 - 100.0 * tolerance) * upper;
}

bool abut_shape_reach(const AbutShape *shape, const double from[3], const double u[3], double *t)
{
	if (shape->kind == ABUT_SHAPE_CAPSULE) {
		return reach_capsule(shape, from, u, t);
	}
	if (shape->n_eps > 0 && shape->kind == ABUT_SHAPE_INTERSECTION) {
		return reach_first(shape, from, u, t);
	}
	const bool search = shape->n_eps > 0 && abut_shape_support_is_closed(shape);
	return (search && reach_by_support(shape, from, u, t)) || abut_conic_ray(shape, from, u, t);
}
