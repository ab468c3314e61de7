/* Computes the contact points of two shapes at fixed poses that touch or are about to touch. There are up to four
 * points with one common normal (docs/formulation.md 12). They are for methods that need points; the single-level path
 * does not use them.
 *
 * Every pair is supported except two halfspaces. The first line that applies to a pair decides:
 *
 *     a halfspace      vertices (of a padded shape, with its ball); ends of a capsule; of an upright cylinder, or of
 *                      a cone on its base, four of 32 corners on the rim; of a lying one, the ends of its lowest
 *                      line; of other shapes the furthest point, or points of the face on which it lies
 *     two polytopes    the axis along which they are furthest apart, or overlap least. Axis of a face: the planes
 *                      through its edges clip the other's most opposed face. Axis of two crossing edges: one point
 *     sphere, sphere   one point
 *       or polytope
 *     a flat face      (of a polytope, padded or not, the end of a cylinder, the base of a cone) along whose normal
 *                      the two are nearly furthest apart: as over a halfspace, clipped by the face's border
 *     two capsules or  side by side: two points, at the ends of the shared part
 *       cylinders
 *     two flat faces   at least one of them of a shape without known faces (sums, intersections, conic data)
 *     anything else    the point where the two are nearest
 *
 * A point records its feature: the vertices, edges or faces that make it. Features persist while the shapes move a
 * little, and collision/manifold/gradient.c differentiates for fixed features. Ties are decided in favour of side 0, of
 * faces, and of low indices. Only the creation of a shape allocates memory. Tested in tests/collision/test_manifold.c,
 * test_manifold_round.c and test_manifold_closed.c. */
#pragma once

#include "collision/manifold/manifold_parts.h"

/* Makes the contact points with a gap of at most `margin`. */
void abut_manifold_make(const AbutManifoldSide side[2], double margin, AbutManifold *out);

/* Returns the largest distance found between two parallel planes that separate the shapes, negative in overlap. The
 * normals tried are face normals, cross products of edges, and the line between the nearest points. `normal` points
 * from side 0 to side 1.
 *
 * Overlapping polytopes: minus the smallest displacement that separates them. Separated polytopes: their distance if
 * they are nearest at a face or at two crossing edges, and less if they are nearest at a vertex. Round shapes: their
 * distance, also in overlaps that are shallow compared with their radii. Shapes known only by their furthest points:
 * the distance along the normal of the growth distance. */
double abut_manifold_separation(const AbutManifoldSide side[2], double normal[3]);
