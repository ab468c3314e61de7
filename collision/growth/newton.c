/* Computes the growth distance by Newton's method on its polar form. With m = n / h_C(n) in place of the normal n,
 *
 *     alpha = max { m.D : h_C(m) <= 1 },      h_C = max of H_i,      H_i(m) = c_i.m + reach of the round parts along m.
 *
 * Each i is a pair of one piece of each shape, and c_i the difference of their centres (shapes/support/support.h). At
 * most three of these pairs are active at the optimum. Let s_i(m) = dH_i/dm, which is a point of C, and let the shares
 * v_i >= 0 be the multipliers. At the optimum,
 *
 *     D = sum v_i s_i(m),     s_i(m).m = 1,     alpha = sum v_i.
 *
 * Let S be the matrix of the columns s_i, and Q = sum v_i d s_i / dm, which is positive semidefinite with Q m = 0.
 * Newton's method solves
 *
 *     [ Q   S ] [ dm ]   [ D       ]
 *     [ S'  0 ] [ v  ] = [ 1 - S'm ]                                                                             (1)
 *
 * (collision/growth/pieces.c). Steps that decrease m.D / h_C(m) are rejected. If a step does so, either an inactive
 * pair has become relevant, which then becomes active, or the step was too long. Then the point of C found there bounds
 * the next step.
 *
 * Every m gives a lower bound of alpha, m.D / h_C(m). C contains a ball whose radius r is the sum of the shapes' inner
 * radii; therefore alpha is at most sum v_i + |D - sum v_i s_i| / r. Tested in tests/collision/test_growth.c. */
#include "collision/growth/newton.h"

#include <math.h>

#include "base/vec3.h"
#include "collision/growth/pieces.h"
#include "shapes/support/support.h"

/* Relative to the lower bound of alpha. */
static const double rounding = 1e-14;

/* Angle from the axis towards the rim (rad): the next direction if the flat end is not the answer. */
static const double aside = 1e-2;

/* At the flat end of a cylinder or a cone, h_C is not differentiable along the axis, so Newton's method fails; a closed
 * form replaces it. Let q be the point of the other shape that is furthest along the axis, and `centre` the disc's
 * centre. The ray leaves through the end if
 *
 *     t = D / alpha - (centre - q),    alpha = axis.D / axis.(centre - q),
 *
 * lies in the disc. Otherwise, turning the axis towards t increases the bound, provided that the axis has the largest
 * bound so far. */
bool abut_growth_end(AbutRay *ray, const AbutPieces *pieces, int k, double n[3], AbutGrowth *out)
{
	const AbutGrowthSide *flat = ray->side[k];
	const double *disc = pieces->piece[k].centre, before = ray->lower;
	const double sign = k == 0 ? 1.0 : -1.0, outwards = disc[2] > 0.0 ? sign : -sign;
	double back[3], centre[3], q[3], t[3];
	AbutCorner end;
	for (int i = 0; i < 3; i++) {
		end.u[i] = outwards * flat->M[3 * i + 2];
		back[i] = -sign * end.u[i];
		n[i] = 0.0;
	}
	abut_growth_reach(ray->side[1 - k], back, q);
	abut_mat3_vec(flat->M, disc, centre);
	abut_add3(centre, flat->offset, centre);
	abut_sub3(centre, q, end.s);
	abut_scale3(sign, end.s, end.s);
	ray->supports++;
	const double height = abut_ray_bound(ray, &end), alpha = abut_dot3(end.u, ray->D) / height;
	if (!(alpha > 0.0 && alpha >= before * (1.0 - rounding))) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		t[i] = ray->D[i] / alpha - end.s[i];
	}
	const double length = abut_norm3(t);
	if (length > flat->radii[0]) {
		abut_add_scaled3(end.u, aside / length, t, n);
		return false;
	}
	*out = (AbutGrowth){.alpha = alpha,
	                    .error = alpha * fabs(abut_dot3(end.u, t)) / height,
	                    .height = height,
	                    .supports = ray->supports};
	abut_copy3(end.u, out->normal);
	for (int i = 0; i < 3; i++) {
		const double a = k == 0 ? centre[i] + t[i] : q[i];
		out->point[i] = ray->side[0]->centre[i] + alpha * a;
	}
	return true;
}

enum { most_steps = 20, most_idle = 3 };

/* Relative to alpha: the accuracy aimed at; the error that is accepted if steps no longer reduce it; and the largest
 * gain that does not count as progress. */
static const double goal = 1e-11, enough = 1e-10, idle = 1e-9;

/* A round part with radii r. Its furthest point along m = u / height is e = r o (r o u) / |r o u| (o: product by
 * components), with
 *
 *     de/dm = (diag(r o r) - e e') / |r o m|      in the own frame,  (P - e e') / |r o m|  with  P = M diag(r o r) M'
 *
 * in the world. */
