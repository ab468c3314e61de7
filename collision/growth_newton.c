/* The growth distance by its polar: with m = n / h_C(n) instead of the normal n,
 *
 *     alpha = max { m.D : h_C(m) <= 1 },      h_C = max of H_i,     H_i(m) = c_i.m + (reach of the round parts along m)
 *
 * over the pairs i of a piece of each shape, c_i the difference of their centres. At most three pairs meet at the
 * optimum. With s_i = dH_i/dm, which are points of C, and v_i >= 0 their multipliers,
 *
 *     D = sum v_i s_i(m),     s_i(m).m = 1,     alpha = sum v_i,
 *
 * and Newton's method for these, with the curvature  Q = sum v_i d2H_i/dm2  (Q m = 0), is
 *
 *     [ Q   S ] [ dm ]   [ D       ]
 *     [ S'  0 ] [ v  ] = [ 1 - S'm ]                                                                             (1)
 *
 * Any m bounds alpha from below by m.D / h_C(m); and since C holds a ball of radius r, the sum of the shapes' inner
 * radii, v and what is left of D bound it from above by sum v_i + |D - sum v_i s_i| / r. Tested in
 * tests/collision/test_growth.c. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "collision/growth_parts.h"
#ifndef FLAT
#define FLAT 1
#endif
#define REG 1.0
#define NEWTON_GOAL 1e-11
#ifndef DEBUG
#define DEBUG
#else
#include <stdio.h>
#include <stdlib.h>
#undef DEBUG
#define DEBUG {if(getenv("DBG")){printf("  it %d sup %d upper %.10g lower %.10g at %.8g next %.8g m %.5g %.5g %.5g -> %.5g %.5g %.5g v",i,ray->supports,upper,ray->lower,at->bound,next->bound,at->m[0],at->m[1],at->m[2],next->m[0],next->m[1],next->m[2]);for(int q=0;q<active.count;q++)printf(" [%d %d] %.4g",active.member[q].pieces.piece[0].index,active.member[q].pieces.piece[1].index,active.member[q].v);printf(" new [%d %d]\n",next->corner.pieces.piece[0].index,next->corner.pieces.piece[1].index);}}
#endif

enum { most_steps = 20 };

typedef struct Member {
	AbutPieces pieces;
	double centre[3]; /* of the first less that of the second, about the shapes' centres, world */
	double s[3], v;
} Member;

/* C along a direction m with h_C(m) = 1. */
typedef struct View {
	double m[3], bound;
	double round[2][3]; /* points of the round parts, world */
	double bend[2][6];  /* and their derivatives with respect to m */
	AbutCorner corner;  /* the pieces that are furthest along m */
} View;

enum { most_members = 8 };

/* Pieces that have been met: the first `count` are held for active, the rest is kept. */
typedef struct Active {
	int count, total;
	Member member[most_members];
	double dm[3];
	double reg;
	bool weak;
	int oldest;
} Active;

/* --- */

static void place_member(const AbutRay *ray, const AbutPieces *pieces, double v, Member *out)
{
	double a[3], b[3];
	out->pieces = *pieces;
	out->v = v;
	abut_mat3_vec(ray->side[0]->M, pieces->piece[0].centre, a);
	abut_mat3_vec(ray->side[1]->M, pieces->piece[1].centre, b);
	for (int i = 0; i < 3; i++) {
		out->centre[i] = a[i] + ray->side[0]->offset[i] - b[i] - ray->side[1]->offset[i];
	}
}

/* s_i along the direction of the view. */
static void look(const View *view, Active *active)
{
	for (int j = 0; j < active->total; j++) {
		Member *p = &active->member[j];
		abut_copy3(p->centre, p->s);
		for (int i = 0; i < 3; i++) {
			p->s[i] += p->pieces.piece[0].round ? view->round[0][i] : 0.0;
			p->s[i] -= p->pieces.piece[1].round ? view->round[1][i] : 0.0;
		}
	}
}

