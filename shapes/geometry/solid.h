/* Solids bounded by closed triangle meshes, and their halves on the sides of a plane. */
#ifndef SHAPES_GEOMETRY_SOLID_H
#define SHAPES_GEOMETRY_SOLID_H

#include <stdbool.h>

/* One connected solid, with its cavities: one block. Edges pair up: each is run through as often one way as the other,
 * which is all that volumes and cuts need; a mesh may touch itself. */
typedef struct AbutSolid {
	int n_vertices, n_triangles;
	double *vertices; /* (n_vertices x 3), each of some triangle */
	int *triangles;   /* (n_triangles x 3) vertices, counterclockwise seen from outside */
	bool *is_cut;     /* (n_triangles) the triangle caps a cut: it is no part of the surface of what was cut */
	double volume;
} AbutSolid;

typedef struct AbutSolidList {
	int n, capacity;
	AbutSolid **items; /* (n) owned */
} AbutSolidList;

/* { p : normal . p = offset }, the normal of unit length. */
typedef struct AbutPlane {
	double normal[3];
	double offset;
} AbutPlane;

/* Triangles in the making; the vertices are kept elsewhere. */
typedef struct AbutTriangles {
	int n, capacity, flag_capacity; /* the capacities in elements of their arrays */
	int *corners;                   /* (3 n) */
	bool *is_cut;                   /* (n) */
} AbutTriangles;

/* All these are false when out of memory. */
bool abut_triangles_add(AbutTriangles *triangles, int a, int b, int c, bool is_cut);
void abut_triangles_free(AbutTriangles *triangles);

/* One solid of all the triangles, with the vertices that they use. `place` (n_vertices) holds -1 and is left so. NULL
 * when out of memory. */
AbutSolid *abut_solid_create(const double *vertices, const AbutTriangles *triangles, int *place);
/* Appends a solid, which the list then owns; it is freed when there is no memory. */
bool abut_solid_list_add(AbutSolidList *list, AbutSolid *solid);
/* Appends the connected components of closed triangles. A component of negative volume is a cavity and joins the
 * smallest that surrounds it; without one it stays alone. Components that lie within `tolerance` of `plane` (NULL: none
 * do) are left out. */
bool abut_solid_components(int n_vertices, const double *vertices, const AbutTriangles *triangles,
                           const AbutPlane *plane, double tolerance, AbutSolidList *out);
/* Appends the connected pieces on both sides of the plane, those below it first. Vertices within `tolerance` of it
 * count as on it and stay where they are: the pieces' volumes add up exactly (shapes/geometry/solid_split.c). */
bool abut_solid_split(const AbutSolid *solid, const AbutPlane *plane, double tolerance, AbutSolidList *out);

void abut_solid_list_free(AbutSolidList *list); /* with its solids */

/* How often the triangles wind about p: 1 inside, 0 outside. */
double abut_solid_winding(const double *vertices, int n_triangles, const int *triangles, const double p[3]);

#endif
