/* Divides a solid by a plane.
 *
 * A vertex is above, below or on the plane, and never moves. Triangles with vertices on both sides are clipped. The new
 * points depend only on the edge, so that neighbours share them to the bit. The triangles below the plane are then
 * bounded by closed polygons in the plane. The triangles above it have the same boundary in the opposite direction, so
 * that the same triangles close both halves. The edges of each half pair up because those of the solid do; no test
 * depends on rounding. */
#include "shapes/geometry/solid_split.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/vec3.h"
#include "shapes/geometry/cap.h"
#include "shapes/geometry/solid.h"

/* The point where an edge meets the plane. */
typedef struct EdgePoint {
	int low, high; /* vertices of the edge, low < high; -1: unused entry */
	int vertex;
} EdgePoint;

/* An edge of the half below the plane, with both ends on the plane. */
typedef struct BoundaryEdge {
	int low, high;
	int sense; /* 1: from low to high, -1: from high to low */
} BoundaryEdge;

typedef struct Cut {
	const AbutSolid *solid;
	const AbutPlane *plane;
	double tolerance;
	double *height;   /* (n_vertices of the solid) height above the plane, m */
	int n_vertices;   /* number of vertices of the solid plus points on the plane */
	int capacity;     /* capacity of `vertices`, in doubles */
	double *vertices; /* (n_vertices x 3), m */
	EdgePoint *table; /* (mask + 1) hash table with open addressing */
	size_t mask;
	AbutTriangles half[2]; /* below, above */
} Cut;

static int side_of(const Cut *cut, int vertex)
{
	if (vertex >= cut->solid->n_vertices) {
		return 0;
	}
	const double height = cut->height[vertex];
	return height > cut->tolerance ? 1 : (height < -cut->tolerance ? -1 : 0);
}

/* Returns the index of the point where the edge from a to b meets the plane. The point is computed once, starting at
 * the smaller vertex index. Returns -1 when out of memory. */
