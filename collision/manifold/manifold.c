/* Chooses the method for each pair, and makes the contact points of two polytopes and of any two bounded sides. */
#include "collision/manifold/manifold.h"

#include "collision/manifold/ball.h"
#include "collision/manifold/floor.h"
#include "collision/manifold/near.h"
#include "collision/manifold/support.h"
#include "collision/manifold/tubes.h"

static double plane_separation(const AbutManifoldSide side[2], int plane, double normal[3])
{
	double N[3], back[3];
	abut_mat3_vec(side[plane].R, side[plane].shape->normal, N);
	abut_scale3(plane == 0 ? 1.0 : -1.0, N, normal);
	abut_scale3(-1.0, N, back);
	return -abut_manifold_reach(&side[1 - plane], back) - side[plane].shape->offset - abut_dot3(N, side[plane].x);
}

/* --- two edges --- */

/* Share of an edge's length. The nearest point of the edge's line may be this far beyond an end and still count as on
 * the edge. */
static const double beyond = 1e-6;

/* Computes a point and the unit direction of an edge (world). Returns its length. */
static double world_edge(const AbutManifoldSide *side, int index, double p[3], double d[3])
{
	const AbutHullEdge *edge = &side->shape->hull->edges[index];
	abut_manifold_vertex(side, edge->from, p);
	abut_manifold_vertex(side, edge->to, d);
	abut_sub3(d, p, d);
	const double length = abut_norm3(d);
	abut_divide3(d, length, d);
	return length;
}

static bool is_on_edge(double place, double length)
{
	return place >= -beyond * length && place <= (1.0 + beyond) * length;
}

/* Makes the contact point of two crossing edges from the nearest points of their lines:
 *
 *     (p1 + t d1) - (p0 + s d0)  along  d0 x d1.
 *
 * In overlap, these points lie on the edges, because the origin's nearest point on the set of differences lies in the
 * face that the two edges span. In separation, they need not: the lines of nearly parallel edges may be nearest far
 * from both bodies. Returns false in this case. Tested by manifold/near_parallel_edges_have_no_points_off_the_bodies.
 */
static bool two_edges(const AbutManifoldSide side[2], const AbutManifoldAxis *axis, AbutManifold *out)
{
	AbutManifoldPoint *point = &out->points[0];
	*point = (AbutManifoldPoint){.rule = ABUT_MANIFOLD_EDGES, .gap = axis->separation};
	point->feature = abut_manifold_feature(point->rule, 0, axis->edge[0], axis->edge[1]);
	out->n = 1;
	double way[3], across[3], along0[3], along1[3];
	const double length0 = world_edge(&side[0], axis->edge[0], point->r, point->u);
	const double length1 = world_edge(&side[1], axis->edge[1], point->q, point->v);
	abut_cross3(point->u, point->v, across);
	abut_cross3(point->v, across, along0);
	abut_cross3(point->u, across, along1);
	abut_sub3(point->q, point->r, way);
	const double s = abut_dot3(way, along0) / abut_dot3(point->u, along0);
	const double t = -abut_dot3(way, along1) / abut_dot3(point->v, along1);
	abut_add_scaled3(point->r, s, point->u, point->r);
	abut_add_scaled3(point->q, t, point->v, point->q);
	abut_add3(point->r, point->q, point->point);
	abut_scale3(0.5, point->point, point->point);
	return is_on_edge(s, length0) && is_on_edge(t, length1);
}

/* Makes the contact point of two crossing edges if they have one, otherwise contact points between two faces. */
static void two_polytopes(const AbutManifoldSide side[2], double margin, AbutManifold *out)
{
	AbutManifoldAxis axis;
	abut_manifold_axis(side, true, &axis);
	abut_copy3(axis.normal, out->normal);
	if (axis.separation > margin || (axis.side < 0 && two_edges(side, &axis, out))) {
		return;
	}
	if (axis.side < 0) {
		abut_manifold_face_axis(side, &axis);
		abut_copy3(axis.normal, out->normal);
	}
	abut_manifold_clip(side, &axis, margin, out);
}

/* --- any two bounded sides --- */

static bool tells_no_faces(const AbutManifoldSide *side)
{
	return side->shape->kind == ABUT_MANIFOLD_GENERIC && !side->shape->shape->smooth;
}

