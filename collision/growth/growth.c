/* Computes where a ray from inside a convex set leaves it. The set is known only by its support function. A triangle of
 * boundary points around the ray (the portal) moves outwards, one point at a time, until it lies in a face. Polytopes
 * take about eight support evaluations. On a curved boundary, one evaluation only halves the distance. There Newton's
 * method is tried first, and again from the portal after 1, 2, 4, ... moves. */
#include "collision/growth/growth.h"

#include <math.h>

#include "base/vec3.h"
#include "collision/growth/newton.h"
#include "collision/growth/ray.h"
#include "shapes/support/support.h"

enum { most_moves = 200, most_first = 50 };

/* Errors relative to alpha: the accuracy aimed at, and the largest error that counts as solved. */
static const double goal = 1e-12, enough = 1e-9;

static void ray_support(AbutRay *ray, const double n[3], AbutCorner *out)
{
	double e[2][3], reach[2];
	abut_ray_support(ray, n, out, e, reach);
}

/* --- the portal --- */

typedef enum Search {
	SEARCH_PORTAL, /* three corners around the ray */
	SEARCH_CORNER, /* the first corner lies on the ray: the answer */
	SEARCH_LOST    /* rounding prevents progress */
} Search;

static Search find_portal(AbutRay *ray, AbutCorner p[3])
{
	double n[3];
	ray_support(ray, ray->D, &p[0]);
	abut_cross3(ray->D, p[0].s, n);
	if (abut_norm3(n) <= 1e-14 * abut_norm3(ray->D) * abut_norm3(p[0].s)) {
		return SEARCH_CORNER;
	}
	ray_support(ray, n, &p[1]);
	for (int i = 0; i < most_first; i++) {
		abut_cross3(p[0].s, p[1].s, n);
		if (!(abut_norm3(n) > 0.0)) {
			return SEARCH_LOST;
		}
		ray_support(ray, n, &p[2]);
		if (abut_ray_turn(ray, p[2].s, p[0].s) < 0.0) {
			p[1] = p[2];
		} else if (abut_ray_turn(ray, p[1].s, p[2].s) < 0.0) {
			p[0] = p[2];
		} else {
			return SEARCH_PORTAL;
		}
	}
	return SEARCH_LOST;
}

/* Computes the normal of the portal's plane, of any length. Returns n.s for the plane's points s; it is not positive if
 * rounding makes the portal flat. */
static double plane(const AbutCorner p[3], double n[3])
{
	double first[3], second[3];
	abut_sub3(p[1].s, p[0].s, first);
	abut_sub3(p[2].s, p[0].s, second);
	abut_cross3(first, second, n);
	return abut_dot3(n, p[0].s);
}

static void take_in(const AbutRay *ray, AbutCorner p[3], const AbutCorner *corner)
{
	const double *const s[3] = {p[0].s, p[1].s, p[2].s};
	p[abut_ray_gives_way(ray, s, corner->s)] = *corner;
}

/* Moves the portal outwards. The portal's plane meets the ray at an upper bound of alpha. The corner along the plane's
 * normal gives a lower bound and replaces a corner of the portal. Returns false if the bounds have met, or if the
 * corner, within rounding, is not beyond the plane. */
static bool move_outwards(AbutRay *ray, AbutCorner p[3], double *upper)
{
	AbutCorner corner;
	double n[3];
	const double height = plane(p, n);
	if (!(height > 0.0)) {
		return false;
	}
	*upper = abut_min(*upper, abut_dot3(n, ray->D) / height);
	if (*upper - ray->lower <= goal * *upper) {
		return false;
	}
	ray_support(ray, n, &corner);
	if (*upper - ray->lower <= goal * *upper || abut_dot3(n, corner.s) - height <= 1e-15 * height) {
		return false;
	}
	take_in(ray, p, &corner);
	return true;
}

/* Computes the weights w_i of the corners at the point where the ray meets the portal's plane, scaled so that D = sum
 * w_i s_i. */
static void shares(const AbutRay *ray, const AbutCorner p[3], double w[3])
{
	double n[3], sum = 0.0;
	const double height = plane(p, n), upper = abut_dot3(n, ray->D) / height;
	for (int i = 0; i < 3; i++) {
		w[i] = abut_ray_turn(ray, p[(i + 1) % 3].s, p[(i + 2) % 3].s);
		sum += w[i];
	}
	for (int i = 0; i < 3; i++) {
		w[i] *= sum != 0.0 ? upper / sum : 0.0;
	}
}

static bool same_pieces(const AbutPieces *p, const AbutPieces *q)
{
	return p->piece[0].index == q->piece[0].index && p->piece[1].index == q->piece[1].index;
}

/* Copies the pieces of the portal's corners, their shares and the normal of its plane to `contact`. */
static void read_portal(const AbutRay *ray, const AbutCorner p[3], AbutGrowthContact *contact)
{
	double n[3], w[3];
	const double height = plane(p, n);
	contact->count = 0;
	if (!(height > 0.0)) {
		return;
	}
	shares(ray, p, w);
	for (int i = 0; i < 3; i++) {
		int at = 0;
		while (at < contact->count && !same_pieces(&contact->member[at], &p[i].pieces)) {
			at++;
		}
		if (at == contact->count) {
			contact->member[contact->count++] = p[i].pieces;
			contact->v[at] = 0.0;
		}
		contact->v[at] += w[i];
		n[i] /= height;
	}
	abut_mat3_tvec(ray->side[0]->M, n, contact->m);
}

/* --- solving --- */