typedef struct Round {
	bool any;
	double P[6];
} Round;

static void place_round(const AbutGrowthSide *side, Round *out)
{
	const double *M = side->M, *r = side->radii;
	const double x = r[0] * r[0], y = r[1] * r[1], z = r[2] * r[2];
	out->any = x > 0.0;
	for (int i = 0, k = 0; i < 3; i++) {
		for (int j = i; j < 3; j++, k++) {
			out->P[k] =
			    x * M[3 * i] * M[3 * j] + y * M[3 * i + 1] * M[3 * j + 1] + z * M[3 * i + 2] * M[3 * j + 2];
		}
	}
}

/* Computes de/dm = height de/du of a smooth shape at the unit vector `sign` u, in the world. */
static void bend_smooth(const AbutGrowthSide *side, const double u[3], double sign, double height, double out[6])
{
	double own_u[3], point[3], own[9], turned[9], world[9];
	abut_mat3_tvec(side->M, u, own_u);
	abut_scale3(sign, own_u, own_u);
	abut_shape_smooth_own(side->shape, own_u, point, own);
	abut_mat3_mul(side->M, own, turned);
	abut_mat3_mul_transposed(turned, side->M, world);
	for (int i = 0, k = 0; i < 3; i++) {
		for (int j = i; j < 3; j++, k++) {
			out[k] = height * world[3 * i + j];
		}
	}
}

static void bend(const Round *round, const double e[3], double scale, double out[6])
{
	for (int i = 0, k = 0; i < 3; i++) {
		for (int j = i; j < 3; j++, k++) {
			out[k] = scale * (round->P[k] - e[i] * e[j]);
		}
	}
}

/* Evaluates the support functions of both shapes along n, of any length. */
static void look(AbutRay *ray, const Round rounds[2], const double n[3], AbutView *out)
{
	double reach[2];
	const double height = abut_ray_support(ray, n, &out->corner, out->round, reach);
	abut_divide3(out->corner.u, height, out->m);
	for (int k = 0; k < 2; k++) {
		if (ray->side[k]->shape->smooth) {
			bend_smooth(ray->side[k], out->corner.u, k == 0 ? 1.0 : -1.0, height, out->bend[k]);
		} else {
			bend(&rounds[k], out->round[k], reach[k] > 0.0 ? height / reach[k] : 0.0, out->bend[k]);
		}
	}
	out->bound = abut_dot3(out->m, ray->D);
}

/* Returns the upper bound of alpha. `left` becomes D - sum v_i s_i. */
static double upper_bound(const AbutRay *ray, const AbutPieceSet *set, double left[3])
{
	const double r = ray->side[0]->shape->inner_radius + ray->side[1]->shape->inner_radius;
	double sum = 0.0;
	abut_copy3(ray->D, left);
	for (int j = 0; j < set->count; j++) {
		const AbutMember *p = &set->member[j];
		sum += p->v;
		abut_add_scaled3(left, -p->v, p->s, left);
	}
	return sum + abut_norm3(left) / r;
}

typedef struct Search {
	AbutRay *ray;
	Round round[2];
	AbutView views[2], *at, *next;
	AbutPieceSet set;
	double error;   /* upper minus lower bound of alpha after the last step */
	double left[3]; /* D - sum v_i s_i after the last step */
	int idle;       /* number of steps without progress */
	bool ended[2];  /* whether the flat end of that side has been tried */
} Search;

static void go_on(Search *search)
{
	AbutView *old = search->at;
	search->at = search->next;
	search->next = old;
	abut_pieces_look(&search->set, search->at);
	abut_pieces_admit(&search->set, search->ray, search->at, &search->at->corner.pieces, 0.0);
}

static void begin(Search *search, AbutRay *ray, const double n[3], const AbutGrowthContact *contact)
{
	AbutPieceSet *set = &search->set;
	search->ray = ray;
	search->at = &search->views[0];
	search->next = &search->views[1];
	search->error = (double)INFINITY;
	search->idle = 0;
	search->ended[0] = search->ended[1] = false;
	set->count = set->total = 0;
	set->last = ABUT_MEMBERS;
	set->caution = 1.0;
	place_round(ray->side[0], &search->round[0]);
	place_round(ray->side[1], &search->round[1]);
	look(ray, search->round, n, search->at);
	for (int j = 0; j < contact->count; j++) {
		abut_pieces_admit(set, ray, search->at, &contact->member[j], contact->v[j]);
	}
	abut_pieces_admit(set, ray, search->at, &search->at->corner.pieces,
	                  contact->count > 0 ? 0.0 : search->at->bound);
}

