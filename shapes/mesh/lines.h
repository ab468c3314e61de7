/* How often a closed surface winds about the space in it: what its volume counts more than once, or against. */
#ifndef SHAPES_MESH_LINES_H
#define SHAPES_MESH_LINES_H

#include "abut/status.h"
#include "shapes/core/watch.h"

typedef struct AbutMeshCount {
	double solid;   /* m^3 where the surface winds at least once */
	double several; /* m^3 that are too many: w - 1 times the space where it winds w > 1 times */
	double against; /* m^3 that are too few: -w times the space where it winds w < 0 times */
} AbutMeshCount;

/* Measured along some 50,000 lines, the same ones for the same bounds: exact along each. Overlaps no thicker than
 * `thin` along a line are none: pieces that touch. Triangles are those of a closed surface. */
AbutStatus abut_mesh_count(const double *points, int n_triangles, const int *triangles, const double low[3],
                           const double high[3], double thin, const AbutWatch *watch, AbutMeshCount *out,
                           AbutError *error);

#endif
