/* Where a ray from inside leaves a convex set that is known by its support function: a triangle of boundary points that
 * the ray passes (the portal) is moved outwards, one point at a time, until it lies in a face. Polytopes end after some
 * eight supports. Where the boundary is smooth a portal only halves its distance with each support; once it is small,
 * its three points tell how the boundary point depends on the normal, and a chord method takes over. */
#include "collision/growth.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/support.h"

enum { most_supports = 200, most_first = 50, most_chords = 6 };

/* Relative to alpha: what is aimed at, and what counts as solved. */
static const double goal = 1e-12, enough = 1e-9;

/* A boundary point s = a - b of C where the normal is u, |u| = 1. */
typedef struct Corner {
	double u[3], s[3], a[3], b[3];
} Corner;

typedef struct Ray {
	const AbutGrowthSide *side[2];
	double D[3];
	double inner; /* radius of a ball about the origin in C */
	Corner portal[3];
	Corner best;  /* whose normal gives the largest lower bound */
	double lower; /* that bound of alpha */
	int supports;
} Ray;

void abut_growth_place(const AbutShape *shape, const double position[3], const double R[9], AbutGrowthSide *out)
{
	double own[3];
	out->shape = shape;
	abut_mat3_mul(R, shape->rotation, out->M);
	for (int i = 0; i < 3; i++) {
		own[i] = shape->position[i] - shape->centre[i];
	}
	abut_mat3_vec(R, own, out->offset);
	abut_mat3_vec(R, shape->centre, out->centre);
	for (int i = 0; i < 3; i++) {
		out->centre[i] += position[i];
	}
}

static void furthest(const AbutGrowthSide *side, const double u[3], double point[3])
{
	double own[3], local[3];
	abut_mat3_tvec(side->M, u, own);
	abut_shape_support_own(side->shape, own, local);
	abut_mat3_vec(side->M, local, point);
	for (int i = 0; i < 3; i++) {
		point[i] += side->offset[i];
	}
}

/* The corner along n, which need not be of unit length; a better lower bound is kept. */
static void support(Ray *ray, const double n[3], Corner *out)
{
	const double scale = 1.0 / abut_norm3(n);
	double minus[3];
	for (int i = 0; i < 3; i++) {
		out->u[i] = scale * n[i];
		minus[i] = -out->u[i];
	}
	furthest(ray->side[0], out->u, out->a);
	furthest(ray->side[1], minus, out->b);
	for (int i = 0; i < 3; i++) {
		out->s[i] = out->a[i] - out->b[i];
	}
	ray->supports++;
	const double bound = abut_dot3(out->u, ray->D) / abut_dot3(out->u, out->s);
	if (bound > ray->lower) {
		ray->lower = bound;
		ray->best = *out;
	}
}

/* D . (s x t): positive when t is counterclockwise from s as seen against the ray. */
static double turn(const Ray *ray, const double s[3], const double t[3])
{
	double across[3];
	abut_cross3(s, t, across);
	return abut_dot3(ray->D, across);
}

static bool holds_ray(const Ray *ray)
{
	const Corner *p = ray->portal;
	return turn(ray, p[0].s, p[1].s) >= 0.0 && turn(ray, p[1].s, p[2].s) >= 0.0 && turn(ray, p[2].s, p[0].s) >= 0.0;
}

typedef enum Search {
	SEARCH_PORTAL, /* three corners around the ray */
	SEARCH_CORNER, /* the first corner lies on the ray: the answer */
	SEARCH_LOST    /* rounding goes round in circles */
} Search;

static Search find_portal(Ray *ray)
{
	Corner *p = ray->portal;
	double n[3];
	support(ray, ray->D, &p[0]);
	abut_cross3(ray->D, p[0].s, n);
	if (abut_norm3(n) <= 1e-14 * abut_norm3(ray->D) * abut_norm3(p[0].s)) {
		return SEARCH_CORNER;
	}
	support(ray, n, &p[1]);
	for (int i = 0; i < most_first; i++) {
		abut_cross3(p[0].s, p[1].s, n);
		if (!(abut_norm3(n) > 0.0)) {
			return SEARCH_LOST;
		}
		support(ray, n, &p[2]);
		if (turn(ray, p[2].s, p[0].s) < 0.0) {
			p[1] = p[2];
		} else if (turn(ray, p[1].s, p[2].s) < 0.0) {
			p[0] = p[2];
		} else {
			return SEARCH_PORTAL;
		}
	}
	return SEARCH_LOST;
}