/* out = M own M', both symmetric [xx, xy, xz, yy, yz, zz]. */
static void turn_symmetric(const double M[9], const double own[6], double out[6])
{
	double T[3][3];
	for (int i = 0; i < 3; i++) {
		const double *row = &M[3 * i];
		T[i][0] = row[0] * own[0] + row[1] * own[1] + row[2] * own[2];
		T[i][1] = row[0] * own[1] + row[1] * own[3] + row[2] * own[4];
		T[i][2] = row[0] * own[2] + row[1] * own[4] + row[2] * own[5];
	}
	for (int i = 0, k = 0; i < 3; i++) {
		for (int j = i; j < 3; j++, k++) {
			out[k] = abut_dot3(T[i], &M[3 * j]);
		}
	}
}

static void times_symmetric(const double Q[6], const double x[3], double out[3])
{
	out[0] = Q[0] * x[0] + Q[1] * x[1] + Q[2] * x[2];
	out[1] = Q[1] * x[0] + Q[3] * x[1] + Q[4] * x[2];
	out[2] = Q[2] * x[0] + Q[4] * x[1] + Q[5] * x[2];
}

/* Both shapes along n, of any length. */
static void evaluate(AbutRay *ray, const double n[3], View *out)
{
	const double scale = 1.0 / abut_norm3(n);
	AbutCorner *corner = &out->corner;
	double *const point[2] = {corner->a, corner->b};
	for (int i = 0; i < 3; i++) {
		corner->u[i] = scale * n[i];
	}
	for (int k = 0; k < 2; k++) {
		const AbutGrowthSide *side = ray->side[k];
		const double sign = k == 0 ? 1.0 : -1.0;
		const double u[3] = {sign * corner->u[0], sign * corner->u[1], sign * corner->u[2]};
		AbutPiece *piece = &corner->pieces.piece[k];
		double own_u[3], own[3], bend[6];
		abut_mat3_tvec(side->M, u, own_u);
		abut_shape_piece_own(side->shape, own_u, piece);
		abut_mat3_vec(side->M, piece->centre, point[k]);
		if (abut_shape_round(side->shape) != ABUT_ROUND_NONE) {
			abut_shape_round_own(side->shape, own_u, own);
			abut_mat3_vec(side->M, own, out->round[k]);
			abut_shape_bend_own(side->shape, own_u, own, bend);
			turn_symmetric(side->M, bend, out->bend[k]);
		} else {
			memset(out->round[k], 0, sizeof out->round[k]);
			memset(out->bend[k], 0, sizeof out->bend[k]);
		}
		for (int i = 0; i < 3; i++) {
			point[k][i] += side->offset[i] + (piece->round ? out->round[k][i] : 0.0);
		}
	}
	for (int i = 0; i < 3; i++) {
		corner->s[i] = corner->a[i] - corner->b[i];
	}
	const double height = abut_dot3(corner->u, corner->s);
	for (int i = 0; i < 3; i++) {
		out->m[i] = corner->u[i] / height;
	}
	for (int i = 0; i < 6; i++) {
		out->bend[0][i] *= height;
		out->bend[1][i] *= height;
	}
	out->bound = abut_dot3(out->m, ray->D);
	ray->supports++;
	abut_ray_bound(ray, corner, height);
}

static bool same_pieces(const AbutPieces *p, const AbutPieces *q)
{
	return p->piece[0].index >= 0 && p->piece[0].index == q->piece[0].index && p->piece[1].index == q->piece[1].index;
}

/* The place of the pieces among the members, or -1. */
static int find(const Active *active, const AbutPieces *pieces)
{
	for (int j = 0; j < active->total; j++) {
		if (same_pieces(&active->member[j].pieces, pieces)) {
			return j;
		}
	}
	return -1;
}

/* --- (1) --- */

