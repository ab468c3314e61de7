/* Computes the volume of the intersection of two convex hulls. */
#pragma once

#include "shapes/decompose/piece.h"

/* Computes the volume (m^3) of the intersection of two hulls. It is 0 if a face of one separates them, up to `slack`
 * (m) (shapes/decompose/overlap.c). */
AbutStatus abut_hull_overlap(const AbutHullOutline *a, const AbutHullOutline *b, double slack, double *volume,
                             AbutError *error);
