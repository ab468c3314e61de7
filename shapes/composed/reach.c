/* Computes the reach of rays that start inside a shape. For a shape without auxiliary variables the first of its cones
 * that the ray leaves gives a closed form, as do the tube and the balls of a capsule. For an intersection it is the
 * smallest reach of its parts. For a shape with a support function h in closed form (sums, padded polytopes) it is
 *
 *      t = min over n with n . u > 0 of (h(n) - n . from) / (n . u).
 *
 * A portal finds this minimum: a triangle of surface points that the ray passes through. It moves outward while the
 * support along its normal lies beyond it (portal refinement, Snethen's XenoCollide). The triangle's plane bounds t
 * from below, the parallel plane of support from above. Both bounds are invariant under linear maps, so that thin
 * shapes take no longer. Other shapes, and portals that rounding closes, use a conic program. Tested in
 * tests/shapes/reach.c. */
#include "shapes/composed/reach.h"

#include <math.h>

#include "base/vec3.h"
#include "shapes/query/conic_program.h"
#include "shapes/query/conic_query.h"
#include "shapes/support/support.h"

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

int abut_shape_reach_work(const AbutShape *shape)
{
	static const int work[] = {[ABUT_REACH_CLOSED] = 1, [ABUT_REACH_SEARCH] = 500, [ABUT_REACH_PROGRAM] = 10000};
	const AbutReachCost cost = abut_shape_reach_cost(shape);
	return cost == ABUT_REACH_CLOSED ? shape->n_rows : work[cost];
}

static void to_own(const AbutShape *shape, const double from[3], const double u[3], double p[3], double v[3])
{
	double step[3];
	abut_sub3(from, shape->position, step);
	abut_mat3_tvec(shape->rotation, step, p);
	abut_mat3_tvec(shape->rotation, u, v);
}

/* Computes the reach from the tube; if the ray leaves beyond an end, from the ball there. */
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

/* Computes the reach of a part. If the part is a halfspace that the ray never leaves, t is ABUT_CONES_REACH_MAX or
 * more. */
static bool reach_part(const AbutShape *part, const double from[3], const double u[3], double *t)
{
	return abut_shape_reach(part, from, u, t) || (part->kind == ABUT_SHAPE_HALFSPACE && *t >= ABUT_CONES_REACH_MAX);
}

static bool reach_first(const AbutShape *shape, const double from[3], const double direction[3], double *t)
{
	double p[3], u[3];
	to_own(shape, from, direction, p, u);
	*t = HUGE_VAL;
	for (int i = 0; i < shape->n_parts; i++) {
		double reach = 0.0;
		if (!reach_part(shape->parts[i], p, u, &reach)) {
			return false;
		}
		*t = fmin(*t, reach);
	}
	return *t < ABUT_CONES_REACH_MAX;
}

/* --- portals --- */

/* Finds the point furthest along n, relative to the start of the ray. */
static void furthest(const AbutShape *shape, const double from[3], const double n[3], double point[3])
{
	abut_shape_support(shape, n, point);
	abut_sub3(point, from, point);
}

static double triple(const double a[3], const double b[3], const double c[3])
{
	double cross[3];
	abut_cross3(a, b, cross);
	return abut_dot3(cross, c);
}

/* Surface points v around the ray, relative to its start, counterclockwise seen from outside. Each is furthest along
 * its normal n. */
typedef struct Portal {
	double v[3][3], n[3][3];
} Portal;

static void set_corner(Portal *portal, int i, const double point[3], const double normal[3])
{
	abut_copy3(point, portal->v[i]);
	abut_copy3(normal, portal->n[i]);
}

/* Finds a first portal. The first corner is the point furthest along the ray. The corners are then replaced until the
 * ray lies on the inner side of the planes through its start and any two of them. */
static bool open_portal(const AbutShape *shape, const double from[3], const double u[3], Portal *portal)
{
	double n[3], v[3];
	furthest(shape, from, u, v);
	set_corner(portal, 0, v, u);
	abut_cross3(u, v, n);
	if (!(abut_norm3(n) > 0.0)) { /* the ray passes through the point, so any plane that contains the ray will do */
		const double axis[3] = {fabs(u[0]) < 0.6, fabs(u[0]) >= 0.6, 0.0};
		abut_cross3(u, axis, n);
	}
	furthest(shape, from, n, v);
	set_corner(portal, 1, v, n);
	if (triple(portal->v[0], portal->v[1], u) < 0.0) {
		const Portal before = *portal;
		set_corner(portal, 0, before.v[1], before.n[1]);
		set_corner(portal, 1, before.v[0], before.n[0]);
	}
	for (int step = 0; step < MOST_STEPS; step++) {
		abut_cross3(portal->v[0], portal->v[1], n);
		if (!(abut_norm3(n) > 0.0)) {
			return false;
		}
		furthest(shape, from, n, v);
		if (triple(portal->v[0], v, u) > 0.0) {
			set_corner(portal, 1, v, n);
		} else if (triple(v, portal->v[1], u) > 0.0) {
			set_corner(portal, 0, v, n);
		} else {
			set_corner(portal, 2, v, n);
			return true;
		}
	}
	return false;
}