static void curvature(const View *view, const Active *active, double Q[6])
{
	double share[2] = {0.0, 0.0};
	for (int j = 0; j < active->count; j++) {
		for (int k = 0; k < 2; k++) {
			share[k] += active->member[j].pieces.piece[k].round ? active->member[j].v : 0.0;
		}
	}
	for (int i = 0; i < 6; i++) {
		Q[i] = share[0] * view->bend[0][i] + share[1] * view->bend[1][i];
	}
}

/* One piece: dm across s by the 2 x 2 that is left of Q there. */
static bool solve_one(Active *active, const double m[3], double Q[6], const double D[3], bool retry)
{
	Member *p = active->member;
	const double square = abut_dot3(p->s, p->s), rest = 1.0 - abut_dot3(p->s, m);
	const double size[3] = {fabs(p->s[0]), fabs(p->s[1]), fabs(p->s[2])};
	const int least = size[0] <= size[1] ? (size[0] <= size[2] ? 0 : 2) : (size[1] <= size[2] ? 1 : 2);
	double axis[3] = {0.0, 0.0, 0.0}, b[2][3], Qb[2][3], along[3], left[3];
	axis[least] = 1.0;
	abut_cross3(p->s, axis, b[0]);
	const double scale = 1.0 / abut_norm3(b[0]), other = 1.0 / sqrt(square);
	abut_cross3(p->s, b[0], b[1]);
	for (int i = 0; i < 3; i++) {
		b[0][i] *= scale;
		b[1][i] *= scale * other;
		active->dm[i] = rest / square * p->s[i];
	}
	times_symmetric(Q, b[0], Qb[0]);
	times_symmetric(Q, b[1], Qb[1]);
	times_symmetric(Q, active->dm, along);
	for (int i = 0; i < 3; i++) {
		left[i] = D[i] - along[i];
	}
	const double Q00 = abut_dot3(b[0], Qb[0]), Q01 = abut_dot3(b[0], Qb[1]), Q11 = abut_dot3(b[1], Qb[1]);
	const double determinant = Q00 * Q11 - Q01 * Q01, trace = Q00 + Q11;
	if (!(determinant > 1e-13 * trace * trace) || !(trace > 0)) {
		const double lambda = abut_dot3(D, m) * square * active->reg;
		active->weak = true;
		Q[0] += lambda; Q[3] += lambda; Q[5] += lambda;
		return retry ? false : solve_one(active, m, Q, D, true);
	}
	const double r0 = abut_dot3(b[0], left), r1 = abut_dot3(b[1], left);
	const double x = (Q11 * r0 - Q01 * r1) / determinant, y = (Q00 * r1 - Q01 * r0) / determinant;
	for (int i = 0; i < 3; i++) {
		active->dm[i] += x * b[0][i] + y * b[1][i];
		left[i] -= x * Qb[0][i] + y * Qb[1][i];
	}
	p->v = abut_dot3(p->s, left) / square;
	return true;
}

/* Two: dm along the one direction q across both. */
static bool solve_two(Active *active, const double m[3], double Q[6], const double D[3], bool retry)
{
	Member *p = active->member;
	double q[3], dual[2][3], Qq[3], along[3], left[3];
	abut_cross3(p[0].s, p[1].s, q);
	const double square = abut_dot3(q, q);
	abut_cross3(p[1].s, q, dual[0]);
	abut_cross3(q, p[0].s, dual[1]);
	const double r0 = 1.0 - abut_dot3(p[0].s, m), r1 = 1.0 - abut_dot3(p[1].s, m);
	for (int i = 0; i < 3; i++) {
		active->dm[i] = (r0 * dual[0][i] + r1 * dual[1][i]) / square;
	}
	times_symmetric(Q, q, Qq);
	times_symmetric(Q, active->dm, along);
	const double stiff = abut_dot3(q, Qq);
	if (!(stiff > 1e-13 * (Q[0] + Q[3] + Q[5]) * square) || !(square > 0)) {
		const double lambda = abut_dot3(D, m) * abut_dot3(p[0].s, p[0].s) * active->reg;
		active->weak = true;
		Q[0] += lambda; Q[3] += lambda; Q[5] += lambda;
		return retry ? false : solve_two(active, m, Q, D, true);
	}
	for (int i = 0; i < 3; i++) {
		left[i] = D[i] - along[i];
	}
	const double x = abut_dot3(q, left) / stiff;
	for (int i = 0; i < 3; i++) {
		active->dm[i] += x * q[i];
		left[i] -= x * Qq[i];
	}
	p[0].v = abut_dot3(dual[0], left) / square;
	p[1].v = abut_dot3(dual[1], left) / square;
	return true;
}

