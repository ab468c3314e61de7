/* The part of a face that lies over another one: a polygon, clipped by the planes that stand on the other's edges
 * (Sutherland and Hodgman 1974), each corner knowing what it came from. */
#include "collision/manifold_parts.h"

enum { MOST = 2 * ABUT_MANIFOLD_CORNERS };

/* What a corner is, and what the polygon's side from it to the next corner lies on: an edge of the incident face (its
 * place in the face), or, from -1 down, a side plane. */
typedef struct Corner {
	AbutManifoldRule rule;
	int a, b; /* of the feature */
	int side;
	double along[3]; /* of an edge's corner: its direction */
	int plane;       /* that cut it */
} Corner;

typedef struct Polygon {
	int n;
	double p[3 * MOST]; /* world */
	Corner corners[MOST];
} Polygon;

/* Within this share of the size, a corner on a side plane counts as inside. */
static const double touching = 1e-12;

static int corners_of(const AbutHull *hull, int face)
{
	return hull->face_start[face + 1] - hull->face_start[face];
}

static void start_polygon(const AbutManifoldSide *side, int face, Polygon *out)
{
	const AbutHull *hull = side->shape->hull;
	out->n = corners_of(hull, face);
	for (int k = 0; k < out->n; k++) {
		const int vertex = hull->face_vertex[hull->face_start[face] + k];
		abut_manifold_vertex(side, vertex, &out->p[3 * k]);
		out->corners[k] = (Corner){.rule = ABUT_MANIFOLD_VERTEX, .a = vertex, .side = k};
	}
}

/* Where the side that starts at corner i crosses the plane `index`, whose distances at its ends are d and e. */
static void cross_side(const Polygon *from, int i, double d, double e, int index, Polygon *to)
{
	const int next = (i + 1) % from->n, edge = from->corners[i].side;
	const double share = d / (d - e);
	double *p = &to->p[3 * to->n];
	Corner *corner = &to->corners[to->n++];
	*corner = (Corner){.rule = edge >= 0 ? ABUT_MANIFOLD_EDGE : ABUT_MANIFOLD_CORNER,
	                   .a = edge >= 0 ? edge : -1 - edge,
	                   .b = index,
	                   .plane = index};
	for (int k = 0; k < 3; k++) {
		corner->along[k] = from->p[3 * next + k] - from->p[3 * i + k];
		p[k] = from->p[3 * i + k] + share * corner->along[k];
	}
	corner->side = d <= 0.0 ? -1 - index : edge; /* going out along the plane, or in along the old side */
}

/* Keeps what lies on the inner side of the plane m . p <= c. */
static void clip(const Polygon *from, const double m[3], double c, double slack, int index, Polygon *to)
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
			if (d == 0.0 && e > 0.0) {
				to->corners[to->n].side = -1 - index;
			}
			to->n++;
		}
		if ((d < 0.0 && e > 0.0) || (d > 0.0 && e < 0.0)) {
			cross_side(from, i, d, e, index, to);
		}
	}
}

/* The plane that stands on the k-th edge of the face, outwards: m . p <= c. */
static void side_plane(const AbutManifoldSide *side, int face, int k, const double N[3], double m[3], double *c)
{
	const AbutHull *hull = side->shape->hull;
	const int *vertex = &hull->face_vertex[hull->face_start[face]];
	double from[3], to[3];
	abut_manifold_vertex(side, vertex[k], from);
	abut_manifold_vertex(side, vertex[(k + 1) % corners_of(hull, face)], to);
	for (int i = 0; i < 3; i++) {
		to[i] -= from[i];
	}
	abut_cross3(to, N, m);
	const double length = abut_norm3(m);
	for (int i = 0; i < 3; i++) {
		m[i] /= length;
	}
	*c = abut_dot3(m, from);
}

/* The face of the other side that lies most against N. */
static int incident_face(const AbutManifoldSide *side, const double N[3])
{
	const AbutHull *hull = side->shape->hull;
	double own[3], least = (double)INFINITY;
	int face = 0;
	abut_mat3_tvec(side->R, N, own);
	for (int f = 0; f < hull->n_faces; f++) {
		const double cosine = abut_dot3(own, &hull->normals[3 * f]);
		if (cosine < least) {
			least = cosine;
			face = f;
		}
	}
	return face;
}

void abut_manifold_over_plane(const double N[3], double height, double radius, AbutManifoldPoint *point)
{
	point->gap = height - radius;
	for (int i = 0; i < 3; i++) {
		point->point[i] = point->r[i] - N[i] * (radius + 0.5 * point->gap);
	}
}

