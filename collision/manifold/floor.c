/* Makes contact points over a plane. The other side's patch (a polygon, a line or a point) is clipped by planes through
 * the edges of the face, orthogonal to it (Sutherland and Hodgman 1974). Each corner of the result records how it was
 * made. */
#include "collision/manifold/floor.h"

#include "collision/manifold/reduce.h"

/* A corner counts as inside if its distance from a side plane is below this share of the shape's size. */
static const double touching = 1e-12;

/* Adds the point where the polygon's side from corner i crosses plane `index`. d and e are the signed distances of the
 * ends of this side from the plane. */
static void cross_side(const AbutManifoldPolygon *from, int i, double d, double e, int index, AbutManifoldPolygon *to)
{
	const int next = (i + 1) % from->n, edge = from->corners[i].side;
	const double share = d / (d - e);
	double *p = &to->p[3 * to->n];
	AbutManifoldCorner *corner = &to->corners[to->n++];
	*corner = (AbutManifoldCorner){.rule = edge >= 0 ? ABUT_MANIFOLD_EDGE : ABUT_MANIFOLD_CORNER,
	                               .a = edge >= 0 ? edge : -1 - edge,
	                               .b = index,
	                               .plane = index,
	                               .bend = from->corners[i].bend +
	                                       share * (from->corners[next].bend - from->corners[i].bend)};
	for (int k = 0; k < 3; k++) {
		corner->along[k] = from->p[3 * next + k] - from->p[3 * i + k];
		p[k] = from->p[3 * i + k] + share * corner->along[k];
	}
	corner->side = d <= 0.0 && !from->open ? -1 - index : edge; /* where the polygon leaves, it continues along the
	                                                               plane; where it enters, along the old side */
}

/* Keeps the part of the polygon with m . p <= c. Distances up to `slack` count as zero. */
static void clip(const AbutManifoldPolygon *from, const double m[3], double c, double slack, int index,
                 AbutManifoldPolygon *to)
{
	to->n = 0;
	for (int i = 0; i < from->n; i++) {
		const int next = (i + 1) % from->n;
		double d = abut_dot3(m, &from->p[3 * i]) - c, e = abut_dot3(m, &from->p[3 * next]) - c;
		d = fabs(d) <= slack ? 0.0 : d;
		e = fabs(e) <= slack ? 0.0 : e;
		if (d <= 0.0) {
			abut_copy3(&from->p[3 * i], &to->p[3 * to->n]);
			to->corners[to->n] = from->corners[i];
			if (d == 0.0 && e > 0.0 && !from->open) {
				to->corners[to->n].side = -1 - index;
			}
			to->n++;
		}
		const bool side = !from->open || next > i;
		if (side && ((d < 0.0 && e > 0.0) || (d > 0.0 && e < 0.0))) {
			cross_side(from, i, d, e, index, to);
		}
	}
}

/* Computes the plane m . p <= c through the border's edge that starts at corner k, with m pointing outwards. */
static void side_plane(const AbutManifoldFloor *floor, int k, double m[3], double *c)
{
	const double *from = &floor->corners[3 * k], *to = &floor->corners[3 * ((k + 1) % floor->n_corners)];
	const double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
	abut_cross3(way, floor->N, m);
	abut_divide3(m, abut_norm3(m), m);
	*c = abut_dot3(m, from);
}

/* Returns the name of a feature from the indices of the corner on both sides. */
static uint64_t feature_of(const AbutManifoldFloor *floor, const AbutManifoldPolygon *patch,
                           const AbutManifoldCorner *corner)
{
	if (corner->rule == ABUT_MANIFOLD_VERTEX) {
		return abut_manifold_feature(corner->rule, floor->side, corner->a, floor->face);
	}
	return abut_manifold_feature(corner->rule, floor->side, patch->face << 10 | (corner->a & 1023),
	                             floor->face << 10 | corner->b);
}

void abut_manifold_over(const AbutManifoldSide side[2], const AbutManifoldFloor *floor, AbutManifoldPolygon *patch,
                        double margin, AbutManifold *out)
{
	const AbutManifoldShape *other = side[1 - floor->side].shape;
	AbutManifoldPolygon room, *now = patch, *next = &room;
	double m[ABUT_MANIFOLD_CORNERS][3];
	int chosen[ABUT_MANIFOLD_POINTS];
	room.open = patch->open;
	for (int i = 0; i < floor->n_corners; i++) {
		double c;
		side_plane(floor, i, m[i], &c);
		clip(now, m[i], c, touching * other->size, i, next);
		AbutManifoldPolygon *const swap = now;
		now = next;
		next = swap;
	}
	abut_scale3(floor->side == 0 ? 1.0 : -1.0, floor->N, out->normal);
	out->n = abut_manifold_reduce(now->n, now->p, floor->N, floor->offset, margin + other->radius, chosen);
	for (int i = 0; i < out->n; i++) {
		const AbutManifoldCorner *corner = &now->corners[chosen[i]];
		AbutManifoldPoint *point = &out->points[i];
		*point = (AbutManifoldPoint){.rule = corner->rule, .face = floor->side, .rough = patch->rough};
		point->feature = feature_of(floor, patch, corner);
		abut_copy3(&now->p[3 * chosen[i]], point->r);
		abut_copy3(corner->along, point->u);
		abut_copy3(corner->rule == ABUT_MANIFOLD_EDGE ? m[corner->plane] : patch->normal, point->v);
		for (int k = 0; k < 9; k++) {
			point->bend[0][k] = corner->bend * patch->bend[k];
		}
		abut_manifold_over_plane(floor->N, abut_dot3(floor->N, point->r) - floor->offset, other->radius, point);
	}
}