/* Three: the normal of the plane through them. */
static bool solve_three(Active *active, const double m[3], double Q[6], const double D[3])
{
	Member *p = active->member;
	double dual[3][3], along[3];
	for (int j = 0; j < 3; j++) {
		abut_cross3(p[(j + 1) % 3].s, p[(j + 2) % 3].s, dual[j]);
	}
	const double determinant = abut_dot3(p[0].s, dual[0]);
	if (determinant == 0.0) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		active->dm[i] = 0.0;
	}
	for (int j = 0; j < 3; j++) {
		const double rest = (1.0 - abut_dot3(p[j].s, m)) / determinant;
		for (int i = 0; i < 3; i++) {
			active->dm[i] += rest * dual[j][i];
		}
	}
	times_symmetric(Q, active->dm, along);
	for (int j = 0; j < 3; j++) {
		p[j].v = (abut_dot3(dual[j], D) - abut_dot3(dual[j], along)) / determinant;
	}
	return true;
}

static bool solve(Active *active, const double m[3], double Q[6], const double D[3])
{
	switch (active->count) {
	case 1:
		return solve_one(active, m, Q, D, false);
	case 2:
		return solve_two(active, m, Q, D, false);
	default:
		return solve_three(active, m, Q, D);
	}
}

static void exchange(Active *active, int i, int j)
{
	const Member member = active->member[i];
	active->member[i] = active->member[j];
	active->member[j] = member;
}

/* A member that is not active becomes it, in the place of another where three are. */
static void activate(const AbutRay *ray, Active *active, int index)
{
	active->member[index].v = 0.0;
	if (active->count < 3) {
		exchange(active, active->count++, index);
		return;
	}
	const double *const s[3] = {active->member[0].s, active->member[1].s, active->member[2].s};
	exchange(active, abut_ray_gives_way(ray, s, active->member[index].s), index);
}

/* The member that (1) leaves furthest outside, or -1. */
static int most_violated(const View *view, const Active *active)
{
	double worst = 1e-9;
	int index = -1;
	for (int j = active->count; j < active->total; j++) {
		const double *s = active->member[j].s;
		const double beyond = abut_dot3(s, view->m) + abut_dot3(s, active->dm) - 1.0;
		if (beyond > worst) {
			worst = beyond;
			index = j;
		}
	}
	return index;
}

/* Solves (1); pieces with a negative share leave, members that it violates come in. */
static bool step(const AbutRay *ray, const View *view, Active *active)
{
	double Q[6];
	curvature(view, active, Q);
	active->weak = false;
	for (int i = 0; i < 8; i++) {
		if (!solve(active, view->m, Q, ray->D)) {
			return false;
		}
		int worst = 0;
		for (int j = 1; j < active->count; j++) {
			worst = active->member[j].v < active->member[worst].v ? j : worst;
		}
		if (active->member[worst].v < 0.0) {
			if (active->count == 1) {
				return false;
			}
			exchange(active, worst, --active->count);
			continue;
		}
		const int further = most_violated(view, active);
		if (further < 0) {
			return true;
		}
		activate(ray, active, further);
	}
	return true;
}

/* Room for one more, in the place of one that is not active where there is none. */
static int make_room(Active *active)
{
	if (active->total < most_members) {
		return active->total++;
	}
	active->oldest = active->oldest + 1 < most_members ? active->oldest + 1 : 3;
	return active->oldest;
}

