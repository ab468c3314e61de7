/* Finds the edges of a mesh: which triangles meet at each edge, and in which direction they pass it. */
#pragma once

#include <stdbool.h>

/* One triangle's side of an edge. */
typedef struct AbutMeshSide {
	int high;     /* vertex of the edge with the larger index */
	int triangle; /* twice the index of the triangle, plus 1 if it runs from the larger vertex index to the smaller
	               */
} AbutMeshSide;

/* Sides, sorted by the smaller vertex of their edge, then by the larger one, then by triangle. */
typedef struct AbutMeshEdges {
	int *start;          /* (n_vertices + 1) into sides */
	AbutMeshSide *sides; /* (3 n_triangles) */
} AbutMeshEdges;

/* Numbers of irregular edges. */
typedef struct AbutMeshEdgeCount {
	int open;        /* edges of a single triangle */
	int nonmanifold; /* edges of three or more triangles */
	int unbalanced;  /* edges not passed equally often in both directions */
} AbutMeshEdgeCount;

/* Finds the edges. Returns false when out of memory, and then leaves nothing to free. */
bool abut_mesh_edges_create(AbutMeshEdges *edges, int n_vertices, int n_triangles, const int *triangles);
void abut_mesh_edges_free(AbutMeshEdges *edges);

/* Returns the number of sides of the edge between vertices a and b; *first is the index of the first one. */
int abut_mesh_edges_find(const AbutMeshEdges *edges, int a, int b, int *first);

/* Counts irregular edges. A triangle with two equal corners has a side from a vertex to itself; this is no edge. */
AbutMeshEdgeCount abut_mesh_edges_count(const AbutMeshEdges *edges, int n_vertices);
