/* The triangles of a surface, with normals. */
#ifndef IO_MESH_TRIANGLES_H
#define IO_MESH_TRIANGLES_H

#include "abut/status.h"

/* Owns its arrays. A vertex occurs once for each smooth piece of surface that meets there. */
typedef struct AbutShapeMesh {
	int n_vertices, n_triangles;
	double *positions; /* (n_vertices x 3) m, in the frame that the shape is given in (of its body) */
	double *normals;   /* (n_vertices x 3) of unit length, outwards */
	int *triangles;    /* (n_triangles x 3) vertices, counterclockwise seen from outside */
} AbutShapeMesh;

/* Makes room for so many vertices and triangles, all zero. ABUT_ERROR_MEMORY leaves an empty mesh. */
AbutStatus abut_shape_mesh_allocate(AbutShapeMesh *mesh, int n_vertices, int n_triangles, AbutError *error);
void abut_shape_mesh_free(AbutShapeMesh *mesh);

#endif