/* Makes contact points of two sides that are both flat along n. At least one of them must be known only by its furthest
 * points; its patch serves as the floor. Returns false if there are none. */
static bool two_patches(const AbutManifoldSide side[2], const double n[3], double margin, AbutManifold *out)
{
	AbutManifoldPolygon border, patch;
	const int own = tells_no_faces(&side[0]) ? 0 : 1;
	AbutManifoldFloor floor = {.side = own, .face = 0, .corners = border.p};
	double back[3];
	if (!tells_no_faces(&side[own])) {
		return false;
	}
	abut_scale3(own == 0 ? 1.0 : -1.0, n, floor.N);
	abut_scale3(-1.0, floor.N, back);
	abut_manifold_patch(&side[own], back, &border);
	abut_manifold_patch(&side[1 - own], floor.N, &patch);
	if (border.open || (patch.open && patch.n < 2)) {
		return false;
	}
	floor.n_corners = border.n;
	floor.offset = abut_manifold_reach(&side[own], floor.N);
	patch.rough = true;
	abut_manifold_over(side, &floor, &patch, margin, out);
	return out->n > 0;
}

static void two_bounded(const AbutManifoldSide side[2], double margin, AbutManifold *out)
{
	AbutManifoldAxis axis;
	AbutManifold near;
	abut_manifold_near(side, &near);
	const double gap = near.points[0].gap;
	abut_copy3(near.normal, out->normal);
	if (gap > margin) {
		return;
	}
	if (abut_manifold_flat_axis(side, near.normal, &axis) &&
	    axis.separation >= gap - ABUT_MANIFOLD_STEADY * abut_manifold_unit(side)) {
		abut_manifold_clip(side, &axis, margin, out);
	}
	if (out->n == 0 && !abut_manifold_tubes(side, near.normal, margin, out) &&
	    !two_patches(side, near.normal, margin, out)) {
		*out = near;
	}
}

static double separation_of_bounded(const AbutManifoldSide side[2], double normal[3])
{
	AbutManifoldAxis axis;
	AbutManifold near;
	abut_manifold_near(side, &near);
	const bool flat = abut_manifold_flat_axis(side, near.normal, &axis) && axis.separation > near.points[0].gap;
	abut_copy3(flat ? axis.normal : near.normal, normal);
	return flat ? axis.separation : near.points[0].gap;
}

/* --- all pairs --- */

/* Returns the side that has this kind, or -1. */
static int side_of(const AbutManifoldSide side[2], AbutManifoldKind kind)
{
	return side[0].shape->kind == kind ? 0 : side[1].shape->kind == kind ? 1 : -1;
}

static bool is_plain(const AbutManifoldSide *side)
{
	return side->shape->kind <= ABUT_MANIFOLD_BALL;
}

void abut_manifold_make(const AbutManifoldSide side[2], double margin, AbutManifold *out)
{
	const int plane = side_of(side, ABUT_MANIFOLD_PLANE), ball = side_of(side, ABUT_MANIFOLD_BALL);
	out->n = 0;
	if (plane >= 0) {
		abut_manifold_beside_plane(side, plane, margin, out);
	} else if (!is_plain(&side[0]) || !is_plain(&side[1])) {
		two_bounded(side, margin, out);
	} else if (ball >= 0) {
		abut_manifold_ball(side, ball, out);
		out->n = out->points[0].gap <= margin ? 1 : 0;
	} else {
		two_polytopes(side, margin, out);
	}
}

double abut_manifold_separation(const AbutManifoldSide side[2], double normal[3])
{
	const int plane = side_of(side, ABUT_MANIFOLD_PLANE), ball = side_of(side, ABUT_MANIFOLD_BALL);
	if (plane >= 0) {
		return plane_separation(side, plane, normal);
	}
	if (!is_plain(&side[0]) || !is_plain(&side[1])) {
		return separation_of_bounded(side, normal);
	}
	if (ball >= 0) {
		AbutManifold manifold;
		abut_manifold_make(side, (double)INFINITY, &manifold);
		abut_copy3(manifold.normal, normal);
		return manifold.points[0].gap;
	}
	AbutManifoldAxis axis;
	abut_manifold_axis(side, false, &axis);
	abut_copy3(axis.normal, normal);
	return axis.separation;
}
