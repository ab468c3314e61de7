/* Maintains the set of pairs of pieces, and solves equation (1) of collision/growth/newton.c for one, two or three
 * active pairs:
 *
 *     [ Q   S ] [ dm ]   [ D       ]
 *     [ S'  0 ] [ v  ] = [ 1 - S'm ]
 *
 * The second row determines the component of dm in the span of S. The component orthogonal to this span then follows
 * from the first row, with Q restricted to the orthogonal complement of S: a 2 x 2 matrix for one pair, a number for
 * two, and nothing for three. */
#include "collision/growth/pieces.h"

#include <math.h>

#include "base/vec3.h"
#include "shapes/support/support.h"

enum { most_exchanges = 8 };

/* A curvature below this share of the largest counts as zero. */
static const double straight = 1e-13;

/* A member is violated if s.(m + dm) exceeds 1 by more than this. */
static const double outside = 1e-9;

/* Index of a single point of C; it never equals the index of a piece. */
static const int no_piece = -1;

/* --- members --- */

static void see(AbutMember *p, const AbutView *view)
{
	const bool a = p->pieces.piece[0].round, b = p->pieces.piece[1].round;
	for (int i = 0; i < 3; i++) {
		p->s[i] = p->centre[i] + (a ? view->round[0][i] : 0.0) - (b ? view->round[1][i] : 0.0);
	}
}

void abut_pieces_look(AbutPieceSet *set, const AbutView *view)
{
	for (int j = 0; j < set->total; j++) {
		see(&set->member[j], view);
	}
}

static void place_member(const AbutRay *ray, const AbutPieces *pieces, AbutMember *out)
{
	const AbutGrowthSide *const *side = ray->side;
	double a[3], b[3];
	out->pieces = *pieces;
	abut_mat3_vec(side[0]->M, pieces->piece[0].centre, a);
	abut_mat3_vec(side[1]->M, pieces->piece[1].centre, b);
	for (int i = 0; i < 3; i++) {
		out->centre[i] = a[i] + side[0]->offset[i] - b[i] - side[1]->offset[i];
	}
}

/* Returns the index of the pieces among the members, or -1. */
static int find(const AbutPieceSet *set, const AbutPieces *pieces)
{
	for (int j = 0; j < set->total; j++) {
		const AbutPiece *own = set->member[j].pieces.piece;
		if (own[0].index != no_piece && own[0].index == pieces->piece[0].index &&
		    own[1].index == pieces->piece[1].index) {
			return j;
		}
	}
	return -1;
}

bool abut_pieces_know(const AbutPieceSet *set, const AbutPieces *pieces)
{
	return find(set, pieces) >= 0;
}

static void exchange(AbutPieceSet *set, int i, int j)
{
	if (i != j) {
		const AbutMember member = set->member[i];
		set->member[i] = set->member[j];
		set->member[j] = member;
	}
}

/* Makes a member active. If three members are active already, it replaces one of them. */
static void activate(AbutPieceSet *set, const AbutRay *ray, int index)
{
	if (set->count < 3) {
		exchange(set, set->count++, index);
		return;
	}
	const double *const s[3] = {set->member[0].s, set->member[1].s, set->member[2].s};
	exchange(set, abut_ray_gives_way(ray, s, set->member[index].s), index);
}

/* Adds a member. If the set is full, the new member replaces an inactive one. Returns its index. */
static int add(AbutPieceSet *set, const AbutRay *ray, const AbutView *view, const AbutPieces *pieces)
{
	int index = set->total;
	if (set->total < ABUT_MEMBERS) {
		set->total++;
	} else {
		set->last = set->last + 1 < ABUT_MEMBERS ? set->last + 1 : 3;
		index = set->last;
	}
	place_member(ray, pieces, &set->member[index]);
	see(&set->member[index], view);
	return index;
}

void abut_pieces_admit(AbutPieceSet *set, const AbutRay *ray, const AbutView *view, const AbutPieces *pieces, double v)
{
	int index = find(set, pieces);
	if (index < 0) {
		index = add(set, ray, view, pieces);
	}
	if (index >= set->count) {
		set->member[index].v = v;
		activate(set, ray, index);
	}
}

