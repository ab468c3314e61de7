/* Makes a coarse copy of a solid by clustering its vertices.
 *
 * Space is divided into cubes. All vertices in a cube are replaced by one of them: the one where the surface is
 * sharpest, so that corners stay in place. A triangle with two corners in one cube vanishes. The edges of the other
 * triangles still pair up, since vertices were only renamed. So the copy can be cut and measured like the solid. */
#include "shapes/decompose/proxy.h"

#include "shapes/decompose/piece.h"
#include "shapes/geometry/surface.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"

typedef struct Member {
	uint64_t cell;
	double sharpness;
	int vertex;
} Member;

/* A triangle with its vertices in ascending order; `sense` is -1 if sorting them reversed the orientation, otherwise 1.
 */
typedef struct Sorted {
	int corner[3];
	int sense;
	bool is_cut;
} Sorted;

typedef struct Coarsening {
	const AbutSolid *solid;
	double low[3], length; /* lowest corner (m) and longest side (m) of the bounding box */
	Member *members;       /* (n_vertices) */
	int *chosen;           /* (n_vertices) the vertex that replaces each one */
	double *vector_area; /* (n_vertices x 4) twice the sum of the area vectors of the triangles around, and of their
	                        lengths, m^2 */
	Sorted *sorted;      /* (n_triangles) */
	int n_sorted;
} Coarsening;

static uint64_t cell_of(const Coarsening *work, int cells, const double p[3])
{
	uint64_t key = 0;
	for (int k = 0; k < 3; k++) {
		const double place = (p[k] - work->low[k]) / work->length * cells;
		key = key << 20 | (uint64_t)abut_min(abut_max(place, 0.0), cells - 1.0);
	}
	return key;
}

static int compare_members(const void *a, const void *b)
{
	const Member *x = a, *y = b;
	if (x->cell != y->cell) {
		return x->cell < y->cell ? -1 : 1;
	}
	if (x->sharpness != y->sharpness) {
		return x->sharpness > y->sharpness ? -1 : 1;
	}
	return x->vertex - y->vertex;
}

/* Sums the area vectors around each vertex, and their lengths. At a sharp vertex the vectors partly cancel, which gives
 * a sharpness from 0 for a flat surface to 1. */
static void measure_sharpness(Coarsening *work)
{
	const AbutSolid *solid = work->solid;
	for (int t = 0; t < solid->n_triangles; t++) {
		const int *corner = &solid->triangles[3 * (size_t)t];
		const double *a = &solid->vertices[3 * (size_t)corner[0]], *b = &solid->vertices[3 * (size_t)corner[1]],
		             *c = &solid->vertices[3 * (size_t)corner[2]];
		const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
		const double ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
		double cross[3];
		abut_cross3(ab, ac, cross);
		for (int k = 0; k < 3; k++) {
			double *sum = &work->vector_area[4 * (size_t)corner[k]];
			abut_add3(sum, cross, sum);
			sum[3] += abut_norm3(cross);
		}
	}
}

/* Chooses a vertex for each cell of the grid: the one of largest sharpness. */
static void cluster(Coarsening *work, int cells)
{
	const int n = work->solid->n_vertices;
	for (int i = 0; i < n; i++) {
		const double *sum = &work->vector_area[4 * (size_t)i];
		work->members[i] = (Member){.cell = cell_of(work, cells, &work->solid->vertices[3 * (size_t)i]),
		                            .sharpness = sum[3] > 0.0 ? 1.0 - abut_norm3(sum) / sum[3] : 0.0,
		                            .vertex = i};
	}
	qsort(work->members, (size_t)n, sizeof *work->members, compare_members);
	for (int i = 0, first = 0; i < n; i++) {
		first = work->members[i].cell == work->members[first].cell ? first : i;
		work->chosen[work->members[i].vertex] = work->members[first].vertex;
	}
}

/* Counts the triangles that keep their three corners in different cells of a grid. */
static int count_triangles(const Coarsening *work, int cells)
{
	int n = 0;
	for (int t = 0; t < work->solid->n_triangles; t++) {
		uint64_t cell[3];
		for (int k = 0; k < 3; k++) {
			const int corner = work->solid->triangles[3 * (size_t)t + (size_t)k];
			cell[k] = cell_of(work, cells, &work->solid->vertices[3 * (size_t)corner]);
		}
		n += cell[0] != cell[1] && cell[1] != cell[2] && cell[2] != cell[0];
	}
	return n;
}

