/* Divides solids bounded by closed triangle meshes into components, and defines the types for this. */
#pragma once

#include <stdbool.h>

/* One connected solid with its cavities, in one block of memory. Each edge is passed equally often in both directions,
 * which is all that volumes and cuts need. The surface may touch itself. */
typedef struct AbutSolid {
	int n_vertices, n_triangles;
	double *vertices; /* (n_vertices x 3), m; triangles use all of them */
	int *triangles;   /* (n_triangles x 3) vertices, counterclockwise seen from outside */
	bool *is_cut;     /* (n_triangles) true if the triangle closes a cut; false on the original surface */
	double volume;
} AbutSolid;

typedef struct AbutSolidList {
	int n, capacity;
	AbutSolid **items; /* (n) owned by the list */
} AbutSolidList;

/* The plane normal . p = offset, with a normal of unit length. */
typedef struct AbutPlane {
	double normal[3];
	double offset;
} AbutPlane;

/* A growing list of triangles; the vertices are stored elsewhere. */
typedef struct AbutTriangles {
	int n, capacity, flag_capacity; /* capacity: of `corners`, flag_capacity: of `is_cut`, in elements */
	int *corners;                   /* (3 n) vertices */
	bool *is_cut;                   /* (n) */
} AbutTriangles;

/* Appends a triangle. This function and the functions below return false when out of memory. */
bool abut_triangles_add(AbutTriangles *triangles, int a, int b, int c, bool is_cut);
void abut_triangles_free(AbutTriangles *triangles);

/* Creates one solid from all triangles, with the vertices that they use. `place` (n_vertices) is scratch: it must hold
 * -1, and holds -1 again afterwards. Returns NULL when out of memory. */
AbutSolid *abut_solid_create(const double *vertices, const AbutTriangles *triangles, int *place);
/* Appends a solid, which the list then owns; frees it when out of memory. */
bool abut_solid_list_add(AbutSolidList *list, AbutSolid *solid);
/* Appends the connected components of closed triangles as solids. A component of negative volume is a cavity and joins
 * the smallest component around it; if there is none, it becomes a solid of its own. If `plane` is not NULL, components
 * that lie within `tolerance` (m) of it are left out. */
bool abut_solid_components(int n_vertices, const double *vertices, const AbutTriangles *triangles,
                           const AbutPlane *plane, double tolerance, AbutSolidList *out);

void abut_solid_list_free(AbutSolidList *list); /* Frees the list and its solids. */

/* Returns how often the triangles wind around p: 1 inside, 0 outside. */
double abut_solid_winding(const double *vertices, int n_triangles, const int *triangles, const double p[3]);