void abut_manifold_clip(const AbutManifoldSide side[2], const AbutManifoldAxis *axis, double margin, AbutManifold *out)
{
	const AbutManifoldSide *own = &side[axis->side], *other = &side[1 - axis->side];
	Polygon polygons[2], *now = &polygons[0], *next = &polygons[1];
	double N[3], m[MOST][3], k[3], foot[3];
	abut_manifold_face_normal(own, axis->face, N);
	const int incident = incident_face(other, N), n_planes = corners_of(own->shape->hull, axis->face);
	start_polygon(other, incident, now);
	for (int i = 0; i < n_planes; i++) {
		double c;
		side_plane(own, axis->face, i, N, m[i], &c);
		clip(now, m[i], c, touching * other->shape->size, i, next);
		Polygon *const swap = now;
		now = next;
		next = swap;
	}
	int chosen[ABUT_MANIFOLD_POINTS];
	abut_manifold_vertex(own, own->shape->hull->face_vertex[own->shape->hull->face_start[axis->face]], foot);
	const double offset = abut_dot3(N, foot);
	abut_manifold_face_normal(other, incident, k);
	out->n = abut_manifold_reduce(now->n, now->p, N, offset, margin, chosen);
	for (int i = 0; i < out->n; i++) {
		const Corner *corner = &now->corners[chosen[i]];
		AbutManifoldPoint *point = &out->points[i];
		*point = (AbutManifoldPoint){.rule = corner->rule, .face = axis->side};
		point->feature = abut_manifold_feature(corner->rule, axis->side, incident << 10 | (corner->a & 1023),
		                                       axis->face << 10 | corner->b);
		if (corner->rule == ABUT_MANIFOLD_VERTEX) {
			point->feature = abut_manifold_feature(corner->rule, axis->side, corner->a, axis->face);
		}
		abut_copy3(&now->p[3 * chosen[i]], point->r);
		abut_copy3(corner->along, point->u);
		abut_copy3(corner->rule == ABUT_MANIFOLD_EDGE ? m[corner->plane] : k, point->v);
		abut_manifold_over_plane(N, abut_dot3(N, point->r) - offset, 0.0, point);
	}
}

/* --- the choice of four --- */

/* Twice the area of the triangle a b c as seen against the normal, with its sign. */
static double area(const double *a, const double *b, const double *c, const double normal[3])
{
	double u[3], v[3], cross[3];
	for (int i = 0; i < 3; i++) {
		u[i] = b[i] - a[i];
		v[i] = c[i] - a[i];
	}
	abut_cross3(u, v, cross);
	return abut_dot3(normal, cross);
}

static double square_distance(const double *a, const double *b)
{
	const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return abut_dot3(d, d);
}

int abut_manifold_reduce(int n, const double *points, const double normal[3], double offset, double margin,
                         int chosen[ABUT_MANIFOLD_POINTS])
{
	int count = 0, deepest = -1, furthest = -1, left = -1, right = -1;
	double least = (double)INFINITY, most = 0.0, most_left = 0.0, most_right = 0.0;
	for (int i = 0; i < n; i++) {
		const double gap = abut_dot3(normal, &points[3 * i]) - offset;
		if (gap <= margin) {
			if (count < ABUT_MANIFOLD_POINTS) {
				chosen[count] = i;
			}
			count++;
			deepest = gap < least ? i : deepest;
			least = abut_min(gap, least);
		}
	}
	if (count <= ABUT_MANIFOLD_POINTS) {
		return count;
	}
	const double *a = &points[3 * deepest];
	for (int i = 0; i < n; i++) {
		const double distance = square_distance(a, &points[3 * i]);
		if (abut_dot3(normal, &points[3 * i]) - offset <= margin && distance > most) {
			most = distance;
			furthest = i;
		}
	}
	if (furthest < 0) {
		chosen[0] = deepest;
		return 1;
	}
	for (int i = 0; i < n; i++) {
		const double turn = area(a, &points[3 * furthest], &points[3 * i], normal);
		if (abut_dot3(normal, &points[3 * i]) - offset > margin) {
			continue;
		}
		left = turn > most_left ? i : left;
		right = turn < most_right ? i : right;
		most_left = abut_max(turn, most_left);
		most_right = abut_min(turn, most_right);
	}
	const int all[ABUT_MANIFOLD_POINTS] = {deepest, furthest, left, right};
	count = 0;
	for (int i = 0; i < ABUT_MANIFOLD_POINTS; i++) {
		if (all[i] >= 0) {
			chosen[count++] = all[i];
		}
	}
	return count;
}