void abut_pieces_admit_point(AbutPieceSet *set, const AbutRay *ray, const AbutView *view, const AbutCorner *corner)
{
	const double *const point[2] = {corner->a, corner->b};
	AbutPieces pieces = corner->pieces;
	for (int k = 0; k < 2; k++) {
		const AbutGrowthSide *side = ray->side[k];
		AbutPiece *piece = &pieces.piece[k];
		double from[3];
		abut_sub3(point[k], side->offset, from);
		abut_mat3_tvec(side->M, from, piece->centre);
		piece->index = no_piece;
		piece->round = false;
	}
	const int index = add(set, ray, view, &pieces);
	set->member[index].v = 0.0;
	activate(set, ray, index);
}

/* --- equation (1) --- */

/* Computes Q = sum v_i d s_i / dm. Each side's round part counts with the shares of the active pieces that have it. */
static void curvature(const AbutPieceSet *set, const AbutView *view, double Q[6])
{
	double share[2] = {0.0, 0.0};
	for (int j = 0; j < set->count; j++) {
		for (int k = 0; k < 2; k++) {
			share[k] += set->member[j].pieces.piece[k].round ? set->member[j].v : 0.0;
		}
	}
	for (int i = 0; i < 6; i++) {
		Q[i] = share[0] * view->bend[0][i] + share[1] * view->bend[1][i];
	}
}

static void times_symmetric(const double Q[6], const double x[3], double out[3])
{
	out[0] = Q[0] * x[0] + Q[1] * x[1] + Q[2] * x[2];
	out[1] = Q[1] * x[0] + Q[3] * x[1] + Q[4] * x[2];
	out[2] = Q[2] * x[0] + Q[4] * x[1] + Q[5] * x[2];
}

/* Computes D - Q dm for the present dm. */
static void rest_of_ray(const AbutPieceSet *set, const double D[3], const double Q[6], double out[3])
{
	double bent[3];
	times_symmetric(Q, set->dm, bent);
	abut_sub3(D, bent, out);
}

/* Finds two unit vectors orthogonal to s and to each other. */
static void across(const double s[3], double square, double b[2][3])
{
	const double x = fabs(s[0]), y = fabs(s[1]), z = fabs(s[2]);
	const int least = x <= y ? (x <= z ? 0 : 2) : (y <= z ? 1 : 2);
	double axis[3] = {0.0, 0.0, 0.0};
	axis[least] = 1.0;
	abut_cross3(s, axis, b[0]);
	abut_cross3(s, b[0], b[1]);
	const double first = abut_dot3(b[0], b[0]), scale = 1.0 / sqrt(first), other = 1.0 / sqrt(first * square);
	abut_scale3(scale, b[0], b[0]);
	abut_scale3(other, b[1], b[1]);
}

static bool solve_one(AbutPieceSet *set, const double m[3], const double D[3], const double Q[6])
{
	AbutMember *p = set->member;
	const double square = abut_dot3(p->s, p->s), rest = (1.0 - abut_dot3(p->s, m)) / square;
	double b[2][3], Qb[2][3], left[3];
	across(p->s, square, b);
	times_symmetric(Q, b[0], Qb[0]);
	times_symmetric(Q, b[1], Qb[1]);
	const double Q00 = abut_dot3(b[0], Qb[0]), Q01 = abut_dot3(b[0], Qb[1]), Q11 = abut_dot3(b[1], Qb[1]);
	const double determinant = Q00 * Q11 - Q01 * Q01;
	if (!(determinant > straight * (Q00 + Q11) * (Q00 + Q11))) {
		return false;
	}
	abut_scale3(rest, p->s, set->dm);
	rest_of_ray(set, D, Q, left);
	const double r0 = abut_dot3(b[0], left), r1 = abut_dot3(b[1], left);
	const double x = (Q11 * r0 - Q01 * r1) / determinant, y = (Q00 * r1 - Q01 * r0) / determinant;
	for (int i = 0; i < 3; i++) {
		set->dm[i] += x * b[0][i] + y * b[1][i];
		left[i] -= x * Qb[0][i] + y * Qb[1][i];
	}
	p->v = abut_dot3(p->s, left) / square;
	return true;
}

