/* Concavity: the depth of a surface below the faces of its hull. */
#ifndef SHAPES_DECOMPOSE_DEPTH_H
#define SHAPES_DECOMPOSE_DEPTH_H

#include "shapes/decompose/piece.h"

/* Finds the greatest depth below the planes of points on triangles that close no cut, to within `tolerance`. Starts
 * with *depth and stops early once it exceeds `enough`; `deepest` (3) is updated too (shapes/decompose/depth.c). */
void abut_solid_depth(const AbutSolid *solid, const AbutHullOutline *hull, double tolerance, double enough,
                      double *depth, double deepest[3]);

#endif