/* Pieces that are furthest along some direction become active. */
static void admit(const AbutRay *ray, const View *view, Active *active, const AbutPieces *pieces)
{
	int index = find(active, pieces);
	if (index < 0) {
		index = make_room(active);
		place_member(ray, pieces, 0.0, &active->member[index]);
		look(view, active);
	}
	if (index >= active->count) {
		activate(ray, active, index);
	}
}

/* The corner as a point, that does not follow the direction. */
static void freeze(const AbutRay *ray, const View *view, Active *active, const AbutCorner *corner)
{
	const double *const point[2] = {corner->a, corner->b};
	AbutPieces pieces;
	for (int k = 0; k < 2; k++) {
		AbutPiece *piece = &pieces.piece[k];
		const AbutGrowthSide *side = ray->side[k];
		double from[3];
		for (int i = 0; i < 3; i++) {
			from[i] = point[k][i] - side->offset[i];
		}
		abut_mat3_tvec(side->M, from, piece->centre);
		piece->index = -1;
		piece->round = false;
	}
	const int index = make_room(active);
	place_member(ray, &pieces, 0.0, &active->member[index]);
	look(view, active);
	activate(ray, active, index);
}

/* --- */

/* The upper bound of alpha: sum v and what is left of D. */
static double upper_bound(const AbutRay *ray, const Active *active)
{
	double left[3], sum = 0.0;
	abut_copy3(ray->D, left);
	for (int j = 0; j < active->count; j++) {
		sum += active->member[j].v;
		for (int i = 0; i < 3; i++) {
			left[i] -= active->member[j].v * active->member[j].s[i];
		}
	}
	return sum + abut_norm3(left) / (ray->side[0]->shape->inner_radius + ray->side[1]->shape->inner_radius);
}

static void read_active(const AbutRay *ray, const View *view, const Active *active, double error, AbutGrowth *out)
{
	abut_ray_end(ray, error, out);
	abut_copy3(ray->side[0]->centre, out->point);
	for (int j = 0; j < active->count; j++) {
		const AbutPiece *piece = &active->member[j].pieces.piece[0];
		double a[3];
		abut_mat3_vec(ray->side[0]->M, piece->centre, a);
		for (int i = 0; i < 3; i++) {
			a[i] += ray->side[0]->offset[i] + (piece->round ? view->round[0][i] : 0.0);
			out->point[i] += active->member[j].v * a[i];
		}
	}
}

static bool flat_ends(AbutRay *ray, AbutGrowth *out, double try[3])
{
	memset(try, 0, 3 * sizeof *try);
	for (int side = 0; side < 2; side++) {
		if (abut_shape_round(ray->side[side]->shape) == ABUT_ROUND_DISC && abut_growth_flat_end(ray, side, out, try)) {
			return true;
		}
	}
	return false;
}

