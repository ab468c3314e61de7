/* Computes convex hulls with their faces and edges by qhull. */
#pragma once

#include "abut/status.h"
#include "shapes/core/watch.h"

/* A directed edge of the face on its left, with the face on its right. */
typedef struct AbutHullEdge {
	int from, to;    /* vertices, counterclockwise around face `left` seen from outside */
	int left, right; /* faces */
} AbutHullEdge;

/* A hull in one block of memory, freed by abut_hull_destroy. Each vertex lies on at least three faces, each edge on
 * two. */
typedef struct AbutHull {
	int n_vertices;
	int n_faces;
	int n_edges;
	double *vertices;    /* (n_vertices x 3), in the order of the given points, m */
	double *normals;     /* (n_faces x 3), unit length, outwards */
	double *offsets;     /* (n_faces) largest normal . (vertex - origin), m */
	int *face_start;     /* (n_faces + 1) first index of each face in face_vertex */
	int *face_vertex;    /* (2 n_edges) vertices of each face, counterclockwise seen from outside */
	AbutHullEdge *edges; /* (n_edges) */
	double origin[3];    /* a point inside, near the middle: offsets are measured from it to save digits */
} AbutHull;

/* Smallest thickness of a solid hull, relative to its size. */
#define ABUT_HULL_FLAT 1e-7

/* Computes the hull of n points (n x 3). Facets that are coplanar to `tolerance` times the size become one face; 0:
 * coplanar to rounding. Refuses a hull thinner than `flat` times its size. Errors name the points by `where`. */
AbutStatus abut_hull_create(int n, const double *points, double tolerance, double flat, const char *where,
                            AbutHull **out, AbutError *error);
/* Computes the hull like abut_hull_create and reports progress to `watch`; may return ABUT_ERROR_STOPPED. */
AbutStatus abut_hull_create_watched(int n, const double *points, double tolerance, double flat, const char *where,
                                    const AbutWatch *watch, AbutHull **out, AbutError *error);
void abut_hull_destroy(AbutHull *hull); /* Frees the hull; accepts NULL. */

/* Volume, planes and surface of a hull, for searches over many hulls. Cheaper than AbutHull. */
typedef struct AbutHullOutline {
	double volume;
	int n_planes, n_points;
	double *planes; /* (n_planes x 4) outward unit normal, and offset (m): normal . p <= offset */
	double *points; /* (n_points x 3) vertices, m */
	int n_triangles;
	int *triangles; /* (n_triangles x 3) indices of points, in arbitrary orientation */
} AbutHullOutline;

/* Computes the outline of the hull of n points. Facets that are coplanar to 1e-9 of its size become one plane. Refuses
 * a hull thinner than ABUT_HULL_FLAT of its size with ABUT_ERROR_ARGUMENT. */
AbutStatus abut_hull_outline(int n, const double *points, AbutHullOutline *out, AbutError *error);
void abut_hull_outline_free(AbutHullOutline *outline); /* Frees the arrays. */
