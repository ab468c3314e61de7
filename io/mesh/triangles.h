/* Stores the triangles of a surface, with normals. */
#pragma once

#include "abut/status.h"

/* A mesh that owns its arrays. A vertex occurs once for each smooth piece of surface that meets there. */
typedef struct AbutShapeMesh {
	int n_vertices, n_triangles;
	double *positions; /* (n_vertices x 3), m, in the body frame */
	double *normals;   /* (n_vertices x 3), unit length, outwards */
	int *triangles;    /* (n_triangles x 3), vertex indices, counterclockwise seen from outside */
} AbutShapeMesh;

/* Allocates the arrays, all zero. On ABUT_ERROR_MEMORY the mesh is empty. */
AbutStatus abut_shape_mesh_allocate(AbutShapeMesh *mesh, int n_vertices, int n_triangles, AbutError *error);
void abut_shape_mesh_free(AbutShapeMesh *mesh);
