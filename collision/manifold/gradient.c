/* Computes derivatives of a contact point with respect to the poses, for fixed features. A side that moves carries its
 * points r with the velocity V(r) = v + omega x (r - x), and turns its directions d by omega x d. A point that slides
 * along an edge or a line does so such that it stays on its plane. Tested with finite differences in
 * tests/collision/test_manifold.c. */
#include "collision/manifold/gradient.h"

#include "collision/manifold/near.h"
#include "collision/manifold/tubes.h"

/* One of the twelve unit motions: a side moves with the velocity v and the angular velocity omega (world). */
typedef struct Motion {
	const AbutManifoldSide *side;
	int moved; /* index of the moving side */
	double v[3], omega[3];
} Motion;

static void carry_point(const Motion *m, int side, const double r[3], double out[3])
{
	const double *x = m->side[side].x;
	const double arm[3] = {r[0] - x[0], r[1] - x[1], r[2] - x[2]};
	double turn[3];
	abut_cross3(m->omega, arm, turn);
	for (int i = 0; i < 3; i++) {
		out[i] = side == m->moved ? m->v[i] + turn[i] : 0.0;
	}
}

static void carry_direction(const Motion *m, int side, const double d[3], double out[3])
{
	abut_cross3(m->omega, d, out);
	for (int i = 0; i < 3; i++) {
		out[i] = side == m->moved ? out[i] : 0.0;
	}
}

/* Derivatives of contact point, normal and gap. */
typedef struct Change {
	double point[3], normal[3], gap;
	bool unknown;
} Change;

/* Computes the derivative of n = D / |D|, (dD - n n.dD) / |D|, from dD and the length |D|. */
static void change_unit(const double n[3], double length, const double dD[3], double dn[3])
{
	abut_add_scaled3(dD, -abut_dot3(n, dD), n, dn);
	abut_divide3(dn, length, dn);
}

/* Adds the sliding of a side's furthest point along d, where dd is the derivative of d: B (dd - omega x d), with B =
 * `bend` the derivative of the point with respect to d. */
static void carry_furthest(const Motion *m, int side, const double bend[9], const double d[3], const double dd[3],
                           double V[3])
{
	double turn[3], slide[3];
	carry_direction(m, side, d, turn);
	abut_sub3(dd, turn, turn);
	abut_mat3_vec(bend, turn, slide);
	abut_add3(V, slide, V);
}

/* Follows a point r over the plane of side f through the point f: the gap is N.(r - f) - R, and the contact point r - N
 * (R + gap / 2). */
static void over_plane(const Motion *m, const AbutManifoldPoint *p, const double n[3], Change *out)
{
	const int f = p->face, o = 1 - f;
	const double sign = f == 0 ? 1.0 : -1.0, N[3] = {sign * n[0], sign * n[1], sign * n[2]};
	double Vo[3], Vf[3], dr[3], dN[3], apart[3], back[3], d_back[3];
	carry_point(m, o, p->r, Vo);
	carry_point(m, f, p->r, Vf);
	carry_direction(m, f, N, dN);
	abut_scale3(-1.0, N, back);
	abut_scale3(-1.0, dN, d_back);
	carry_furthest(m, o, p->bend[0], back, d_back, Vo);
	abut_sub3(Vo, Vf, apart);
	const double closing = abut_dot3(p->v, apart);
	for (int i = 0; i < 3; i++) {
		dr[i] = Vo[i];
		if (p->rule == ABUT_MANIFOLD_EDGE) { /* slides along the edge back to the side plane */
			dr[i] = Vo[i] - p->u[i] * closing / abut_dot3(p->v, p->u);
		} else if (p->rule == ABUT_MANIFOLD_CORNER) { /* slides along N back to the other face */
			dr[i] = Vf[i] + N[i] * closing / abut_dot3(p->v, N);
		}
	}
	const double reach = m->side[o].shape->radius + 0.5 * p->gap;
	out->gap = abut_dot3(N, dr) - abut_dot3(N, Vf);
	for (int i = 0; i < 3; i++) {
		out->normal[i] = sign * dN[i];
		out->point[i] = dr[i] - dN[i] * reach - N[i] * 0.5 * out->gap;
	}
}

/* Follows a point between two crossing edges. At all times q - r = gap n, and n is along u x v. The components of q - r
 * in the plane of u and v determine how r and q slide. */