static void edges(const Corner portal[3], double first[3], double second[3])
{
	for (int i = 0; i < 3; i++) {
		first[i] = portal[1].s[i] - portal[0].s[i];
		second[i] = portal[2].s[i] - portal[0].s[i];
	}
}

/* The corner of the portal that gives way to `corner`, so that the ray passes through what is left. */
static int gives_way(const Ray *ray, const Corner *corner)
{
	double x[3];
	for (int i = 0; i < 3; i++) {
		x[i] = turn(ray, ray->portal[i].s, corner->s);
	}
	if (x[0] > 0.0) {
		return x[2] <= 0.0 ? 1 : 0;
	}
	return x[1] >= 0.0 ? 2 : 0;
}

/* Shares of the corners in the point where the ray meets the portal's plane, scaled so that D = sum w_i s_i. */
static void shares(const Ray *ray, double w[3])
{
	const Corner *p = ray->portal;
	double n[3], first[3], second[3], sum = 0.0;
	edges(p, first, second);
	abut_cross3(first, second, n);
	const double upper = abut_dot3(n, ray->D) / abut_dot3(n, p[0].s);
	for (int i = 0; i < 3; i++) {
		w[i] = turn(ray, p[(i + 1) % 3].s, p[(i + 2) % 3].s);
		sum += w[i];
	}
	for (int i = 0; i < 3; i++) {
		w[i] *= sum != 0.0 ? upper / sum : 0.0;
	}
}

/* --- the chord method --- */

static bool is_local(const Corner portal[3])
{
	static const double close = 0.8;
	return abut_dot3(portal[0].u, portal[1].u) > close && abut_dot3(portal[0].u, portal[2].u) > close &&
	       abut_dot3(portal[1].u, portal[2].u) > close;
}

/* The normal n(c) = u_0 + c_1 (u_1 - u_0) + c_2 (u_2 - u_0) is to have its corner on the ray. The corners of the portal
 * give the differences of the corner across the ray; what is left of it, e, is taken out again and again. Since
 * D / lower = s - e, the scaling is at most (1 + |e| / inner) times too small. Returns that error, relative; below the
 * goal ray->best is the answer. */
static double polish(Ray *ray, const double w[3])
{
	const Corner *p = ray->portal;
	double first[3], second[3], n[3], last = (double)INFINITY;
	edges(p, first, second);
	const double area = turn(ray, first, second);
	const double sum = w[0] + w[1] + w[2];
	double c[2] = {w[1] / sum, w[2] / sum};
	for (int k = 0; k < most_chords; k++) {
		Corner corner;
		double e[3];
		for (int i = 0; i < 3; i++) {
			n[i] = p[0].u[i] + c[0] * (p[1].u[i] - p[0].u[i]) + c[1] * (p[2].u[i] - p[0].u[i]);
		}
		support(ray, n, &corner);
		const double bound = abut_dot3(corner.u, ray->D) / abut_dot3(corner.u, corner.s);
		for (int i = 0; i < 3; i++) {
			e[i] = corner.s[i] - ray->D[i] / bound;
		}
		const double error = abut_norm3(e) / ray->inner;
		if (error <= goal) {
			ray->lower = bound;
			ray->best = corner;
			return error;
		}
		if (!(error < 0.3 * last)) {
			break;
		}
		last = error;
		c[0] -= turn(ray, e, second) / area;
		c[1] -= turn(ray, first, e) / area;
	}
	return (double)INFINITY;
}

/* --- solving --- */

static void end_at_best(const Ray *ray, double error, AbutGrowth *out)
{
	out->alpha = ray->lower;
	out->error = error;
	abut_copy3(ray->best.u, out->normal);
	out->height = abut_dot3(ray->best.u, ray->best.s);
	out->supports = ray->supports;
}

/* Where the answer is one corner: the point is the same from either side but for the rest of the ray's error. */
static void point_at_corner(const Ray *ray, AbutGrowth *out)
{
	for (int i = 0; i < 3; i++) {
		const double from_a = ray->side[0]->centre[i] + out->alpha * ray->best.a[i];
		const double from_b = ray->side[1]->centre[i] + out->alpha * ray->best.b[i];
		out->point[i] = 0.5 * (from_a + from_b);
	}
}

