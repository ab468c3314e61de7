/* Where a ray from inside leaves a convex set that is known by its support function: a triangle of boundary points that
 * the ray passes (the portal) is moved outwards, one point at a time, until it lies in a face. Polytopes end after some
 * eight supports. Where the boundary is curved each support about halves the distance: some 35 to rounding. */
#include "collision/growth.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/support.h"

enum { most_supports = 200, most_first = 50 };

/* Relative to alpha: what is aimed at, and what counts as solved. */
static const double goal = 1e-12, enough = 1e-9;

/* A boundary point s = a - b of C where the normal is u, |u| = 1. */
typedef struct Corner {
	double u[3], s[3], a[3], b[3];
} Corner;

typedef struct Ray {
	const AbutGrowthSide *side[2];
	double D[3];
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

double abut_growth_reach(const AbutGrowthSide *side, const double u[3], double point[3])
{
	double own[3], local[3];
	abut_mat3_tvec(side->M, u, own);
	abut_shape_support_own(side->shape, own, local);
	abut_mat3_vec(side->M, local, point);
	for (int i = 0; i < 3; i++) {
		point[i] += side->offset[i];
	}
	return abut_dot3(u, point);
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
	abut_growth_reach(ray->side[0], out->u, out->a);
	abut_growth_reach(ray->side[1], minus, out->b);
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

/* The portal's plane meets the ray at an upper bound of alpha; the corner along its normal gives a lower one and takes
 * a place in the portal. False when the bounds have met, or when rounding leaves nothing beyond the plane. */
static bool move_outwards(Ray *ray, double *upper)
{
	Corner *p = ray->portal, corner;
	double n[3], first[3], second[3];
	edges(p, first, second);
	abut_cross3(first, second, n);
	const double height = abut_dot3(n, p[0].s);
	if (!(height > 0.0)) {
		return false;
	}
	*upper = abut_min(*upper, abut_dot3(n, ray->D) / height);
	if (*upper - ray->lower <= goal * *upper || ray->supports >= most_supports) {
		return false;
	}
	support(ray, n, &corner);
	if (*upper - ray->lower <= goal * *upper || abut_dot3(n, corner.s) - height <= 1e-15 * height) {
		return false;
	}
	p[gives_way(ray, &corner)] = corner;
	return true;
}

static bool refine(Ray *ray, AbutGrowth *out)
{
	double upper = (double)INFINITY, w[3];
	while (move_outwards(ray, &upper)) {
	}
	shares(ray, w);
	end_at_best(ray, abut_max(upper - ray->lower, 0.0), out);
	point_in_portal(ray, w, out);
	return out->error <= enough * ray->lower;
}

/* Whether the portal faces the ray, ahead of its start: corners that coincide or lie in a plane with it do not. */
static bool faces_ray(const Ray *ray)
{
	double n[3], first[3], second[3];
	edges(ray->portal, first, second);
	abut_cross3(first, second, n);
	return abut_dot3(n, ray->portal[0].s) > 0.0 &&
	       abut_dot3(n, ray->D) > 1e-12 * abut_norm3(first) * abut_norm3(second) * abut_norm3(ray->D);
}

/* The corners along the last directions; true when the ray passes between them. */
static bool resume(Ray *ray, const AbutGrowthStart *start)
{
	for (int i = 0; i < 3; i++) {
		double n[3];
		abut_mat3_vec(ray->side[0]->M, start->direction[i], n);
		support(ray, n, &ray->portal[i]);
	}
	return holds_ray(ray) && faces_ray(ray);
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
	Ray ray = {.side = {a, b}};
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
