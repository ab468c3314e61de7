/* The edges of a mesh: which triangles meet at each, and in which direction they pass it. */
#ifndef SHAPES_GEOMETRY_MESH_EDGES_H
#define SHAPES_GEOMETRY_MESH_EDGES_H

#include <stdbool.h>

/* One triangle's side of an edge. */
typedef struct AbutMeshSide {
	int high;     /* the edge's vertex of the larger index */
	int triangle; /* 2 times its index, plus 1 when it passes the edge from the larger index to the smaller */
} AbutMeshSide;

/* Sides by the smaller vertex of their edge, then by the larger one, then by triangle. */
typedef struct AbutMeshEdges {
	int *start;          /* (n_vertices + 1) into sides */
	AbutMeshSide *sides; /* (3 n_triangles) */
} AbutMeshEdges;

/* How many edges are out of order. */
typedef struct AbutMeshEdgeCount {
	int open;        /* of one triangle */
	int nonmanifold; /* of three or more */
	int unbalanced;  /* not passed as often in one direction as in the other */
} AbutMeshEdgeCount;

/* False when out of memory; nothing is left then. */
bool abut_mesh_edges_create(AbutMeshEdges *edges, int n_vertices, int n_triangles, const int *triangles);
void abut_mesh_edges_free(AbutMeshEdges *edges);

/* The sides of the edge between vertices a and b: *first of them, and their number. */
int abut_mesh_edges_find(const AbutMeshEdges *edges, int a, int b, int *first);

/* From a vertex to itself, as a triangle of two equal corners has it, is no edge. */
AbutMeshEdgeCount abut_mesh_edges_count(const AbutMeshEdges *edges, int n_vertices);

#endif