bool abut_growth_newton(AbutRay *ray, AbutGrowthContact *contact, AbutGrowth *out)
{
	Active active = {.count = contact->count, .total = contact->count, .reg = REG};
	View views[2], *at = &views[0], *next = &views[1];
	double n[3];
	bool tried = false;
	abut_mat3_vec(ray->side[0]->M, contact->m, n);
	for (int j = 0; j < active.count; j++) {
		place_member(ray, &contact->member[j], contact->v[j], &active.member[j]);
	}
	contact->count = 0;
	evaluate(ray, n, at);
	look(at, &active);
	admit(ray, at, &active, &at->corner.pieces);
	if (active.count == 1) {
		active.member[0].v = at->bound;
	}
	int stalled = 0;
	double last = INFINITY;
	for (int i = 0; i < most_steps; i++) {
		if (!step(ray, at, &active)) {
			return false;
		}
		for (int j = 0; j < 3; j++) {
			n[j] = at->m[j] + active.dm[j];
		}
		if (!(abut_dot3(n, ray->D) > 0.0)) {
			return false;
		}
		evaluate(ray, n, next);
		look(next, &active);
		const double upper = upper_bound(ray, &active);
	
		DEBUG
		const double error = upper - ray->lower;
		const bool ends = error <= NEWTON_GOAL * upper || (error <= 1e-10 * upper && error > 0.5 * last);
		last = error;
		if (ends) {
			read_active(ray, next, &active, abut_max(upper - ray->lower, 0.0), out);
			contact->count = active.count;
			for (int j = 0; j < active.count; j++) {
				contact->member[j] = active.member[j].pieces;
				contact->v[j] = active.member[j].v;
			}
			abut_mat3_tvec(ray->side[0]->M, next->m, contact->m);
			return true;
		}
		const int known = find(&active, &next->corner.pieces);
		const bool fresh = known < 0 || known >= active.count;
		if (next->bound >= at->bound) {
			if (next->bound <= at->bound * (1 + 1e-9) && ++stalled > 3) {
				return false;
			}
			View *swap = at;
			at = next;
			next = swap;
			if (fresh) {
				admit(ray, at, &active, &at->corner.pieces);
			}
			if (active.weak && !fresh) {
				active.reg *= 0.1;
			}
			continue;
		}
		look(at, &active);
		if (known < 0) {
			admit(ray, at, &active, &next->corner.pieces);
			continue;
		}
		if (FLAT && !tried) {
			tried = true;
			if (flat_ends(ray, out, n)) {
				return true;
			}
			if (n[0] || n[1] || n[2]) {
				View *spare = next;
				View third;
				evaluate(ray, n, &third);
				if (third.bound > at->bound) {
					*spare = third;
					next = at;
					at = spare;
					look(at, &active);
					admit(ray, at, &active, &at->corner.pieces);
					continue;
				}
			}
		}
		freeze(ray, at, &active, &next->corner);
	}
	return false;
}

bool abut_growth_flat_end(AbutRay *ray, int side, AbutGrowth *out, double try[3])
{
	const AbutGrowthSide *flat = ray->side[side], *other = ray->side[1 - side];
	const double *M = flat->M, sign = side == 0 ? 1.0 : -1.0;
	const double axis[3] = {M[2], M[5], M[8]};
	const bool cone = flat->shape->kind == ABUT_SHAPE_CONE;
	const double up = cone ? -1.0 : (sign * abut_dot3(axis, ray->D) > 0.0 ? 1.0 : -1.0); /* of the end, own */
	double n[3], own[3], end[3], s[3], back[3];
	for (int i = 0; i < 3; i++) {
		n[i] = sign * up * axis[i];
		back[i] = -up * axis[i];
	}
	if (!(abut_dot3(n, ray->D) > 0.0)) {
		return false;
	}
	abut_growth_reach(other, back, own);
	const double height = cone ? 0.25 * flat->shape->size[1] : 0.5 * flat->shape->size[1];
	for (int i = 0; i < 3; i++) {
		end[i] = flat->offset[i] + up * height * axis[i];
		s[i] = sign * (end[i] - own[i]);
	}
	ray->supports++;
	const double reach = abut_dot3(n, s), alpha = abut_dot3(n, ray->D) / reach;
	double t[3];
	for (int i = 0; i < 3; i++) {
		t[i] = ray->D[i] / alpha - s[i];
	}
	const double radius = flat->shape->size[0];
	if (abut_dot3(t, t) > radius * radius) {
		if (alpha > ray->lower) {
			const double l = 0.01 / abut_norm3(t);
			for (int i = 0; i < 3; i++) {
				try[i] = n[i] + l * t[i];
			}
		}
		return false;
	}
	out->alpha = alpha;
	out->error = fabs(abut_dot3(n, t)) / reach * alpha;
	out->height = reach;
	out->supports = ray->supports;
	for (int i = 0; i < 3; i++) {
		const double a = side == 0 ? end[i] + t[i] : own[i];
		out->normal[i] = n[i];
		out->point[i] = ray->side[0]->centre[i] + alpha * a;
	}
	return true;
}
