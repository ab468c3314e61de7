/* Computes the Hausdorff distance from a hull to the solids inside it: how far the hull bulges beyond its content. */
#pragma once

#include "shapes/decompose/piece.h"

/* Computes the Hausdorff distance (m) from the hull to the solids inside it, to within `tolerance`; returns `least` if
 * it is smaller. Stops early once it exceeds `enough` (shapes/decompose/distance.c). */
AbutStatus abut_outline_distance(const AbutHullOutline *hull, const AbutSolidList *solids, double tolerance,
                                 double least, double enough, double *out, AbutError *error);
