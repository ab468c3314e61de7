/* The nearest points of two bounded sides. The growth distance (growth.h) gives the pieces that meet and a normal,
 * which is exact for touching shapes and nearly so otherwise; Newton's method makes it exact. With q_i the nearest
 * points of both cores, each the furthest point of a piece, or on the line t_i between those of two pieces,
 *
 *     q_1 - q_0 = D n,    |n| = 1,    n.u_i = 0  on a line along u_i,
 *
 * where the furthest points move by dq_0 = B_0 dn, dq_1 = -B_1 dn as n turns:
 *
 *     -(B_0 + B_1 + D I) dn - n dD + u_1 dt_1 - u_0 dt_0 = -(q_1 - q_0 - D n).
 *
 * collision/manifold/gradient.c solves the same equations for the poses. If they do not lead to nearest points, as for
 * opposing faces or for a shape known only by its furthest points, the growth distance's normal is used. Tested in
 * tests/collision/test_manifold_round.c. */
#include "collision/manifold/near.h"

#include "collision/growth/growth.h"
#include "collision/manifold/support.h"

/* --- what a side touches with --- */

typedef struct Local {
	int n; /* 1: a point; 2: a line */
	AbutPiece piece[2];
	double share; /* share of the second piece */
} Local;

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

/* Reads the pieces of side s in the answer. Returns false if there are none, or a face. */
static bool read_pieces(const AbutGrowthContact *contact, int s, Local *out)
{
	static const double idle = 1e-9;
	double share[2] = {0.0, 0.0};
	out->n = 0;
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

/* Computes a piece's furthest point along the direction for which `e` is the round part's. */
static void point_of(const AbutManifoldSide *side, const AbutPiece *piece, const double e[3], double p[3])
{
	const AbutManifoldShape *shape = side->shape;
	abut_mat3_vec(shape->shape->rotation, piece->centre, p);
	for (int i = 0; i < 3; i++) {
		p[i] = (p[i] + shape->shape->position[i] - shape->origin[i]) / shape->unit;
	}
	abut_manifold_to_world(side, p, p);
	for (int i = 0; piece->round && i < 3; i++) {
		p[i] += e[i];
	}
}

typedef struct View {
	double q[3], u[3], bend[9];
} View;

static bool look(const AbutManifoldSide *side, const Local *local, const double n[3], double sign, View *out)
{
	const double along[3] = {sign * n[0], sign * n[1], sign * n[2]};
	double e[3], p[2][3] = {{0.0}};
	const bool line = local->n == 2, round = local->piece[0].round || (line && local->piece[1].round);
	if (!abut_manifold_round(side, along, e, out->bend) && round) {
		return false;
	}
	double bends = local->piece[0].round ? 1.0 : 0.0;
	if (line) {
		bends += local->share * ((local->piece[1].round ? 1.0 : 0.0) - bends);
	}
	for (int k = 0; k < local->n; k++) {
		point_of(side, &local->piece[k], e, p[k]);
	}
	for (int i = 0; i < 3; i++) {
		out->u[i] = line ? p[1][i] - p[0][i] : 0.0;
		out->q[i] = p[0][i] + local->share * out->u[i];
	}
	for (int i = 0; i < 9; i++) {
		out->bend[i] *= bends;
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
	return abut_small_lu_factorise(m, K, out->pivots);
}

/* Takes one Newton step. Returns the residual before it, in units of length; negative if there is no solution. */
static double iterate(const AbutManifoldSide side[2], Local local[2], View view[2], double n[3], double *D)
{
	static const double far = 0.3;
	AbutManifoldNearSystem system = {.m = 0};
	const double *const u[2] = {view[0].u, view[1].u}, *const bend[2] = {view[0].bend, view[1].bend};
	double x[6] = {0.0}, left = 0.0;
	if (!abut_manifold_near_factorise(n, *D, u, bend, &system)) {
		return -1.0;
	}
	for (int i = 0; i < 3; i++) {
		x[i] = -(view[1].q[i] - view[0].q[i] - *D * n[i]);
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
	const double length = abut_norm3(n);
	abut_divide3(n, length, n);
	*D += x[3];
	for (int s = 0; s < 2; s++) {
		local[s].share += system.line[s] >= 0 ? x[system.line[s]] : 0.0;
		if (!look(&side[s], &local[s], n, s == 0 ? 1.0 : -1.0, &view[s])) {
			return -1.0;
		}
	}
	return left;
}

/* Runs Newton's method on given pieces. */
static bool converge(const AbutManifoldSide side[2], Local local[2], View view[2], double n[3], double *D)
{
	enum { most = 30 };
	static const double enough = 1e-13;
	const double unit = abut_manifold_unit(side);
	for (int s = 0; s < 2; s++) {
		if (!look(&side[s], &local[s], n, s == 0 ? 1.0 : -1.0, &view[s])) {
			return false;
		}
	}
	*D = abut_dot3(n, view[1].q) - abut_dot3(n, view[0].q);
	for (int i = 0; i < most; i++) {
		const double left = iterate(side, local, view, n, D);
		if (left < 0.0) {
			return false;
		}
		if (left < enough * (unit + abut_norm3(side[0].x) + abut_norm3(side[1].x))) {
			return true;
		}
	}
	return false;
}

/* --- which pieces --- */

typedef enum Verdict {
	VERDICT_NEAREST,
	VERDICT_CHANGED, /* other pieces */
	VERDICT_LOST
} Verdict;

/* Checks a side: a point beyond the end of a line moves to that end; another piece further along n joins. */
static Verdict judge_side(const AbutManifoldSide *side, Local *local, const View *view, const double n[3], double sign)
{
	static const double beyond = 1e-9;
	const double along[3] = {sign * n[0], sign * n[1], sign * n[2]};
	if (local->n == 2 && (local->share < -beyond || local->share > 1.0 + beyond)) {
		local->piece[0] = local->piece[local->share < 0.5 ? 0 : 1];
		local->n = 1;
		local->share = 0.0;
		return VERDICT_CHANGED;
	}
	const double above = abut_manifold_reach(side, along) - side->shape->radius - abut_dot3(along, view->q);
	if (above <= beyond * side->shape->size) {
		return VERDICT_NEAREST;
	}
	double own[3];
	abut_mat3_tvec(side->R, along, own);
	abut_mat3_tvec(side->shape->shape->rotation, own, own);
	if (local->n == 2) {
		return VERDICT_LOST;
	}
	abut_shape_piece_own(side->shape->shape, own, &local->piece[1]);
	if (local->piece[1].index == local->piece[0].index) {
		return VERDICT_LOST;
	}
	local->n = 2;
	return VERDICT_CHANGED;
}

static bool refine(const AbutManifoldSide side[2], Local local[2], View view[2], double n[3], double *D)
{
	enum { most = 6 };
	static const double turned = 0.8; /* cosine of the largest change of the normal */
	const double start[3] = {n[0], n[1], n[2]};
	for (int i = 0; i < most; i++) {
		Verdict verdict[2];
		if (!converge(side, local, view, n, D) || abut_dot3(n, start) < turned) {
			return false;
		}
		for (int s = 0; s < 2; s++) {
			verdict[s] = judge_side(&side[s], &local[s], &view[s], n, s == 0 ? 1.0 : -1.0);
		}
		if (verdict[0] == VERDICT_NEAREST && verdict[1] == VERDICT_NEAREST) {
			return true;
		}
		if (verdict[0] == VERDICT_LOST || verdict[1] == VERDICT_LOST) {
			return false;
		}
	}
	return false;
}

/* --- the point --- */

static int name_of(const Local *local)
{
	enum { most = 1 << 7 };
	const int second = local->n == 2 ? local->piece[1].index + 1 : 0, first = local->piece[0].index + 1;
	return (first < second || second == 0 ? first : second) % most * most +
	       (first < second || second == 0 ? second : first) % most;
}

static void take_nearest(const AbutManifoldSide side[2], const Local local[2], const View view[2], const double n[3],
                         double D, AbutManifold *out)
{
	AbutManifoldPoint *point = &out->points[0];
	const double radius = side[0].shape->radius;
	abut_copy3(n, out->normal);
	abut_copy3(view[0].q, point->r);
	abut_copy3(view[1].q, point->q);
	abut_copy3(view[0].u, point->u);
	abut_copy3(view[1].u, point->v);
	point->gap = D - radius - side[1].shape->radius;
	point->feature = abut_manifold_feature(ABUT_MANIFOLD_NEAREST, 0, name_of(&local[0]), name_of(&local[1]));
	for (int i = 0; i < 3; i++) {
		point->point[i] = point->r[i] + n[i] * (radius + 0.5 * point->gap);
	}
	for (int i = 0; i < 9; i++) {
		point->bend[0][i] = view[0].bend[i];
		point->bend[1][i] = view[1].bend[i];
	}
}

/* Takes the growth distance's point: both scaled shapes meet there; its places on the two unscaled shapes are averaged.
 */
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
	Local local[2];
	View view[2];
	double n[3], D;
	bool told = true;
	for (int s = 0; s < 2; s++) {
		place(&side[s], &placed[s]);
	}
	abut_growth_solve(&placed[0], &placed[1], &contact, &growth);
	out->n = 1;
	out->points[0] = (AbutManifoldPoint){.rule = ABUT_MANIFOLD_NEAREST};
	for (int s = 0; s < 2; s++) {
		told = told && abut_shape_has_pieces(side[s].shape->shape) && read_pieces(&contact, s, &local[s]);
	}
	abut_copy3(growth.normal, n);
	if (told && refine(side, local, view, n, &D)) {
		take_nearest(side, local, view, n, D, out);
	} else {
		take_growth(side, placed, &growth, out);
	}
}