/* Computes the weights of the corners at the point where the ray meets the triangle, up to a common factor. Returns
 * false if rounding lets the ray miss the triangle, whose plane then gives no bound. */
static bool shares(const Portal *portal, const double u[3], double share[3])
{
	double sum = 0.0;
	for (int i = 0; i < 3; i++) {
		share[i] = triple(portal->v[(i + 1) % 3], portal->v[(i + 2) % 3], u);
		sum += fabs(share[i]);
	}
	return fmin(share[0], fmin(share[1], share[2])) >= -1e-10 * sum;
}

/* Computes the normal at the point that the ray meets as if it varied linearly between the corners. This is a secant
 * step towards the smallest h(n) with n . u = 1: corner i gives the slope v_i at n_i / (n_i . u). Returns false if a
 * corner does not face the ray. */
static bool secant_normal(const Portal *portal, const double share[3], const double u[3], double n[3])
{
	n[0] = n[1] = n[2] = 0.0;
	for (int i = 0; i < 3; i++) {
		const double along = abut_dot3(portal->n[i], u);
		if (!(along > 0.0) || share[i] < 0.0) {
			return false;
		}
		abut_add_scaled3(n, share[i] / along, portal->n[i], n);
	}
	return abut_dot3(n, u) > 0.0;
}

/* Computes the normal of the triangle. Returns false if rounding has closed it or lets the ray miss it. */
static bool portal_normal(const Portal *portal, const double u[3], double share[3], double n[3])
{
	double ab[3], ac[3];
	abut_sub3(portal->v[1], portal->v[0], ab);
	abut_sub3(portal->v[2], portal->v[0], ac);
	abut_cross3(ab, ac, n);
	return abut_dot3(n, u) > 0.0 && shares(portal, u, share);
}

/* Computes the reach by a portal. With `secants`, secant normals are tried as long as they help. On curved surfaces
 * each halves the number of missing digits; at edges and on flat faces they are useless. */
static bool reach_by_support(const AbutShape *shape, const double from[3], const double u[3], bool secants, double *t)
{
	Portal portal;
	double lower = 0.0, upper = HUGE_VAL, gap = HUGE_VAL, share[3], n[3], next[3];
	int patience = 0, wait = 4;
	bool secant = false;
	if (!open_portal(shape, from, u, &portal)) {
		return false;
	}
	for (int step = 0; step < MOST_STEPS && portal_normal(&portal, u, share, n); step++) {
		lower = fmax(lower, abut_dot3(n, portal.v[0]) / abut_dot3(n, u));
		if (lower >= (1.0 - tolerance) * upper) {
			break;
		}
		patience = !secant ? patience : upper - lower > 0.25 * gap ? 2 * patience + 1 : 0;
		wait = secant ? patience : wait - 1;
		gap = upper - lower;
		double trial[3];
		secant = secants && wait <= 0 && secant_normal(&portal, share, u, trial);
		if (secant) {
			abut_copy3(trial, n);
		}
		furthest(shape, from, n, next);
		upper = fmin(upper, abut_dot3(n, next) / abut_dot3(n, u));
		/* Replace a corner so that the ray passes through the new triangle. */
		const double s[3] = {triple(portal.v[0], next, u), triple(portal.v[1], next, u),
		                     triple(portal.v[2], next, u)};
		set_corner(&portal, s[0] <= 0.0 && s[1] >= 0.0 ? 2 : s[1] <= 0.0 && s[2] >= 0.0 ? 0 : 1, next, n);
	}
	/* The upper bound is valid even if rounding has spoilt the portal. */
	*t = upper;
	return lower > 0.0 && fabs(upper - lower) <= (secants ? 2.0 : 100.0) * tolerance * upper;
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
	/* Secants may bring the corners so close together that rounding closes the portal; then repeat without them. */
	return (search && (reach_by_support(shape, from, u, true, t) || reach_by_support(shape, from, u, false, t))) ||
	       abut_conic_ray(shape, from, u, t);
}