static void across_edges(const Motion *m, const AbutManifoldPoint *p, const double n[3], Change *out)
{
	double Vr[3], Vq[3], du[3], dv[3], across[3], first[3], second[3], rest[3], along0[3], along1[3];
	carry_point(m, 0, p->r, Vr);
	carry_point(m, 1, p->q, Vq);
	carry_direction(m, 0, p->u, du);
	carry_direction(m, 1, p->v, dv);
	abut_cross3(p->u, p->v, across);
	abut_cross3(du, p->v, first);
	abut_cross3(p->u, dv, second);
	const double sign = abut_dot3(across, n) < 0.0 ? -1.0 : 1.0;
	abut_add3(first, second, first);
	abut_scale3(sign, first, first);
	change_unit(n, abut_norm3(across), first, out->normal);
	out->gap = abut_dot3(n, Vq) - abut_dot3(n, Vr);
	abut_sub3(Vq, Vr, rest);
	abut_add_scaled3(rest, -p->gap, out->normal, rest);
	abut_cross3(p->v, n, along0);
	abut_cross3(p->u, n, along1);
	const double s = abut_dot3(rest, along0) / abut_dot3(p->u, along0);
	const double t = -abut_dot3(rest, along1) / abut_dot3(p->v, along1);
	for (int i = 0; i < 3; i++) {
		out->point[i] = 0.5 * (Vr[i] + s * p->u[i] + Vq[i] + t * p->v[i]);
	}
}

/* Follows a point between two points: n = (q - r) / |q - r|, and the contact point is r + n (R + gap / 2) with R the
 * radius of side 0. */
static void between_points(const Motion *m, const AbutManifoldPoint *p, const double n[3], Change *out)
{
	double Vr[3], Vq[3], apart[3];
	const double radius = m->side[0].shape->radius;
	const double length = p->gap + radius + m->side[1].shape->radius;
	carry_point(m, 0, p->r, Vr);
	carry_point(m, 1, p->q, Vq);
	abut_sub3(Vq, Vr, apart);
	change_unit(n, length, apart, out->normal);
	out->gap = abut_dot3(n, apart);
	for (int i = 0; i < 3; i++) {
		out->point[i] = Vr[i] + out->normal[i] * (radius + 0.5 * p->gap) + 0.5 * n[i] * out->gap;
	}
}

/* Follows a point beside an edge, which may be on either side. q slides along u so that q - r stays orthogonal to u.
 * The contact point is q -+ n gap / 2. */
static void beside_edge(const Motion *m, const AbutManifoldPoint *p, const double n[3], Change *out)
{
	const int edge = p->face, ball = 1 - edge;
	const double sign = edge == 1 ? 1.0 : -1.0; /* sign of (q - r).n */
	double Vr[3], Vq[3], du[3], dD[3], D[3];
	carry_point(m, ball, p->r, Vr);
	carry_point(m, edge, p->q, Vq);
	carry_direction(m, edge, p->u, du);
	abut_sub3(p->q, p->r, D);
	abut_sub3(Vq, Vr, dD);
	const double slide = -(abut_dot3(p->u, dD) + abut_dot3(D, du)) / abut_dot3(p->u, p->u);
	abut_add_scaled3(dD, slide, p->u, dD);
	abut_scale3(sign, dD, dD);
	change_unit(n, p->gap + m->side[ball].shape->radius, dD, out->normal);
	out->gap = abut_dot3(n, dD);
	for (int i = 0; i < 3; i++) {
		out->point[i] = Vq[i] + slide * p->u[i] - 0.5 * sign * (out->normal[i] * p->gap + n[i] * out->gap);
	}
}

/* Follows nearest points with n.(q - r) = D. The equations are those of collision/manifold/near.c; their right-hand
 * side is the motion of both sides, including their furthest points. */
static void nearest(const Motion *m, const AbutManifoldPoint *p, const double n[3], Change *out)
{
	const double radius = m->side[0].shape->radius, D = p->gap + radius + m->side[1].shape->radius;
	const double none[3] = {0.0, 0.0, 0.0}, back[3] = {-n[0], -n[1], -n[2]};
	const double *const u[2] = {p->u, p->v}, *const bend[2] = {p->bend[0], p->bend[1]};
	AbutManifoldNearSystem system = {.m = 0};
	double V[2][3], x[6] = {0.0}, turn[3], slide[3];
	out->unknown = !abut_manifold_near_factorise(n, D, u, bend, &system);
	if (out->unknown) {
		return;
	}
	carry_point(m, 0, p->r, V[0]);
	carry_point(m, 1, p->q, V[1]);
	carry_furthest(m, 0, p->bend[0], n, none, V[0]);
	carry_furthest(m, 1, p->bend[1], back, none, V[1]);
	abut_sub3(V[0], V[1], x);
	for (int s = 0; s < 2; s++) {
		if (system.line[s] >= 0) {
			carry_direction(m, s, u[s], turn);
			x[system.line[s]] = -abut_dot3(turn, n);
		}
	}
	abut_small_lu_solve(system.m, system.K, system.pivots, x);
	abut_mat3_vec(p->bend[0], x, slide);
	out->gap = x[3];
	for (int i = 0; i < 3; i++) {
		const double along = system.line[0] >= 0 ? x[system.line[0]] * p->u[i] : 0.0;
		out->normal[i] = x[i];
		out->point[i] = V[0][i] + slide[i] + along + x[i] * (radius + 0.5 * p->gap) + 0.5 * n[i] * x[3];
	}
	out->unknown = !abut_all_finite(x, 6);
}

