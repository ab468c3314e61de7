/* Lists planes that may cut a solid. Some lie across the axes of its frame and its principal axes: planes in uniform
 * steps, and one through its deepest point. Others pass through its concave edges, along either face or halfway
 * between. */
#include "shapes/decompose/planes.h"

#include <math.h>
#include <stdlib.h>

#include "base/eigen3.h"
#include "base/grow.h"
#include "base/vec3.h"
#include "shapes/decompose/piece.h"

enum {
	STEPS = 8,        /* each axis has STEPS - 1 planes */
	EDGE_PLANES = 36, /* approximate limit of planes through concave edges */
};

/* An edge whose normals turn by less than this angle (radians) belongs to a smooth surface. */
#define CONCAVE_ANGLE 0.02

/* The side of an edge in one triangle. */
typedef struct Side {
	int low, high;
	int sense; /* 1 if the triangle runs from low to high, -1 otherwise */
	int triangle, opposite;
} Side;

typedef struct ConcaveEdge {
	double weight; /* length times angle, m */
	int side;      /* index of the first of its two sides */
} ConcaveEdge;

static int compare_sides(const void *a, const void *b)
{
	const Side *x = a, *y = b;
	if (x->low != y->low) {
		return x->low < y->low ? -1 : 1;
	}
	if (x->high != y->high) {
		return x->high < y->high ? -1 : 1;
	}
	return x->triangle - y->triangle;
}

static int compare_edges(const void *a, const void *b)
{
	const ConcaveEdge *x = a, *y = b;
	return x->weight != y->weight ? (x->weight > y->weight ? -1 : 1) : x->side - y->side;
}

static bool add_plane(AbutPlaneList *list, const double normal[3], const double p[3], double on_plane)
{
	AbutPlane plane;
	if (!(abut_norm3(normal) > 0.0)) {
		return true;
	}
	abut_divide3(normal, abut_norm3(normal), plane.normal);
	plane.offset = abut_dot3(plane.normal, p);
	for (int i = 0; i < list->n; i++) {
		const AbutPlane *old = &list->items[i];
		const double cosine = abut_dot3(old->normal, plane.normal);
		if (fabs(cosine) > 1.0 - 1e-10 && fabs(old->offset * cosine - plane.offset) <= on_plane) {
			return true;
		}
	}
	if (!abut_grow(&list->items, &list->capacity, list->n + 1, sizeof *list->items)) {
		return false;
	}
	list->items[list->n++] = plane;
	return true;
}

/* Adds planes across a direction: in uniform steps through the solid, and through the deepest point. */
static bool add_direction(const AbutSolid *solid, const double direction[3], const double deepest[3], double on_plane,
                          AbutPlaneList *out)
{
	double low = HUGE_VAL, high = -HUGE_VAL;
	for (int i = 0; i < solid->n_vertices; i++) {
		const double height = abut_dot3(direction, &solid->vertices[3 * (size_t)i]);
		low = abut_min(low, height);
		high = abut_max(high, height);
	}
	bool done = add_plane(out, direction, deepest, on_plane);
	for (int k = 1; k < STEPS && done; k++) {
		double p[3];
		abut_scale3(low + (high - low) * k / STEPS, direction, p);
		done = add_plane(out, direction, p, on_plane);
	}
	return done;
}

/* Computes twice the area vector of triangle t. */
static void area_vector(const AbutSolid *solid, int t, double out[3])
{
	const int *corner = &solid->triangles[3 * (size_t)t];
	const double *a = &solid->vertices[3 * (size_t)corner[0]], *b = &solid->vertices[3 * (size_t)corner[1]],
	             *c = &solid->vertices[3 * (size_t)corner[2]];
	const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
	abut_cross3(ab, ac, out);
}

static void triangle_normal(const AbutSolid *solid, int t, double normal[3])
{
	area_vector(solid, t, normal);
	const double length = abut_norm3(normal);
	for (int i = 0; i < 3 && length > 0.0; i++) {
		normal[i] /= length;
	}
}

/* Computes the second moments M of the surface about its centroid, per unit area (m^2). Each triangle counts as a point
 * at its centroid, weighted by its area. Sums are relative to the first vertex. */
static void second_moments(const AbutSolid *solid, double M[9])
{
	double area = 0.0, first[3] = {0.0}, second[9] = {0.0};
	for (int t = 0; t < solid->n_triangles; t++) {
		double middle[3] = {0.0}, vector[3];
		for (int k = 0; k < 9; k++) {
			const int corner = solid->triangles[3 * (size_t)t + (size_t)(k / 3)];
			middle[k % 3] +=
			    (solid->vertices[3 * (size_t)corner + (size_t)(k % 3)] - solid->vertices[k % 3]) / 3.0;
		}
		area_vector(solid, t, vector);
		const double weight = abut_norm3(vector);
		area += weight;
		for (int i = 0; i < 9; i++) {
			first[i % 3] += i < 3 ? weight * middle[i] : 0.0;
			second[i] += weight * middle[i / 3] * middle[i % 3];
		}
	}
	for (int i = 0; i < 9; i++) {
		M[i] = second[i] / area - first[i / 3] / area * first[i % 3] / area;
	}
}

/* Adds planes across the principal axes of the surface: the eigenvectors of its second moments M. They are cross
 * products of rows of M - lambda I. For a double eigenvalue lambda these are zero, and the axis is skipped. */
