/* Triangulates the plane region between closed polygons, such as the section of a solid. */
#pragma once

#include "shapes/geometry/solid.h"

/* A directed edge. The region lies on its left, seen from the tip of the plane's normal. */
typedef struct AbutCapEdge {
	int from, to; /* vertices */
} AbutCapEdge;

/* Appends triangles, counterclockwise around `normal`, whose boundary is exactly the given edges. At each vertex, as
 * many edges must start as end. The edges are reordered. The edges of the triangles always pair up; the triangles do
 * not overlap if the polygons do not cross. Returns false when out of memory. */
bool abut_cap_fill(const double *vertices, const double normal[3], int n_edges, AbutCapEdge *edges, AbutTriangles *out);