/* Follows a point of collision/manifold/tubes.c. n is along the part of w = m - r orthogonal to u, where m is the
 * middle of side 1's axis. r and q have the same height along u: one is fixed at the end of its axis, and the other
 * slides. */
static void between_tubes(const Motion *m, const AbutManifoldPoint *p, const double n[3], Change *out)
{
	double Vr[3], Vq[3], Vm[3], du[3], dD[3], middle[3], w[3], apart[3], dq[3], dr[3];
	const AbutManifoldShape *first = m->side[0].shape;
	const double reach = first->shape->size[0] / first->unit + 0.5 * p->gap;
	abut_manifold_tube_middle(&m->side[1], middle);
	carry_point(m, 0, p->r, Vr);
	carry_point(m, 1, p->q, Vq);
	carry_point(m, 1, middle, Vm);
	carry_direction(m, 0, p->u, du);
	abut_sub3(middle, p->r, w);
	abut_sub3(p->q, p->r, apart);
	const double wu = abut_dot3(w, p->u);
	const double dwu = abut_dot3(w, du) + abut_dot3(Vm, p->u) - abut_dot3(Vr, p->u);
	for (int i = 0; i < 3; i++) {
		dD[i] = Vm[i] - Vr[i] - wu * du[i] - dwu * p->u[i];
	}
	change_unit(n, abut_dot3(n, w), dD, out->normal);
	const double late = abut_dot3(p->u, Vq) - abut_dot3(p->u, Vr) + abut_dot3(du, apart);
	for (int i = 0; i < 3; i++) {
		dr[i] = Vr[i] + (p->face == 1 ? late * p->u[i] : 0.0);
		dq[i] = Vq[i] - (p->face == 0 ? late / abut_dot3(p->u, p->v) * p->v[i] : 0.0);
	}
	out->gap = abut_dot3(out->normal, apart) + abut_dot3(n, dq) - abut_dot3(n, dr);
	for (int i = 0; i < 3; i++) {
		out->point[i] = dr[i] + out->normal[i] * reach + 0.5 * n[i] * out->gap;
	}
}

typedef void Follow(const Motion *m, const AbutManifoldPoint *p, const double n[3], Change *out);

static Follow *const rules[] = {[ABUT_MANIFOLD_VERTEX] = over_plane,         [ABUT_MANIFOLD_EDGE] = over_plane,
                                [ABUT_MANIFOLD_CORNER] = over_plane,         [ABUT_MANIFOLD_EDGES] = across_edges,
                                [ABUT_MANIFOLD_BALL_POINT] = between_points, [ABUT_MANIFOLD_BALL_EDGE] = beside_edge,
                                [ABUT_MANIFOLD_NEAREST] = nearest,           [ABUT_MANIFOLD_TUBES] = between_tubes};

_Static_assert(sizeof rules / sizeof *rules == ABUT_MANIFOLD_TUBES + 1, "a function for each rule");

bool abut_manifold_gradient(const AbutManifoldSide side[2], const AbutManifold *manifold, int index,
                            AbutManifoldGradient *out)
{
	*out = (AbutManifoldGradient){.gap = {0.0}};
	if (manifold->points[index].rough || !rules[manifold->points[index].rule]) {
		return false;
	}
	for (int column = 0; column < ABUT_MANIFOLD_COLUMNS; column++) {
		const int moved = column / 6, axis = column % 3;
		Motion motion = {.side = side, .moved = moved};
		for (int i = 0; i < 3; i++) {
			if (column % 6 < 3) {
				motion.v[i] = i == axis ? 1.0 : 0.0;
			} else {
				motion.omega[i] = side[moved].R[3 * i + axis];
			}
		}
		Change change = {.gap = 0.0};
		rules[manifold->points[index].rule](&motion, &manifold->points[index], manifold->normal, &change);
		if (change.unknown) {
			*out = (AbutManifoldGradient){.gap = {0.0}};
			return false;
		}
		for (int i = 0; i < 3; i++) {
			out->point[i][column] = change.point[i];
			out->normal[i][column] = change.normal[i];
		}
		out->gap[column] = change.gap;
	}
	return true;
}
