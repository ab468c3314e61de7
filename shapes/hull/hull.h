/* Convex hulls with their faces and edges, and the vertices of an intersection of halfspaces. */
#ifndef SHAPES_HULL_HULL_H
#define SHAPES_HULL_HULL_H

#include "abut/status.h"
#include "shapes/core/watch.h"

/* A directed edge of one face, with the face on its other side. */
typedef struct AbutHullEdge {
	int from, to;    /* vertices, counterclockwise around face `left` seen from outside */
	int left, right; /* faces */
} AbutHullEdge;

/* A hull: one block, freed by abut_hull_destroy. Each vertex lies on at least three faces, each edge on two. */
typedef struct AbutHull {
	int n_vertices;
	int n_faces;
	int n_edges;
	double *vertices;    /* (n_vertices x 3), in the order of the points given */
	double *normals;     /* (n_faces x 3) of unit length, outwards */
	double *offsets;     /* (n_faces) largest normal . (vertex - origin) */
	int *face_start;     /* (n_faces + 1) into face_vertex */
	int *face_vertex;    /* (2 n_edges) vertices of each face, counterclockwise seen from outside */
	AbutHullEdge *edges; /* (n_edges) */
	double origin[3];    /* a point inside, near the middle: offsets are measured from it to save digits */
} AbutHull;

/* Smallest thickness of a solid hull, relative to its size. */
#define ABUT_HULL_FLAT 1e-7

/* Computes the hull of n points (n x 3). Facets that are coplanar to `tolerance` times the size (0: to rounding) become
 * one face. Refuses a hull thinner than `flat` times its size. `where` names the points in errors. */
AbutStatus abut_hull_create(int n, const double *points, double tolerance, double flat, const char *where,
                            AbutHull **out, AbutError *error);
/* Computes the hull like abut_hull_create and reports progress to `watch`; may return ABUT_ERROR_STOPPED. */
AbutStatus abut_hull_create_watched(int n, const double *points, double tolerance, double flat, const char *where,
                                    const AbutWatch *watch, AbutHull **out, AbutError *error);
void abut_hull_destroy(AbutHull *hull); /* Frees the hull; accepts NULL. */

/* Volume, planes and surface of a hull, for searches over many hulls. Cheaper than a hull. */
typedef struct AbutHullOutline {
	double volume;
	int n_planes, n_points;
	double *planes; /* (n_planes x 4) normal of unit length, outwards, and offset: normal . p <= offset */
	double *points; /* (n_points x 3) the vertices */
	int n_triangles;
	int *triangles; /* (n_triangles x 3) points of the surface; the orientation is arbitrary */
} AbutHullOutline;

/* Computes the outline of the hull of n points. Facets that are coplanar to 1e-9 of its size become one plane. Refuses
 * a hull thinner than ABUT_HULL_FLAT of its size with ABUT_ERROR_ARGUMENT. */
AbutStatus abut_hull_outline(int n, const double *points, AbutHullOutline *out, AbutError *error);
void abut_hull_outline_free(AbutHullOutline *outline); /* Frees the arrays. */

#endif
