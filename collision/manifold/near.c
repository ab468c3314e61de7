/* Computes the nearest points of two bounded sides. The growth distance (growth.h) gives a normal and the pieces of
 * both shapes that meet. This normal is exact if the shapes touch, and nearly so otherwise; Newton's method refines it.
 * Let q_i be the nearest point of side i's core. It is the furthest point of one piece, or lies at the share t_i on the
 * line u_i between those of two pieces. At the solution,
 *
 *     q_1 - q_0 = D n,    |n| = 1,    n.u_i = 0  if side i has a line.
 *
 * As n turns, the furthest points move by dq_0 = B_0 dn and dq_1 = -B_1 dn:
 *
 *     -(B_0 + B_1 + D I) dn - n dD + u_1 dt_1 - u_0 dt_0 = -(q_1 - q_0 - D n).
 *
 * collision/manifold/gradient.c solves the same equations for derivatives with respect to the poses. For opposing
 * faces, and for shapes known only by their furthest points, these equations do not determine the points. Then the
 * point and normal of the growth distance are used. Tested in tests/collision/test_manifold_round.c. */
#include "collision/manifold/near.h"

#include <string.h>

#include "collision/growth/growth.h"
#include "collision/manifold/support.h"
#include "shapes/support/support.h"

/* --- what a side touches with --- */

/* A side, the pieces with which it touches, and its nearest point. */
typedef struct Touch {
	const AbutManifoldSide *side;
	double sign; /* +1 or -1: `sign` n points out of this side */
	int n;       /* number of pieces; 1: a point; 2: a line */
	AbutPiece piece[2];
	double share;               /* t: share of the second piece */
	double q[3], u[3], bend[9]; /* nearest point, vector of the line (0: none), B; world */
} Touch;

/* The nearest points during Newton's method. */
typedef struct Search {
	Touch touch[2];
	double n[3], D;
} Search;

static void place(const AbutManifoldSide *side, AbutGrowthSide *out)
{
	const AbutManifoldShape *shape = side->shape;
	double position[3], origin[3];
	abut_mat3_vec(side->R, shape->origin, origin);
	for (int i = 0; i < 3; i++) {
		position[i] = shape->unit * side->x[i] - origin[i];
	}
	abut_growth_place(shape->shape, position, side->R, out);
}

/* Reads the pieces of side s from the growth distance. Returns false if there are none or more than two. */
static bool read_pieces(const AbutGrowthContact *contact, int s, Touch *out)
{
	static const double idle = 1e-9;
	double share[2] = {0.0, 0.0};
	for (int k = 0; k < contact->count; k++) {
		const AbutPiece *piece = &contact->member[k].piece[s];
		int at = 0;
		if (contact->v[k] <= idle) {
			continue;
		}
		while (at < out->n && out->piece[at].index != piece->index) {
			at++;
		}
		if (at == 2) {
			return false;
		}
		if (at == out->n) {
			out->piece[out->n++] = *piece;
		}
		share[at] += contact->v[k];
	}
	out->share = out->n == 2 ? share[1] / (share[0] + share[1]) : 0.0;
	return out->n > 0;
}

/* Computes a piece's furthest point (world). `e` is the furthest point of the round part along the same direction. */
static void point_of(const AbutManifoldSide *side, const AbutPiece *piece, const double e[3], double p[3])
{
	const AbutManifoldShape *shape = side->shape;
	abut_mat3_vec(shape->shape->rotation, piece->centre, p);
	for (int i = 0; i < 3; i++) {
		p[i] = (p[i] + shape->shape->position[i] - shape->origin[i]) / shape->unit;
	}
	abut_manifold_to_world(side, p, p);
	if (piece->round) {
		abut_add3(p, e, p);
	}
}

/* Computes the nearest point for the normal n. Returns false if it is not unique. */
static bool look(Touch *touch, const double n[3])
{
	double along[3], e[3], p[2][3] = {{0.0}};
	const bool line = touch->n == 2, round = touch->piece[0].round || (line && touch->piece[1].round);
	abut_scale3(touch->sign, n, along);
	if (!abut_manifold_round(touch->side, along, e, touch->bend) && round) {
		return false;
	}
	double bends = touch->piece[0].round ? 1.0 : 0.0;
	if (line) {
		bends += touch->share * ((touch->piece[1].round ? 1.0 : 0.0) - bends);
	}
	for (int k = 0; k < touch->n; k++) {
		point_of(touch->side, &touch->piece[k], e, p[k]);
	}
	for (int i = 0; i < 3; i++) {
		touch->u[i] = line ? p[1][i] - p[0][i] : 0.0;
		touch->q[i] = p[0][i] + touch->share * touch->u[i];
	}
	for (int i = 0; i < 9; i++) {
		touch->bend[i] *= bends;
	}
	return true;
}

