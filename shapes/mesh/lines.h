/* Computes winding numbers of a closed surface along lines: the volumes that it counts more than once or negatively. */
#pragma once

#include "abut/status.h"
#include "shapes/core/watch.h"

typedef struct AbutClosedSurface {
	const double *points;
	int n_triangles;
	const int *triangles;     /* (n_triangles x 3) indices of points */
	const double *low, *high; /* (3) bounds of the triangles */
} AbutClosedSurface;

typedef struct AbutMeshCount {
	double solid;   /* volume where the surface winds at least once, m^3 */
	double several; /* excess volume: integral of w - 1 where the surface winds w > 1 times, m^3 */
	double against; /* missing volume: integral of -w where the surface winds w < 0 times, m^3 */
} AbutMeshCount;

/* Measures the volumes along some 50,000 lines, exactly along each line. The lines depend only on the bounds. Ignores
 * overlaps no longer than `thin` (m) along a line, such as those of touching pieces. */
AbutStatus abut_mesh_count(const AbutClosedSurface *surface, double thin, const AbutWatch *watch, AbutMeshCount *out,
                           AbutError *error);
