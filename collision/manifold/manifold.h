/* The contact points of two shapes at fixed poses, touching or about to touch: up to four points with one normal, for
 * methods that need points (docs/formulation.md 12). The single-level path does not use them.
 *
 * All pairs but two halfspaces are supported. Each pair takes the first line that applies:
 *
 *     a halfspace      vertices, for a padded shape with its ball; ends of a capsule; for an upright cylinder or a
 *                      cone on its base four corners of 32 on the rim; for one that lies the ends of its lowest
 *                      line; for other shapes the furthest point, and if that is on a flat face, points of the face
 *     two polytopes    the axis along which they are furthest apart, or overlap least: of a face, whose side planes
 *                      clip the other's most opposed face; or across two edges that pass each other, with one point
 *     sphere, sphere   one point
 *       or polytope
 *     a flat face      (of a polytope, padded or not, the end of a cylinder, the base of a cone) along whose normal
 *                      the two are nearly furthest apart: the points on a halfspace, clipped by its border
 *     two capsules or  side by side: two points, at the ends of the shared part
 *       cylinders
 *     two flat faces   at least one of them of a shape without known faces (sums, intersections, conic data)
 *     anything else    the point where the two are nearest
 *
 * A point records its feature (vertex, edge or face of which side). Features persist while the shapes move a little,
 * and collision/manifold/gradient.c differentiates with them. Ties are decided in favour of side 0, of faces, and of
 * low indices. Only the creation of a shape allocates. Tested in tests/collision/test_manifold.c, test_manifold_round.c
 * and test_manifold_closed.c. */
#ifndef COLLISION_MANIFOLD_MANIFOLD_H
#define COLLISION_MANIFOLD_MANIFOLD_H

#include "collision/manifold/manifold_parts.h"

/* Makes the points with a gap of at most `margin` (for a ball: the one). */
void abut_manifold_make(const AbutManifoldSide side[2], double margin, AbutManifold *out);

/* Returns the distance of two parallel planes between the two shapes, negative in overlap: the largest over the normals
 * of faces, the products of edges and the line between the nearest points. For overlapping polytopes no direction gives
 * more: it is minus the least displacement that separates them. For separated ones it is their distance if they are
 * nearest in a face or in two crossing edges, and less if they are nearest at a vertex. For round shapes it is their
 * distance, also in overlaps shallow compared with their radii. For a shape known only by its furthest points it is the
 * distance along the normal of the growth distance. `normal` points from side 0 to side 1. */
double abut_manifold_separation(const AbutManifoldSide side[2], double normal[3]);

#endif
