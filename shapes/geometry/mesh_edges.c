/* Finds the edges of a mesh. A counting sort orders their sides by the smaller vertex, then the few sides at each
 * vertex are sorted. The time is linear in the number of triangles. */
#include "shapes/geometry/mesh_edges.h"

#include <stdlib.h>

static int compare_sides(const void *a, const void *b)
{
	const AbutMeshSide *left = a, *right = b;
	if (left->high != right->high) {
		return left->high < right->high ? -1 : 1;
	}
	return (left->triangle > right->triangle) - (left->triangle < right->triangle);
}

bool abut_mesh_edges_create(AbutMeshEdges *edges, int n_vertices, int n_triangles, const int *triangles)
{
	edges->start = calloc((size_t)n_vertices + 2, sizeof *edges->start);
	edges->sides = malloc((3 * (size_t)n_triangles + 1) * sizeof *edges->sides);
	if (!edges->start || !edges->sides) {
		abut_mesh_edges_free(edges);
		return false;
	}
	/* Vertex v is counted in start[v + 2]. Filling then moves start[v + 1] from the start of v to its end. */
	int *const next = edges->start + 1;
	for (int t = 0; t < n_triangles; t++) {
		for (int k = 0; k < 3; k++) {
			const int a = triangles[3 * (size_t)t + (size_t)k],
			          b = triangles[3 * (size_t)t + (size_t)(k + 1) % 3];
			next[(a < b ? a : b) + 1]++;
		}
	}
	for (int v = 0; v < n_vertices; v++) {
		next[v + 1] += next[v];
	}
	for (int t = 0; t < n_triangles; t++) {
		for (int k = 0; k < 3; k++) {
			const int a = triangles[3 * (size_t)t + (size_t)k],
			          b = triangles[3 * (size_t)t + (size_t)(k + 1) % 3];
			edges->sides[next[a < b ? a : b]++] =
			    (AbutMeshSide){.high = a < b ? b : a, .triangle = 2 * t + (a < b ? 0 : 1)};
		}
	}
	for (int v = 0; v < n_vertices; v++) {
		qsort(&edges->sides[edges->start[v]], (size_t)(edges->start[v + 1] - edges->start[v]),
		      sizeof *edges->sides, compare_sides);
	}
	return true;
}

void abut_mesh_edges_free(AbutMeshEdges *edges)
{
	free(edges->start);
	free(edges->sides);
	*edges = (AbutMeshEdges){0};
}

int abut_mesh_edges_find(const AbutMeshEdges *edges, int a, int b, int *first)
{
	const int vertex = a < b ? a : b, high = a < b ? b : a;
	int low = edges->start[vertex], end = edges->start[vertex + 1];
	const int last = end;
	while (low < end) {
		const int middle = low + (end - low) / 2;
		if (edges->sides[middle].high < high) {
			low = middle + 1;
		} else {
			end = middle;
		}
	}
	*first = low;
	int n = 0;
	while (low + n < last && edges->sides[low + n].high == high) {
		n++;
	}
	return n;
}

AbutMeshEdgeCount abut_mesh_edges_count(const AbutMeshEdges *edges, int n_vertices)
{
	AbutMeshEdgeCount count = {0};
	for (int v = 0; v < n_vertices; v++) {
		const int end = edges->start[v + 1];
		for (int i = edges->start[v]; i < end;) {
			const int high = edges->sides[i].high;
			int n = 0, balance = 0;
			for (; i < end && edges->sides[i].high == high; i++, n++) {
				balance += edges->sides[i].triangle % 2 == 0 ? 1 : -1;
			}
			if (high != v) {
				count.open += n == 1;
				count.nonmanifold += n > 2;
				count.unbalanced += balance != 0;
			}
		}
	}
	return count;
}