static void point_in_portal(const Ray *ray, const double w[3], AbutGrowth *out)
{
	for (int i = 0; i < 3; i++) {
		out->point[i] = ray->side[0]->centre[i];
		for (int j = 0; j < 3; j++) {
			out->point[i] += w[j] * ray->portal[j].a[i];
		}
	}
}

/* Moves the portal outwards until the bounds meet. */
static bool refine(Ray *ray, AbutGrowth *out)
{
	double polish_below = 0.02, upper = (double)INFINITY;
	for (;;) {
		Corner *p = ray->portal, corner;
		double n[3], first[3], second[3], w[3];
		edges(p, first, second);
		abut_cross3(first, second, n);
		const double height = abut_dot3(n, p[0].s);
		const bool flat = !(height > 0.0);
		if (!flat) {
			upper = abut_min(upper, abut_dot3(n, ray->D) / height);
			const double gap = upper - ray->lower;
			if (gap > goal * upper && gap < polish_below * upper && is_local(p)) {
				shares(ray, w);
				const double error = polish(ray, w);
				if (isfinite(error)) {
					end_at_best(ray, error * ray->lower, out);
					point_at_corner(ray, out);
					return true;
				}
				polish_below = 0.03 * gap / upper;
			}
			if (gap > goal * upper && ray->supports < most_supports) {
				support(ray, n, &corner);
				if (abut_dot3(n, corner.s) - height > 1e-15 * height &&
				    upper - ray->lower > goal * upper) {
					p[gives_way(ray, &corner)] = corner;
					continue;
				}
			}
		}
		shares(ray, w);
		end_at_best(ray, abut_max(upper - ray->lower, 0.0), out);
		point_in_portal(ray, w, out);
		return out->error <= enough * ray->lower;
	}
}

/* The corners along the last directions; true when the ray passes between them. */
static bool resume(Ray *ray, const AbutGrowthStart *start)
{
	for (int i = 0; i < 3; i++) {
		double n[3];
		abut_mat3_vec(ray->side[0]->M, start->direction[i], n);
		support(ray, n, &ray->portal[i]);
	}
	return holds_ray(ray);
}

/* Where C has an edge across u, as polytopes with parallel edges often have, rounding would choose its end: each
 * corner's direction is turned a little away from the other two. */
static void remember(const Ray *ray, AbutGrowthStart *start)
{
	static const double turned = 1e-3;
	start->known = true;
	for (int i = 0; i < 3; i++) {
		const double *s = ray->portal[i].s, *t = ray->portal[(i + 1) % 3].s, *r = ray->portal[(i + 2) % 3].s;
		double away[3], u[3];
		for (int j = 0; j < 3; j++) {
			away[j] = s[j] - 0.5 * (t[j] + r[j]);
		}
		const double length = abut_norm3(away);
		for (int j = 0; j < 3; j++) {
			u[j] = ray->portal[i].u[j] + (length > 0.0 ? turned / length * away[j] : 0.0);
		}
		abut_mat3_tvec(ray->side[0]->M, u, start->direction[i]);
	}
}

static void at_one_centre(Ray *ray, AbutGrowth *out)
{
	const double *M = ray->side[0]->M;
	const double z[3] = {M[2], M[5], M[8]};
	support(ray, z, &ray->best);
	ray->lower = 0.0;
	end_at_best(ray, 0.0, out);
	abut_copy3(ray->side[0]->centre, out->point);
}

bool abut_growth_solve(const AbutGrowthSide *a, const AbutGrowthSide *b, AbutGrowthStart *start, AbutGrowth *out)
{
	Ray ray = {.side = {a, b}, .inner = a->shape->inner_radius + b->shape->inner_radius};
	for (int i = 0; i < 3; i++) {
		ray.D[i] = b->centre[i] - a->centre[i];
	}
	if (!(abut_dot3(ray.D, ray.D) > 0.0)) {
		at_one_centre(&ray, out);
		return true;
	}
	const Search found = start->known && resume(&ray, start) ? SEARCH_PORTAL : find_portal(&ray);
	start->known = false;
	if (found != SEARCH_PORTAL) {
		end_at_best(&ray, found == SEARCH_CORNER ? 0.0 : (double)INFINITY, out);
		point_at_corner(&ray, out);
		return found == SEARCH_CORNER;
	}
	const bool solved = refine(&ray, out);
	remember(&ray, start);
	return solved;
}
