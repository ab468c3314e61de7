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

enum { most_steps = 8 };

typedef struct Member {
	AbutPieces pieces;
	double centre[2][3]; /* of either piece about its shape's centre, world */
	double s[3], v;
} Member;

/* The pieces that are held for active, and what of C belongs to m alone. */
typedef struct Active {
	int count;
	Member member[3];
	double m[3], dm[3];
	double round[2][3]; /* points of the round parts, world */
	double bend[2][6];  /* and their derivatives with respect to m */
	bool crossed;       /* the axis of a disc */
} Active;

/* --- */

static void place_member(const AbutRay *ray, const AbutPieces *pieces, double v, Member *out)
{
	out->pieces = *pieces;
	out->v = v;
	for (int k = 0; k < 2; k++) {
		const AbutGrowthSide *side = ray->side[k];
		abut_mat3_vec(side->M, pieces->piece[k].centre, out->centre[k]);
		for (int i = 0; i < 3; i++) {
			out->centre[k][i] += side->offset[i];
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

/* Both shapes at m: round parts, and the pieces that are furthest along it, as a corner. */
static void evaluate(AbutRay *ray, Active *active, AbutCorner *out)
{
	const double length = abut_norm3(active->m), *m = active->m;
	double *const point[2] = {out->a, out->b};
	for (int k = 0; k < 2; k++) {
		const AbutGrowthSide *side = ray->side[k];
		const double sign = k == 0 ? 1.0 : -1.0;
		double u[3], own[3], bend[6];
		for (int i = 0; i < 3; i++) {
			u[i] = sign / length * m[i];
		}
		abut_mat3_tvec(side->M, u, u);
		AbutPiece *piece = &out->pieces.piece[k];
		abut_shape_piece_own(side->shape, u, piece);
		abut_shape_round_own(side->shape, u, own);
		abut_mat3_vec(side->M, own, active->round[k]);
		abut_shape_bend_own(side->shape, u, own, bend);
		turn_symmetric(side->M, bend, active->bend[k]);
		abut_mat3_vec(side->M, piece->centre, point[k]);
		for (int i = 0; i < 3; i++) {
			point[k][i] += side->offset[i] + (piece->round ? active->round[k][i] : 0.0);
		}
		for (int i = 0; i < 6; i++) {
			active->bend[k][i] /= length;
		}
	}
	for (int i = 0; i < 3; i++) {
		out->u[i] = m[i] / length;
		out->s[i] = out->a[i] - out->b[i];
	}
	ray->supports++;
	const double bound = abut_dot3(out->u, ray->D) / abut_dot3(out->u, out->s);
	if (bound > ray->lower) {
		ray->lower = bound;
		ray->best = *out;
	}
	for (int j = 0; j < active->count; j++) {
		Member *member = &active->member[j];
		const bool a = member->pieces.piece[0].round, b = member->pieces.piece[1].round;
		for (int i = 0; i < 3; i++) {
			member->s[i] = member->centre[0][i] - member->centre[1][i] + (a ? active->round[0][i] : 0.0) -
			               (b ? active->round[1][i] : 0.0);
		}
	}
}

static bool same_pieces(const AbutPieces *p, const AbutPieces *q)
{
	return p->piece[0].index == q->piece[0].index && p->piece[1].index == q->piece[1].index;
}

static bool holds(const Active *active, const AbutPieces *pieces)
{
	for (int j = 0; j < active->count; j++) {
		if (same_pieces(&active->member[j].pieces, pieces)) {
			return true;
		}
	}
	return false;
}

/* --- (1) --- */

static void curvature(const Active *active, double Q[6])
{
	double share[2] = {0.0, 0.0};
	for (int j = 0; j < active->count; j++) {
		for (int k = 0; k < 2; k++) {
			share[k] += active->member[j].pieces.piece[k].round ? active->member[j].v : 0.0;
		}
	}
	for (int i = 0; i < 6; i++) {
		Q[i] = share[0] * active->bend[0][i] + share[1] * active->bend[1][i];
	}
}

/* One piece: dm across s by the 2 x 2 that is left of Q there. */
static bool solve_one(Active *active, const double Q[6], const double D[3])
{
	Member *p = active->member;
	const double square = abut_dot3(p->s, p->s), rest = 1.0 - abut_dot3(p->s, active->m);
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
	if (!(determinant > 1e-13 * trace * trace)) {
		return false;
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
static bool solve_two(Active *active, const double Q[6], const double D[3])
{
	Member *p = active->member;
	double q[3], dual[2][3], Qq[3], along[3], left[3];
	abut_cross3(p[0].s, p[1].s, q);
	const double square = abut_dot3(q, q);
	abut_cross3(p[1].s, q, dual[0]);
	abut_cross3(q, p[0].s, dual[1]);
	const double r0 = 1.0 - abut_dot3(p[0].s, active->m), r1 = 1.0 - abut_dot3(p[1].s, active->m);
	for (int i = 0; i < 3; i++) {
		active->dm[i] = (r0 * dual[0][i] + r1 * dual[1][i]) / square;
	}
	times_symmetric(Q, q, Qq);
	times_symmetric(Q, active->dm, along);
	const double stiff = abut_dot3(q, Qq);
	if (!(stiff > 1e-13 * (Q[0] + Q[3] + Q[5]) * square)) {
		return false;
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
static bool solve_three(Active *active, const double Q[6], const double D[3])
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
		const double rest = (1.0 - abut_dot3(p[j].s, active->m)) / determinant;
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

static bool solve(Active *active, const double Q[6], const double D[3])
{
	switch (active->count) {
	case 1:
		return solve_one(active, Q, D);
	case 2:
		return solve_two(active, Q, D);
	default:
		return solve_three(active, Q, D);
	}
}

/* Solves (1); pieces with a negative share leave. */
static bool step(const AbutRay *ray, Active *active)
{
	double Q[6];
	curvature(active, Q);
	while (solve(active, Q, ray->D)) {
		int worst = 0;
		for (int j = 1; j < active->count; j++) {
			worst = active->member[j].v < active->member[worst].v ? j : worst;
		}
		if (active->member[worst].v >= 0.0) {
			return true;
		}
		if (active->count == 1) {
			return false;
		}
		active->member[worst] = active->member[--active->count];
	}
	return false;
}

/* A piece that is furthest along m, and was not held for active. */
static void admit(const AbutRay *ray, Active *active, const AbutCorner *corner)
{
	int place = active->count;
	if (place == 3) {
		const double *const s[3] = {active->member[0].s, active->member[1].s, active->member[2].s};
		place = abut_ray_gives_way(ray, s, corner->s);
	} else {
		active->count++;
	}
	place_member(ray, &corner->pieces, 0.0, &active->member[place]);
	abut_copy3(corner->s, active->member[place].s);
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

static void read_active(const AbutRay *ray, const Active *active, double error, AbutGrowth *out)
{
	abut_ray_end(ray, error, out);
	for (int i = 0; i < 3; i++) {
		out->point[i] = ray->side[0]->centre[i];
		for (int j = 0; j < active->count; j++) {
			const Member *p = &active->member[j];
			const double a = p->centre[0][i] + (p->pieces.piece[0].round ? active->round[0][i] : 0.0);
			out->point[i] += p->v * a;
		}
	}
}

bool abut_growth_newton(AbutRay *ray, AbutGrowthContact *contact, AbutCorner *last, AbutGrowth *out)
{
	Active active = {.count = contact->count};
	bool solved = false;
	abut_mat3_vec(ray->side[0]->M, contact->m, active.m);
	for (int j = 0; j < active.count; j++) {
		place_member(ray, &contact->member[j], contact->v[j], &active.member[j]);
	}
	for (int i = 0; i < most_steps && !solved; i++) {
		evaluate(ray, &active, last);
		const double upper = upper_bound(ray, &active);
		if (upper - ray->lower <= ABUT_GROWTH_GOAL * upper) {
			solved = true;
			read_active(ray, &active, abut_max(upper - ray->lower, 0.0), out);
			break;
		}
		if (!holds(&active, &last->pieces)) {
			admit(ray, &active, last);
		}
		if (!step(ray, &active)) {
			break;
		}
		for (int j = 0; j < 3; j++) {
			active.m[j] += active.dm[j];
		}
		if (!(abut_dot3(active.m, ray->D) > 0.0)) {
			break;
		}
	}
	contact->count = solved ? active.count : 0;
	for (int j = 0; j < contact->count; j++) {
		contact->member[j] = active.member[j].pieces;
		contact->v[j] = active.member[j].v;
	}
	abut_mat3_tvec(ray->side[0]->M, active.m, contact->m);
	return solved;
}

bool abut_growth_flat_end(AbutRay *ray, int side, AbutGrowth *out)
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