/* Writes the largest lower bound of alpha and its direction as the result. */
static void end_at_best(const AbutRay *ray, double error, AbutGrowth *out)
{
	out->alpha = ray->lower;
	out->error = error;
	abut_copy3(ray->u, out->normal);
	out->height = ray->height;
	out->supports = ray->supports;
}

/* Writes the result for one corner. Both sides give the same point up to the remaining error; their mean is used. */
static void end_at_corner(const AbutRay *ray, const AbutCorner *best, double error, AbutGrowth *out)
{
	end_at_best(ray, error, out);
	for (int i = 0; i < 3; i++) {
		const double from_a = ray->side[0]->centre[i] + out->alpha * best->a[i];
		const double from_b = ray->side[1]->centre[i] + out->alpha * best->b[i];
		out->point[i] = 0.5 * (from_a + from_b);
	}
}

static void end_in_portal(const AbutRay *ray, const AbutCorner p[3], double error, AbutGrowth *out)
{
	double w[3];
	shares(ray, p, w);
	end_at_best(ray, error, out);
	for (int i = 0; i < 3; i++) {
		out->point[i] = ray->side[0]->centre[i];
		for (int j = 0; j < 3; j++) {
			out->point[i] += w[j] * p[j].a[i];
		}
	}
}

static bool has_pieces(const AbutRay *ray)
{
	return abut_shape_has_pieces(ray->side[0]->shape) && abut_shape_has_pieces(ray->side[1]->shape);
}

/* Returns whether both shapes have pieces and one has a round part. Newton's method, which moves between pieces, is for
 * such pairs. */
static bool is_curved(const AbutRay *ray)
{
	return has_pieces(ray) && (ray->side[0]->radii[0] > 0.0 || ray->side[1]->radii[0] > 0.0);
}

/* Runs Newton's method from the best direction so far, with the pieces of the portal. */
static bool newton_from_portal(AbutRay *ray, const AbutCorner p[3], AbutGrowthContact *contact, AbutGrowth *out)
{
	read_portal(ray, p, contact);
	return contact->count > 0 && abut_growth_newton(ray, ray->u, contact, out);
}

static bool refine(AbutRay *ray, AbutCorner p[3], AbutGrowthContact *contact, AbutGrowth *out)
{
	const bool curved = is_curved(ray);
	double upper = (double)INFINITY;
	for (int i = 1; i <= most_moves && move_outwards(ray, p, &upper); i++) {
		const bool doubled = (i & (i - 1)) == 0;
		if (curved && doubled && newton_from_portal(ray, p, contact, out)) {
			return true;
		}
	}
	end_in_portal(ray, p, abut_max(upper - ray->lower, 0.0), out);
	if (has_pieces(ray)) {
		read_portal(ray, p, contact);
	}
	return out->error <= enough * ray->lower;
}

static void at_one_centre(AbutRay *ray, AbutGrowth *out)
{
	const double *M = ray->side[0]->M;
	const double z[3] = {M[2], M[5], M[8]};
	AbutCorner corner;
	ray_support(ray, z, &corner);
	abut_copy3(corner.u, ray->u);
	ray->height = abut_dot3(corner.u, corner.s);
	ray->lower = 0.0;
	end_at_best(ray, 0.0, out);
	abut_copy3(ray->side[0]->centre, out->point);
}

/* Runs Newton's method from the last answer, or, if there is none, from the ray's direction. */
static bool newton(AbutRay *ray, AbutGrowthContact *contact, AbutGrowth *out)
{
	double n[3];
	if (contact->end > 0 && abut_growth_end(ray, &contact->member[0], contact->end - 1, n, out)) {
		return true;
	}
	if (contact->count > 0) {
		abut_mat3_vec(ray->side[0]->M, contact->m, n);
		return abut_growth_newton(ray, n, contact, out);
	}
	return is_curved(ray) && abut_growth_newton(ray, ray->D, contact, out);
}

bool abut_growth_solve(const AbutGrowthSide *a, const AbutGrowthSide *b, AbutGrowthContact *contact, AbutGrowth *out)
{
	AbutRay ray = {.side = {a, b}};
	AbutCorner portal[3];
	abut_sub3(b->centre, a->centre, ray.D);
	if (!(abut_dot3(ray.D, ray.D) > 0.0)) {
		contact->count = contact->end = 0;
		at_one_centre(&ray, out);
		return true;
	}
	if (newton(&ray, contact, out)) {
		return true;
	}
	contact->count = contact->end = 0;
	switch (find_portal(&ray, portal)) {
	case SEARCH_PORTAL:
		return refine(&ray, portal, contact, out);
	case SEARCH_CORNER:
		end_at_corner(&ray, &portal[0], 0.0, out);
		return true;
	case SEARCH_LOST:
		break;
	}
	end_at_corner(&ray, &portal[0], (double)INFINITY, out);
	return false;
}

double abut_growth_above_plane(const AbutGrowthSide *shape, const AbutGrowthSide *plane, AbutGrowth *out)
{
	const double *M = plane->M;
	const double down[3] = {-M[2], -M[5], -M[8]};
	double lowest[3], height = -plane->shape->size[0];
	out->height = abut_growth_reach(shape, down, lowest);
	for (int i = 0; i < 3; i++) {
		height -= down[i] * (shape->centre[i] - plane->centre[i] - plane->offset[i]);
	}
	out->alpha = abut_max(height / out->height, 0.0);
	out->error = 0.0;
	out->supports = 1;
	abut_add_scaled3(shape->centre, out->alpha, lowest, out->point);
	abut_copy3(down, out->normal);
	return height - out->height;
}