/* Returns whether the solution of (1) is accurate enough; `next` is the view along its m. */
static bool is_answer(Search *search)
{
	const double upper = upper_bound(search->ray, &search->set, search->left), error = upper - search->next->bound;
	const bool ends = error <= goal * upper || (error <= enough * upper && error > 0.5 * search->error);
	search->error = error;
	return ends;
}

/* Writes the answer. alpha is the bound at the last m, which is the best one up to rounding; its normal is far more
 * accurate than those before. The point, relative to a's centre, is sum v_i a_i plus a's share of D - sum v_i s_i, in
 * proportion to the inner radii. The point of the upper bound lies in both scaled shapes. At the side of a cylinder,
 * for example, the inner spheres reach as far along n as the shapes. There the bound is sharp although much of D - sum
 * v_i s_i is along n (an error of the shares), and sum v_i a_i alone would lie outside one shape. Tested by
 * collide/is_certified_for_all_pairs and collide/warm_is_cold. */
static void read_answer(const Search *search, AbutGrowthContact *contact, AbutGrowth *out)
{
	const AbutView *view = search->next;
	const AbutPieceSet *set = &search->set;
	const AbutGrowthSide *side = search->ray->side[0];
	const double r = side->shape->inner_radius, share = r / (r + search->ray->side[1]->shape->inner_radius);
	*out = (AbutGrowth){.alpha = view->bound,
	                    .error = abut_max(search->error, 0.0),
	                    .height = abut_dot3(view->corner.u, view->corner.s),
	                    .supports = search->ray->supports};
	abut_copy3(view->corner.u, out->normal);
	abut_add_scaled3(side->centre, share, search->left, out->point);
	for (int j = 0; j < set->count; j++) {
		const AbutMember *p = &set->member[j];
		const AbutPiece *piece = &p->pieces.piece[0];
		double a[3];
		abut_mat3_vec(side->M, piece->centre, a);
		for (int i = 0; i < 3; i++) {
			out->point[i] += p->v * (a[i] + side->offset[i] + (piece->round ? view->round[0][i] : 0.0));
		}
		contact->member[j] = p->pieces;
		contact->v[j] = p->v;
	}
	contact->count = set->count;
	abut_mat3_tvec(side->M, view->m, contact->m);
}

/* Accepts a step that does not decrease the bound. Returns false after too many steps without progress. */
static bool accept(Search *search)
{
	const bool known = abut_pieces_know(&search->set, &search->next->corner.pieces);
	if (search->next->bound <= search->at->bound * (1.0 + idle) && ++search->idle > most_idle) {
		return false;
	}
	if (search->set.cautious && known) {
		search->set.caution *= 0.1; /* the step was too short to reach another piece */
	}
	go_on(search);
	return true;
}

/* Rejects a step that decreases the bound. Returns true if the step has crossed a flat end and this end is the answer.
 */
static bool reject(Search *search, AbutGrowthContact *contact, AbutGrowth *out)
{
	AbutRay *ray = search->ray;
	const AbutCorner corner = search->next->corner;
	abut_pieces_look(&search->set, search->at);
	if (!abut_pieces_know(&search->set, &corner.pieces)) {
		abut_pieces_admit(&search->set, ray, search->at, &corner.pieces, 0.0);
		return false;
	}
	abut_pieces_admit_point(&search->set, ray, search->at, &corner);
	for (int k = 0; k < 2; k++) {
		double n[3];
		if (search->ended[k] || !corner.pieces.piece[k].round || ray->side[k]->radii[2] > 0.0) {
			continue;
		}
		search->ended[k] = true;
		if (abut_growth_end(ray, &corner.pieces, k, n, out)) {
			contact->end = k + 1;
			contact->member[0] = corner.pieces;
			return true;
		}
		if (abut_dot3(n, n) > 0.0) {
			look(ray, search->round, n, search->next);
			if (search->next->bound > search->at->bound) {
				go_on(search);
			}
		}
	}
	return false;
}

bool abut_growth_newton(AbutRay *ray, const double n[3], AbutGrowthContact *contact, AbutGrowth *out)
{
	Search search;
	begin(&search, ray, n, contact);
	contact->count = contact->end = 0;
	for (int i = 0; i < most_steps; i++) {
		double m[3];
		if (!abut_pieces_step(&search.set, ray, search.at)) {
			return false;
		}
		abut_add3(search.at->m, search.set.dm, m);
		if (!(abut_dot3(m, ray->D) > 0.0)) {
			return false;
		}
		look(ray, search.round, m, search.next);
		abut_pieces_look(&search.set, search.next);
		if (is_answer(&search)) {
			read_answer(&search, contact, out);
			return true;
		}
		if (search.next->bound < search.at->bound) {
			if (reject(&search, contact, out)) {
				return true;
			}
		} else if (!accept(&search)) {
			return false;
		}
	}
	return false;
}