void abut_manifold_clip(const AbutManifoldSide side[2], const AbutManifoldAxis *axis, double margin, AbutManifold *out)
{
	const AbutManifoldSide *own = &side[axis->side];
	const AbutHull *hull = own->shape->hull;
	const int first = hull->face_start[axis->face];
	double corners[3 * ABUT_MANIFOLD_CORNERS], foot[3];
	AbutManifoldPolygon patch;
	AbutManifoldFloor floor = {.side = axis->side,
	                           .face = axis->face,
	                           .n_corners = hull->face_start[axis->face + 1] - first,
	                           .corners = corners};
	for (int k = 0; k < floor.n_corners; k++) {
		abut_manifold_vertex(own, hull->face_vertex[first + k], &corners[3 * k]);
	}
	abut_manifold_face_normal(own, axis->face, floor.N);
	abut_manifold_vertex(own, hull->face_vertex[first], foot);
	floor.offset = abut_dot3(floor.N, foot) + own->shape->radius;
	abut_manifold_patch(&side[1 - axis->side], floor.N, &patch);
	abut_manifold_over(side, &floor, &patch, margin, out);
}

/* Computes the plane in the axes of the other side, `own` . p <= offset, and its normal N in the world. Returns the
 * offset. */
static double plane_in(const AbutManifoldSide *plane, const AbutManifoldSide *other, double N[3], double own[3])
{
	abut_mat3_vec(plane->R, plane->shape->normal, N);
	abut_mat3_tvec(other->R, N, own);
	double way[3];
	abut_sub3(other->x, plane->x, way);
	return plane->shape->offset - abut_dot3(N, way);
}

/* Returns the number of points whose convex hull is the side's core, or 0 if there are not finitely many. */
static int core_points(const AbutManifoldShape *shape, const double **points)
{
	const bool hull = shape->kind == ABUT_MANIFOLD_POLYTOPE || shape->kind == ABUT_MANIFOLD_PADDED;
	*points = hull ? shape->hull->vertices : shape->pieces[0];
	return hull ? shape->hull->n_vertices : shape->radius > 0.0 ? shape->n_pieces : 0;
}

/* --- a halfspace --- */

static void points_beside_plane(const AbutManifoldSide side[2], int plane, int n, const double *points, double margin,
                                AbutManifold *out)
{
	const AbutManifoldSide *other = &side[1 - plane];
	double N[3], own[3];
	const double offset = plane_in(&side[plane], other, N, own), radius = other->shape->radius;
	int chosen[ABUT_MANIFOLD_POINTS];
	out->n = abut_manifold_reduce(n, points, own, offset, margin + radius, chosen);
	abut_scale3(plane == 0 ? 1.0 : -1.0, N, out->normal);
	for (int i = 0; i < out->n; i++) {
		AbutManifoldPoint *point = &out->points[i];
		*point = (AbutManifoldPoint){.rule = ABUT_MANIFOLD_VERTEX, .face = plane};
		point->feature = abut_manifold_feature(point->rule, plane, chosen[i], 0);
		const double *p = &points[3 * chosen[i]];
		abut_manifold_to_world(other, p, point->r);
		abut_manifold_over_plane(N, abut_dot3(own, p) - offset, radius, point);
	}
}

void abut_manifold_beside_plane(const AbutManifoldSide side[2], int plane, double margin, AbutManifold *out)
{
	const double *points;
	const int n = core_points(side[1 - plane].shape, &points);
	if (n > 0) {
		points_beside_plane(side, plane, n, points, margin, out);
		return;
	}
	AbutManifoldFloor floor = {.side = plane};
	AbutManifoldPolygon patch;
	abut_mat3_vec(side[plane].R, side[plane].shape->normal, floor.N);
	floor.offset = side[plane].shape->offset + abut_dot3(floor.N, side[plane].x);
	abut_manifold_patch(&side[1 - plane], floor.N, &patch);
	abut_manifold_over(side, &floor, &patch, margin, out);
}