/* Chooses the number of cells along the longest side. The number of triangles grows with its square. */
static int choose_cells(const Coarsening *work, int target)
{
	double cells = sqrt(0.2 * target);
	for (int round = 0; round < 3; round++) {
		const int n = count_triangles(work, (int)cells);
		cells = abut_min(abut_max(cells * sqrt((double)target / (n > 0 ? n : 1)), 0.5 * cells), 2.0 * cells);
		cells = abut_min(abut_max(cells, 4.0), 1000.0);
	}
	return (int)cells;
}

static void order(Sorted *triangle, int i, int j)
{
	if (triangle->corner[i] > triangle->corner[j]) {
		const int swap = triangle->corner[i];
		triangle->corner[i] = triangle->corner[j];
		triangle->corner[j] = swap;
		triangle->sense = -triangle->sense;
	}
}

static int compare_sorted(const void *a, const void *b)
{
	const Sorted *x = a, *y = b;
	for (int k = 0; k < 3; k++) {
		if (x->corner[k] != y->corner[k]) {
			return x->corner[k] < y->corner[k] ? -1 : 1;
		}
	}
	return 0;
}

static void map_triangles(Coarsening *work)
{
	for (int t = 0; t < work->solid->n_triangles; t++) {
		Sorted *triangle = &work->sorted[work->n_sorted];
		*triangle = (Sorted){.sense = 1, .is_cut = work->solid->is_cut[t]};
		for (int k = 0; k < 3; k++) {
			triangle->corner[k] = work->chosen[work->solid->triangles[3 * (size_t)t + (size_t)k]];
		}
		order(triangle, 0, 1);
		order(triangle, 1, 2);
		order(triangle, 0, 1);
		work->n_sorted +=
		    triangle->corner[0] != triangle->corner[1] && triangle->corner[1] != triangle->corner[2];
	}
	qsort(work->sorted, (size_t)work->n_sorted, sizeof *work->sorted, compare_sorted);
}

/* Collects the remaining triangles. Two triangles of equal corners and opposite orientation cancel. */
static bool collect(const Coarsening *work, AbutTriangles *out)
{
	bool done = true;
	for (int i = 0, end; i < work->n_sorted && done; i = end) {
		int net = 0;
		bool is_cut = true;
		for (end = i; end < work->n_sorted && compare_sorted(&work->sorted[i], &work->sorted[end]) == 0;
		     end++) {
			net += work->sorted[end].sense;
			is_cut = is_cut && work->sorted[end].is_cut;
		}
		const int *c = work->sorted[i].corner;
		for (int k = 0; k < abs(net) && done; k++) {
			done = abut_triangles_add(out, c[0], net > 0 ? c[1] : c[2], net > 0 ? c[2] : c[1], is_cut);
		}
	}
	return done;
}

static AbutSolid *coarsen(Coarsening *work, int target)
{
	const AbutSolid *solid = work->solid;
	double high[3];
	abut_points_bounds(solid->n_vertices, solid->vertices, work->low, high);
	for (int k = 0; k < 3; k++) {
		work->length = abut_max(work->length, high[k] - work->low[k]);
	}
	measure_sharpness(work);
	cluster(work, choose_cells(work, target));
	map_triangles(work);
	AbutTriangles left = {0};
	AbutSolid *out = NULL;
	if (collect(work, &left)) {
		for (int i = 0; i < solid->n_vertices; i++) {
			work->chosen[i] = -1;
		}
		out = abut_solid_create(solid->vertices, &left, work->chosen);
	}
	abut_triangles_free(&left);
	return out;
}

AbutSolid *abut_solid_coarsen(const AbutSolid *solid, int target)
{
	Coarsening work = {.solid = solid};
	const size_t n = (size_t)solid->n_vertices;
	work.members = malloc(n * sizeof *work.members);
	work.chosen = malloc(n * sizeof *work.chosen);
	work.vector_area = calloc(4 * n, sizeof *work.vector_area);
	work.sorted = malloc((size_t)solid->n_triangles * sizeof *work.sorted);
	AbutSolid *out = NULL;
	if (work.members && work.chosen && work.vector_area && work.sorted) {
		out = coarsen(&work, target);
	}
	free(work.members);
	free(work.chosen);
	free(work.vector_area);
	free(work.sorted);
	return out;
}