static bool add_principal_axes(const AbutSolid *solid, const double deepest[3], double on_plane, AbutPlaneList *out)
{
	double M[9], values[3];
	second_moments(solid, M);
	abut_eigenvalues3(M, values);
	bool done = true;
	for (int k = 0; k < 3 && done; k++) {
		double best[3] = {0.0}, rows[9];
		for (int i = 0; i < 9; i++) {
			rows[i] = M[i] - (i % 4 == 0 ? values[k] : 0.0);
		}
		for (int i = 0; i < 3; i++) {
			double cross[3];
			abut_cross3(&rows[3 * i], &rows[3 * ((i + 1) % 3)], cross);
			if (abut_norm3(cross) > abut_norm3(best)) {
				abut_copy3(cross, best);
			}
		}
		const double length = abut_norm3(best);
		if (length > 1e-6 * values[2] * values[2]) {
			const double axis[3] = {best[0] / length, best[1] / length, best[2] / length};
			done = add_direction(solid, axis, deepest, on_plane, out);
		}
	}
	return done;
}

/* Returns the length times the angle of a concave edge. Returns 0 if the edge is convex or nearly flat, or if both
 * triangles pass it in the same direction. */
static double edge_weight(const AbutSolid *solid, const Side *side, const Side *other)
{
	if (side->sense + other->sense != 0) {
		return 0.0;
	}
	const double *p = &solid->vertices[3 * (size_t)side->low], *q = &solid->vertices[3 * (size_t)side->high],
	             *d = &solid->vertices[3 * (size_t)other->opposite];
	const double step[3] = {d[0] - p[0], d[1] - p[1], d[2] - p[2]};
	const double edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
	double n[3], m[3], cross[3];
	triangle_normal(solid, side->triangle, n);
	triangle_normal(solid, other->triangle, m);
	abut_cross3(n, m, cross);
	const double angle = atan2(abut_norm3(cross), abut_dot3(n, m));
	return abut_dot3(n, step) > 0.0 && angle > CONCAVE_ANGLE ? angle * abut_norm3(edge) : 0.0;
}

static bool add_edge_planes(const AbutSolid *solid, const Side *side, double on_plane, AbutPlaneList *out)
{
	const double *p = &solid->vertices[3 * (size_t)side->low], *q = &solid->vertices[3 * (size_t)side->high];
	const double edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
	double n[3], m[3], sum[3], halfway[3];
	triangle_normal(solid, side[0].triangle, n);
	triangle_normal(solid, side[1].triangle, m);
	abut_add3(n, m, sum);
	abut_cross3(edge, sum, halfway);
	return add_plane(out, n, p, on_plane) && add_plane(out, m, p, on_plane) && add_plane(out, halfway, p, on_plane);
}

/* Adds planes through the concave edges, those of largest weight first. `sides` and `edges` have space for three
 * entries per triangle. */
static bool add_concave_edges(const AbutSolid *solid, double on_plane, Side *sides, ConcaveEdge *edges,
                              AbutPlaneList *out)
{
	int n_sides = 0, n_edges = 0;
	for (int t = 0; t < solid->n_triangles; t++) {
		for (int k = 0; k < 3; k++) {
			const int *corner = &solid->triangles[3 * (size_t)t], a = corner[k], b = corner[(k + 1) % 3];
			sides[n_sides++] = (Side){.low = a < b ? a : b,
			                          .high = a < b ? b : a,
			                          .sense = a < b ? 1 : -1,
			                          .triangle = t,
			                          .opposite = corner[(k + 2) % 3]};
		}
	}
	qsort(sides, (size_t)n_sides, sizeof *sides, compare_sides);
	for (int i = 0, end; i < n_sides; i = end) {
		for (end = i; end < n_sides && sides[end].low == sides[i].low && sides[end].high == sides[i].high;) {
			end++;
		}
		const double weight = end == i + 2 ? edge_weight(solid, &sides[i], &sides[i + 1]) : 0.0;
		if (weight > 0.0) {
			edges[n_edges++] = (ConcaveEdge){weight, i};
		}
	}
	if (n_edges > 0) {
		qsort(edges, (size_t)n_edges, sizeof *edges, compare_edges);
	}
	const int limit = out->n + EDGE_PLANES;
	bool done = true;
	for (int i = 0; i < n_edges && out->n < limit && done; i++) {
		done = add_edge_planes(solid, &sides[edges[i].side], on_plane, out);
	}
	return done;
}

bool abut_planes_of(const AbutSolid *solid, const double deepest[3], double on_plane, AbutPlaneList *out)
{
	const size_t n = 3 * (size_t)solid->n_triangles;
	Side *sides = malloc(n * sizeof *sides);
	ConcaveEdge *edges = malloc(n * sizeof *edges);
	/* Begin with the edges: among equally good planes the first one is taken. */
	bool done = sides && edges && add_concave_edges(solid, on_plane, sides, edges, out);
	for (int k = 0; k < 3 && done; k++) {
		const double axis[3] = {k == 0, k == 1, k == 2};
		done = add_direction(solid, axis, deepest, on_plane, out);
	}
	done = done && add_principal_axes(solid, deepest, on_plane, out);
	free(sides);
	free(edges);
	return done;
}
