/* Computes the concavity of a surface: its greatest depth below the faces of its hull. */
#pragma once

#include "shapes/decompose/piece.h"

/* Finds the greatest depth (m) of the solid's surface below the planes of the hull, to within `tolerance`. Triangles
 * that close a cut do not count. Starts with *depth and stops early once it exceeds `enough`. `deepest` (3) receives
 * the point of the new greatest depth (shapes/decompose/depth.c). */
void abut_solid_depth(const AbutSolid *solid, const AbutHullOutline *hull, double tolerance, double enough,
                      double *depth, double deepest[3]);