static int edge_point(Cut *cut, int a, int b)
{
	const int low = a < b ? a : b, high = a < b ? b : a;
	size_t i = (((uint64_t)low << 32 | (uint64_t)high) * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & cut->mask;
	for (; cut->table[i].low >= 0; i = (i + 1) & cut->mask) {
		if (cut->table[i].low == low && cut->table[i].high == high) {
			return cut->table[i].vertex;
		}
	}
	const int vertex = cut->n_vertices;
	if (!abut_grow(&cut->vertices, &cut->capacity, 3 * (vertex + 1), sizeof *cut->vertices)) {
		return -1;
	}
	const double t = cut->height[low] / (cut->height[low] - cut->height[high]);
	const double *p = &cut->vertices[3 * (size_t)low], *q = &cut->vertices[3 * (size_t)high];
	for (size_t k = 0; k < 3; k++) {
		cut->vertices[3 * (size_t)vertex + k] = p[k] + t * (q[k] - p[k]);
	}
	cut->table[i] = (EdgePoint){low, high, vertex};
	cut->n_vertices++;
	return vertex;
}

/* Returns the half that a triangle in the plane bounds: its normal points out of this half. */
static int half_of_flat(const Cut *cut, const int corner[3])
{
	const double *a = &cut->vertices[3 * (size_t)corner[0]], *b = &cut->vertices[3 * (size_t)corner[1]],
	             *c = &cut->vertices[3 * (size_t)corner[2]];
	const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
	double cross[3];
	abut_cross3(ab, ac, cross);
	return abut_dot3(cross, cut->plane->normal) > 0.0 ? 0 : 1;
}

/* Appends the part of a triangle that lies on one side: a polygon, as a fan of triangles. */
static bool clip_triangle(Cut *cut, const int corner[3], bool is_cut, int half)
{
	int polygon[4], n = 0;
	const int sense = half == 0 ? -1 : 1;
	for (int k = 0; k < 3; k++) {
		const int a = corner[k], b = corner[(k + 1) % 3];
		if (side_of(cut, a) * sense >= 0) {
			polygon[n++] = a;
		}
		if (side_of(cut, a) * side_of(cut, b) < 0) {
			polygon[n] = edge_point(cut, a, b);
			if (polygon[n++] < 0) {
				return false;
			}
		}
	}
	bool done = true;
	for (int k = 1; k + 1 < n && done; k++) {
		done = abut_triangles_add(&cut->half[half], polygon[0], polygon[k], polygon[k + 1], is_cut);
	}
	return done;
}

static bool sort_triangle(Cut *cut, int t)
{
	const int *corner = &cut->solid->triangles[3 * (size_t)t];
	const bool is_cut = cut->solid->is_cut[t];
	int above = 0, below = 0;
	for (int k = 0; k < 3; k++) {
		above += side_of(cut, corner[k]) > 0;
		below += side_of(cut, corner[k]) < 0;
	}
	if (above > 0 && below > 0) {
		return clip_triangle(cut, corner, is_cut, 0) && clip_triangle(cut, corner, is_cut, 1);
	}
	const int half = above > 0 ? 1 : (below > 0 ? 0 : half_of_flat(cut, corner));
	return abut_triangles_add(&cut->half[half], corner[0], corner[1], corner[2], is_cut);
}

static int compare_boundary(const void *a, const void *b)
{
	const BoundaryEdge *x = a, *y = b;
	return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : (x->high > y->high) - (x->high < y->high);
}

/* Finds the boundary of the half below: the edges without an opposite edge. Returns them in the direction in which the
 * cap that closes this half passes them. */
static bool find_boundary(const Cut *cut, AbutCapEdge **out, int *n_out)
{
	const AbutTriangles *below = &cut->half[0];
	BoundaryEdge *edges = NULL;
	int n = 0, capacity = 0;
	for (int t = 0; t < below->n; t++) {
		for (int k = 0; k < 3; k++) {
			const int a = below->corners[3 * (size_t)t + (size_t)k],
			          b = below->corners[3 * (size_t)t + (size_t)((k + 1) % 3)];
			if (a == b || side_of(cut, a) != 0 || side_of(cut, b) != 0) {
				continue;
			}
			if (!abut_grow(&edges, &capacity, n + 1, sizeof *edges)) {
				free(edges);
				return false;
			}
			edges[n++] = a < b ? (BoundaryEdge){a, b, 1} : (BoundaryEdge){b, a, -1};
		}
	}
	if (n > 0) {
		qsort(edges, (size_t)n, sizeof *edges, compare_boundary);
	}
	AbutCapEdge *cap = malloc(((size_t)n + 1) * sizeof *cap);
	*n_out = 0;
	for (int i = 0, end; i < n && cap; i = end) {
		int net = 0;
		for (end = i; end < n && compare_boundary(&edges[i], &edges[end]) == 0; end++) {
			net += edges[end].sense;
		}
		for (int k = 0; k < abs(net); k++) {
			cap[(*n_out)++] = net > 0 ? (AbutCapEdge){edges[i].high, edges[i].low}
			                          : (AbutCapEdge){edges[i].low, edges[i].high};
		}
	}
	free(edges);
	*out = cap;
	return cap;
}

/* Caps both halves. */
static bool close_halves(Cut *cut)
{
	AbutCapEdge *edges = NULL;
	int n_edges = 0;
	AbutTriangles cap = {0};
	bool done = find_boundary(cut, &edges, &n_edges) &&
	            abut_cap_fill(cut->vertices, cut->plane->normal, n_edges, edges, &cap);
	for (int t = 0; t < cap.n && done; t++) {
		const int *corner = &cap.corners[3 * (size_t)t];
		done = abut_triangles_add(&cut->half[0], corner[0], corner[1], corner[2], true) &&
		       abut_triangles_add(&cut->half[1], corner[0], corner[2], corner[1], true);
	}
	abut_triangles_free(&cap);
	free(edges);
	return done;
}

/* Computes heights. Allocates an empty table with space for a point on each edge that meets the plane. */
static bool prepare(Cut *cut)
{
	const AbutSolid *solid = cut->solid;
	const size_t n = (size_t)solid->n_vertices;
	cut->height = malloc(n * sizeof *cut->height);
	if (!cut->height || !abut_grow(&cut->vertices, &cut->capacity, 3 * solid->n_vertices, sizeof *cut->vertices)) {
		return false;
	}
	if (cut->vertices) {
		memcpy(cut->vertices, solid->vertices, 3 * n * sizeof *cut->vertices);
	}
	cut->n_vertices = solid->n_vertices;
	for (size_t i = 0; i < n; i++) {
		cut->height[i] = abut_dot3(cut->plane->normal, &solid->vertices[3 * i]) - cut->plane->offset;
	}
	size_t crossings = 0;
	for (int t = 0; t < solid->n_triangles; t++) {
		for (int k = 0; k < 3; k++) {
			crossings += side_of(cut, solid->triangles[3 * (size_t)t + (size_t)k]) *
			                 side_of(cut, solid->triangles[3 * (size_t)t + (size_t)((k + 1) % 3)]) <
			             0;
		}
	}
	size_t places = 16;
	while (places < 2 * crossings) {
		places *= 2;
	}
	cut->mask = places - 1;
	cut->table = malloc(places * sizeof *cut->table);
	for (size_t i = 0; i < places && cut->table; i++) {
		cut->table[i].low = -1;
	}
	return cut->table;
}

bool abut_solid_split(const AbutSolid *solid, const AbutPlane *plane, double tolerance, AbutSolidList *out)
{
	Cut cut = {.solid = solid, .plane = plane, .tolerance = tolerance};
	bool done = prepare(&cut);
	for (int t = 0; t < solid->n_triangles && done; t++) {
		done = sort_triangle(&cut, t);
	}
	done = done && close_halves(&cut);
	for (int half = 0; half < 2 && done; half++) {
		done = abut_solid_components(cut.n_vertices, cut.vertices, &cut.half[half], plane, tolerance, out);
	}
	free(cut.height);
	free(cut.vertices);
	free(cut.table);
	abut_triangles_free(&cut.half[0]);
	abut_triangles_free(&cut.half[1]);
	return done;
}