/* --- the equations --- */

bool abut_manifold_near_factorise(const double n[3], double D, const double *const u[2], const double *const bend[2],
                                  AbutManifoldNearSystem *out)
{
	const int m = 4 + (abut_dot3(u[0], u[0]) > 0.0) + (abut_dot3(u[1], u[1]) > 0.0);
	double *K = out->K;
	out->m = m;
	out->line[0] = abut_dot3(u[0], u[0]) > 0.0 ? 4 : -1;
	out->line[1] = abut_dot3(u[1], u[1]) > 0.0 ? m - 1 : -1;
	for (int i = 0; i < m * m; i++) {
		K[i] = 0.0;
	}
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			K[j * m + i] = -(bend[0][3 * i + j] + bend[1][3 * i + j] + (i == j ? D : 0.0));
		}
		K[3 * m + i] = -n[i];
		K[i * m + 3] = n[i];
		for (int s = 0; s < 2; s++) {
			if (out->line[s] >= 0) {
				K[out->line[s] * m + i] = s == 0 ? -u[s][i] : u[s][i];
				K[i * m + out->line[s]] = u[s][i];
			}
		}
	}
	return abut_small_lu_factorise(m, K, out->pivots, NULL);
}

/* Takes one Newton step. Returns the residual before the step as a length, or a negative number if the step fails. */
static double iterate(Search *search)
{
	static const double far = 0.3;
	Touch *touch = search->touch;
	AbutManifoldNearSystem system = {.m = 0};
	const double *const u[2] = {touch[0].u, touch[1].u}, *const bend[2] = {touch[0].bend, touch[1].bend};
	double x[6] = {0.0}, *n = search->n, left = 0.0;
	if (!abut_manifold_near_factorise(n, search->D, u, bend, &system)) {
		return -1.0;
	}
	for (int i = 0; i < 3; i++) {
		x[i] = -(touch[1].q[i] - touch[0].q[i] - search->D * n[i]);
		left = abut_max(left, fabs(x[i]));
	}
	for (int s = 0; s < 2; s++) {
		if (system.line[s] >= 0) {
			x[system.line[s]] = -abut_dot3(u[s], n);
			left = abut_max(left, fabs(x[system.line[s]]));
		}
	}
	abut_small_lu_solve(system.m, system.K, system.pivots, x);
	if (!(abut_norm3(x) < far)) {
		return -1.0;
	}
	abut_add3(n, x, n);
	abut_divide3(n, abut_norm3(n), n);
	search->D += x[3];
	for (int s = 0; s < 2; s++) {
		touch[s].share += system.line[s] >= 0 ? x[system.line[s]] : 0.0;
		if (!look(&touch[s], n)) {
			return -1.0;
		}
	}
	return left;
}

/* Runs Newton's method with fixed pieces. */
static bool converge(Search *search)
{
	enum { most = 30 };
	static const double enough = 1e-13;
	const Touch *touch = search->touch;
	const AbutManifoldSide *side = touch[0].side;
	const double size = abut_manifold_unit(side) + abut_norm3(side[0].x) + abut_norm3(side[1].x);
	if (!look(&search->touch[0], search->n) || !look(&search->touch[1], search->n)) {
		return false;
	}
	search->D = abut_dot3(search->n, touch[1].q) - abut_dot3(search->n, touch[0].q);
	for (int i = 0; i < most; i++) {
		const double left = iterate(search);
		if (left < enough * size) {
			return left >= 0.0;
		}
	}
	return false;
}

/* --- which pieces --- */

typedef enum Verdict {
	VERDICT_NEAREST,
	VERDICT_CHANGED, /* the pieces have changed */
	VERDICT_LOST
} Verdict;

/* Checks a side's pieces. If its point is beyond the end of a line, only the piece at that end is kept. If another
 * piece reaches further along the outward normal, `sign` n, a side with one piece gets it as its second. The search is
 * lost if the side has two pieces already, or if that piece is the one it has. */
static Verdict judge_side(Touch *touch, const double n[3])
{
	static const double beyond = 1e-9;
	const AbutManifoldSide *side = touch->side;
	double along[3], own[3];
	abut_scale3(touch->sign, n, along);
	if (touch->n == 2 && (touch->share < -beyond || touch->share > 1.0 + beyond)) {
		touch->piece[0] = touch->piece[touch->share < 0.5 ? 0 : 1];
		touch->n = 1;
		touch->share = 0.0;
		return VERDICT_CHANGED;
	}
	const double above = abut_manifold_reach(side, along) - side->shape->radius - abut_dot3(along, touch->q);
	if (above <= beyond * side->shape->size) {
		return VERDICT_NEAREST;
	}
	if (touch->n == 2) {
		return VERDICT_LOST;
	}
	abut_mat3_tvec(side->R, along, own);
	abut_mat3_tvec(side->shape->shape->rotation, own, own);
	abut_shape_piece_own(side->shape->shape, own, &touch->piece[1]);
	if (touch->piece[1].index == touch->piece[0].index) {
		return VERDICT_LOST;
	}
	touch->n = 2;
	return VERDICT_CHANGED;
}

