/* Which pair is which, and the pairs that are a few lines. */
#include "collision/manifold_parts.h"

/* --- a halfspace --- */

/* The plane in the axes of the other side: normal . p <= offset. */
static double plane_in(const AbutManifoldSide *plane, const AbutManifoldSide *other, double N[3], double own[3])
{
	abut_mat3_vec(plane->R, plane->shape->normal, N);
	abut_mat3_tvec(other->R, N, own);
	double way[3];
	for (int i = 0; i < 3; i++) {
		way[i] = other->x[i] - plane->x[i];
	}
	return plane->shape->offset - abut_dot3(N, way);
}

static void beside_plane(const AbutManifoldSide side[2], int plane, double margin, AbutManifold *out)
{
	const AbutManifoldSide *other = &side[1 - plane];
	const AbutManifoldShape *shape = other->shape;
	double N[3], own[3];
	const double offset = plane_in(&side[plane], other, N, own);
	const bool ball = shape->kind == ABUT_MANIFOLD_BALL;
	const double *points = ball ? shape->centre : shape->hull->vertices;
	int chosen[ABUT_MANIFOLD_POINTS];
	out->n = abut_manifold_reduce(ball ? 1 : shape->hull->n_vertices, points, own, offset, margin + shape->radius,
	                              chosen);
	for (int i = 0; i < 3; i++) {
		out->normal[i] = plane == 0 ? N[i] : -N[i];
	}
	for (int i = 0; i < out->n; i++) {
		AbutManifoldPoint *point = &out->points[i];
		*point = (AbutManifoldPoint){.rule = ABUT_MANIFOLD_VERTEX, .face = plane};
		point->feature = abut_manifold_feature(point->rule, plane, chosen[i], 0);
		const double *p = &points[3 * chosen[i]];
		abut_manifold_to_world(other, p, point->r);
		abut_manifold_over_plane(N, abut_dot3(own, p) - offset, shape->radius, point);
	}
}

static double plane_separation(const AbutManifoldSide side[2], int plane, double normal[3])
{
	const AbutManifoldShape *shape = side[1 - plane].shape;
	double N[3], own[3], least = (double)INFINITY;
	const double offset = plane_in(&side[plane], &side[1 - plane], N, own);
	const bool ball = shape->kind == ABUT_MANIFOLD_BALL;
	for (int i = 0; i < (ball ? 1 : shape->hull->n_vertices); i++) {
		least = abut_min(least, abut_dot3(own, ball ? shape->centre : &shape->hull->vertices[3 * i]));
	}
	for (int i = 0; i < 3; i++) {
		normal[i] = plane == 0 ? N[i] : -N[i];
	}
	return least - offset - shape->radius;
}

/* --- two balls --- */

/* Concentric balls have no normal of their own: z. */
static void two_balls(const AbutManifoldSide side[2], AbutManifold *out)
{
	AbutManifoldPoint *point = &out->points[0];
	*point = (AbutManifoldPoint){.rule = ABUT_MANIFOLD_BALL_POINT,
	                             .feature = abut_manifold_feature(ABUT_MANIFOLD_BALL_POINT, 0, 0, 1)};
	out->n = 1;
	abut_manifold_to_world(&side[0], side[0].shape->centre, point->r);
	abut_manifold_to_world(&side[1], side[1].shape->centre, point->q);
	const double way[3] = {point->q[0] - point->r[0], point->q[1] - point->r[1], point->q[2] - point->r[2]};
	const double length = abut_norm3(way), radius = side[0].shape->radius;
	point->gap = length - radius - side[1].shape->radius;
	for (int i = 0; i < 3; i++) {
		out->normal[i] = length > 0.0 ? way[i] / length : (i == 2 ? 1.0 : 0.0);
		point->point[i] = point->r[i] + out->normal[i] * (radius + 0.5 * point->gap);
	}
}

/* --- two edges --- */

/* By which share of an edge the nearest point of its line may lie beyond an end and still count as on it. */
static const double beyond = 1e-6;

/* The ends' places of an edge, as a point and a direction of unit length. Returns the length. */
static double world_edge(const AbutManifoldSide *side, int index, double p[3], double d[3])
{
	const AbutHullEdge *edge = &side->shape->hull->edges[index];
	abut_manifold_vertex(side, edge->from, p);
	abut_manifold_vertex(side, edge->to, d);
	for (int i = 0; i < 3; i++) {
		d[i] -= p[i];
	}
	const double length = abut_norm3(d);
	for (int i = 0; i < 3; i++) {
		d[i] /= length;
	}
	return length;
}

static bool is_on_edge(double place, double length)
{
	return place >= -beyond * length && place <= (1.0 + beyond) * length;
}

/* The points of two lines that are nearest to each other:
 *
 *     (p1 + t d1) - (p0 + s d0)  along  d0 x d1.
 *
 * In overlap, the axis of least overlap leads to points of the edges: the foot of the origin on the nearest face of the
 * difference of the two lies in that face. Apart it need not, and of edges that are almost parallel the lines may be
 * nearest far from either body; false then. Tested by manifold/near_parallel_edges_have_no_points_off_the_bodies. */
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
	for (int i = 0; i < 3; i++) {
		way[i] = point->q[i] - point->r[i];
	}
	const double s = abut_dot3(way, along0) / abut_dot3(point->u, along0);
	const double t = -abut_dot3(way, along1) / abut_dot3(point->v, along1);
	for (int i = 0; i < 3; i++) {
		point->r[i] += s * point->u[i];
		point->q[i] += t * point->v[i];
		point->point[i] = 0.5 * (point->r[i] + point->q[i]);
	}
	return is_on_edge(s, length0) && is_on_edge(t, length1);
}

/* One point of two edges where these have one; otherwise a face against a face. */
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

/* --- all pairs --- */

/* The side that is of a kind, or -1. */
static int side_of(const AbutManifoldSide side[2], AbutManifoldKind kind)
{
	return side[0].shape->kind == kind ? 0 : side[1].shape->kind == kind ? 1 : -1;
}

void abut_manifold_make(const AbutManifoldSide side[2], double margin, AbutManifold *out)
{
	const int plane = side_of(side, ABUT_MANIFOLD_PLANE), ball = side_of(side, ABUT_MANIFOLD_BALL);
	out->n = 0;
	if (plane >= 0) {
		beside_plane(side, plane, margin, out);
	} else if (ball >= 0) {
		if (side[0].shape->kind == side[1].shape->kind) {
			two_balls(side, out);
		} else {
			abut_manifold_ball(side, ball, out);
		}
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
