/* Computes the vertices of an intersection of halfspaces by duality. */
#pragma once

#include "shapes/hull/hull.h"

/* Computes the vertices (*n x 3, to be freed) of the set { p : A p <= b }. The rows of A (m x 3) have unit length.
 * Refuses an empty, flat or unbounded set. */
AbutStatus abut_halfspaces_vertices(int m, const double *A, const double *b, int *n, double **vertices,
                                    AbutError *error);
