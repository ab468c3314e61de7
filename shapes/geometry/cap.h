/* Triangles that fill the region of a plane between closed polygons, such as the section of a solid. */
#ifndef SHAPES_GEOMETRY_CAP_H
#define SHAPES_GEOMETRY_CAP_H

#include "shapes/geometry/solid.h"

/* A directed edge; the region lies on its left, seen from the tip of the plane's normal. */
typedef struct AbutCapEdge {
	int from, to; /* vertices */
} AbutCapEdge;

/* Appends triangles, counterclockwise about `normal`, whose boundary is exactly the edges. The edges enter and leave
 * each vertex equally often and are put in another order. Whatever the shape of the polygons, the triangles' edges pair
 * up; they do not overlap either when the polygons do not cross. False when out of memory. */
bool abut_cap_fill(const double *vertices, const double normal[3], int n_edges, AbutCapEdge *edges, AbutTriangles *out);

#endif