static bool solve_two(AbutPieceSet *set, const double m[3], const double D[3], const double Q[6])
{
	AbutMember *p = set->member;
	double q[3], dual[2][3], Qq[3], left[3];
	abut_cross3(p[0].s, p[1].s, q);
	times_symmetric(Q, q, Qq);
	const double square = abut_dot3(q, q), stiff = abut_dot3(q, Qq);
	if (!(stiff > straight * (Q[0] + Q[3] + Q[5]) * square)) {
		return false;
	}
	const double r0 = (1.0 - abut_dot3(p[0].s, m)) / square, r1 = (1.0 - abut_dot3(p[1].s, m)) / square;
	abut_cross3(p[1].s, q, dual[0]);
	abut_cross3(q, p[0].s, dual[1]);
	for (int i = 0; i < 3; i++) {
		set->dm[i] = r0 * dual[0][i] + r1 * dual[1][i];
	}
	rest_of_ray(set, D, Q, left);
	const double x = abut_dot3(q, left) / stiff;
	abut_add_scaled3(set->dm, x, q, set->dm);
	abut_add_scaled3(left, -x, Qq, left);
	p[0].v = abut_dot3(dual[0], left) / square;
	p[1].v = abut_dot3(dual[1], left) / square;
	return true;
}

/* Solves for three members, whose points s span the space. */
static bool solve_three(AbutPieceSet *set, const double m[3], const double D[3], const double Q[6])
{
	AbutMember *p = set->member;
	double dual[3][3], left[3];
	for (int j = 0; j < 3; j++) {
		abut_cross3(p[(j + 1) % 3].s, p[(j + 2) % 3].s, dual[j]);
	}
	const double determinant = abut_dot3(p[0].s, dual[0]);
	if (determinant == 0.0) {
		return false;
	}
	const double inverse = 1.0 / determinant;
	for (int i = 0; i < 3; i++) {
		set->dm[i] = 0.0;
	}
	for (int j = 0; j < 3; j++) {
		const double rest = (1.0 - abut_dot3(p[j].s, m)) * inverse;
		abut_add_scaled3(set->dm, rest, dual[j], set->dm);
	}
	rest_of_ray(set, D, Q, left);
	for (int j = 0; j < 3; j++) {
		p[j].v = abut_dot3(dual[j], left) * inverse;
	}
	return true;
}

static bool solve_active(AbutPieceSet *set, const double m[3], const double D[3], const double Q[6])
{
	switch (set->count) {
	case 1:
		return solve_one(set, m, D, Q);
	case 2:
		return solve_two(set, m, D, Q);
	default:
		return solve_three(set, m, D, Q);
	}
}

/* Solves (1). If Q is singular, the active pieces have too little curvature. Then the curvature of a ball through their
 * points, alpha |s|^2, or a fraction of it, is added to Q. The resulting step leads towards other pieces. */
static bool solve(AbutPieceSet *set, const AbutView *view, const double D[3], double Q[6])
{
	if (solve_active(set, view->m, D, Q)) {
		return true;
	}
	if (set->count == 3 || set->cautious) {
		return false;
	}
	const double *s = set->member[0].s, ball = set->caution * view->bound * abut_dot3(s, s);
	set->cautious = true;
	Q[0] += ball;
	Q[3] += ball;
	Q[5] += ball;
	return solve_active(set, view->m, D, Q);
}

/* Returns the active member with the smallest share. */
static int least_share(const AbutPieceSet *set)
{
	int least = 0;
	for (int j = 1; j < set->count; j++) {
		least = set->member[j].v < set->member[least].v ? j : least;
	}
	return least;
}

/* Returns the inactive member that the step violates most, or -1 if it violates none. */
static int most_violated(const AbutPieceSet *set, const AbutView *view)
{
	double worst = outside;
	int index = -1;
	for (int j = set->count; j < set->total; j++) {
		const double *s = set->member[j].s;
		const double beyond = abut_dot3(s, view->m) + abut_dot3(s, set->dm) - 1.0;
		if (beyond > worst) {
			worst = beyond;
			index = j;
		}
	}
	return index;
}

bool abut_pieces_step(AbutPieceSet *set, const AbutRay *ray, const AbutView *view)
{
	double Q[6];
	curvature(set, view, Q);
	set->cautious = false;
	for (int i = 0; i < most_exchanges; i++) {
		if (!solve(set, view, ray->D, Q)) {
			return false;
		}
		const int least = least_share(set);
		if (set->member[least].v < 0.0) {
			if (set->count == 1) {
				return false;
			}
			exchange(set, least, --set->count);
			continue;
		}
		const int further = most_violated(set, view);
		if (further < 0) {
			return true;
		}
		set->member[further].v = 0.0;
		activate(set, ray, further);
	}
	return false;
}