static bool refine(Search *search)
{
	enum { most = 6 };
	static const double turned = 0.8; /* cosine of the largest allowed turn of the normal */
	const double start[3] = {search->n[0], search->n[1], search->n[2]};
	for (int i = 0; i < most; i++) {
		if (!converge(search) || abut_dot3(search->n, start) < turned) {
			return false;
		}
		const Verdict first = judge_side(&search->touch[0], search->n);
		const Verdict second = judge_side(&search->touch[1], search->n);
		if (first == VERDICT_LOST || second == VERDICT_LOST) {
			return false;
		}
		if (first == VERDICT_NEAREST && second == VERDICT_NEAREST) {
			return true;
		}
	}
	return false;
}

/* --- the point --- */

static int name_of(const Touch *touch)
{
	enum { most = 1 << 7 };
	const int second = touch->n == 2 ? touch->piece[1].index + 1 : 0, first = touch->piece[0].index + 1;
	const bool ascending = first < second || second == 0;
	return (ascending ? first : second) % most * most + (ascending ? second : first) % most;
}

static void take_nearest(const Search *search, AbutManifold *out)
{
	const Touch *a = &search->touch[0], *b = &search->touch[1];
	AbutManifoldPoint *point = &out->points[0];
	const double radius = a->side->shape->radius;
	abut_copy3(search->n, out->normal);
	abut_copy3(a->q, point->r);
	abut_copy3(b->q, point->q);
	abut_copy3(a->u, point->u);
	abut_copy3(b->u, point->v);
	point->gap = search->D - radius - b->side->shape->radius;
	point->feature = abut_manifold_feature(ABUT_MANIFOLD_NEAREST, 0, name_of(a), name_of(b));
	abut_add_scaled3(point->r, radius + 0.5 * point->gap, search->n, point->point);
	memcpy(point->bend[0], a->bend, sizeof a->bend);
	memcpy(point->bend[1], b->bend, sizeof b->bend);
}

/* Uses the point of the growth distance, where both scaled shapes meet. It is mapped back to each unscaled shape, and
 * the two results are averaged. */
static void take_growth(const AbutManifoldSide side[2], const AbutGrowthSide placed[2], const AbutGrowth *growth,
                        AbutManifold *out)
{
	AbutManifoldPoint *point = &out->points[0];
	const double *n = growth->normal, back[3] = {-n[0], -n[1], -n[2]}, unit = side[0].shape->unit;
	const double share = growth->alpha > 0.0 ? 1.0 / growth->alpha : 1.0;
	abut_copy3(n, out->normal);
	point->rough = true;
	point->feature = abut_manifold_feature(ABUT_MANIFOLD_NEAREST, 0, 0, 0);
	point->gap = -abut_manifold_reach(&side[1], back) - abut_manifold_reach(&side[0], n);
	for (int i = 0; i < 3; i++) {
		const double *const c[2] = {placed[0].centre, placed[1].centre};
		point->point[i] =
		    0.5 *
		    (c[0][i] + share * (growth->point[i] - c[0][i]) + c[1][i] + share * (growth->point[i] - c[1][i])) /
		    unit;
	}
}

void abut_manifold_near(const AbutManifoldSide side[2], AbutManifold *out)
{
	AbutGrowthSide placed[2];
	AbutGrowthContact contact = {.count = 0};
	AbutGrowth growth;
	Search search = {.touch = {{.side = &side[0], .sign = 1.0}, {.side = &side[1], .sign = -1.0}}};
	bool told = true;
	for (int s = 0; s < 2; s++) {
		place(&side[s], &placed[s]);
	}
	abut_growth_solve(&placed[0], &placed[1], &contact, &growth);
	out->n = 1;
	out->points[0] = (AbutManifoldPoint){.rule = ABUT_MANIFOLD_NEAREST};
	for (int s = 0; s < 2; s++) {
		told =
		    told && abut_shape_has_pieces(side[s].shape->shape) && read_pieces(&contact, s, &search.touch[s]);
	}
	abut_copy3(growth.normal, search.n);
	if (told && refine(&search)) {
		take_nearest(&search, out);
	} else {
		take_growth(side, placed, &growth, out);
	}
}
