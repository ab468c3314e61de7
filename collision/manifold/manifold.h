/* Where two shapes touch, or are about to, at fixed poses: up to four points with one normal, for methods that need
 * points (docs/formulation.md 12). The single-level path has no use for it.
 *
 * Every pair but two halfspaces. Each pair takes the first line that fits:
 *
 *   a halfspace      vertices, of a padded shape with its ball; ends of a capsule; of a cylinder that stands and of a
 *                    cone on its base four corners of 32 on the rim; of one that lies the ends of its lowest line; of
 *                    other shapes the furthest point, and where that is one of a flat face, points of the face
 *   two polytopes    the axis along which they are furthest apart, or overlap least: of a face, whose side planes clip
 *                    the other's face that lies most against it; or across two edges that pass each other, with one
 *                    point
 *   sphere, sphere   one point
 *     or polytope
 *   a flat face      (of a polytope, padded or not, the end of a cylinder, the base of a cone) along whose normal the
 *                    two are as good as furthest apart: what would be the points on a halfspace, clipped by its border
 *   two capsules or  that lie side by side: two points, at the ends of what they share
 *     cylinders
 *   two flat faces   of which one at least is of a shape that tells no faces (sums, intersections, conic data)
 *   anything else    the one point where the two are nearest
 *
 * A point knows what it is made of (vertex, edge, face of which side): its feature, which persists while the shapes
 * move a little, and from which collision/manifold/gradient.c differentiates. Two equal choices are decided in favour
 * of side 0, of faces, and of low indices. No allocation but in the making of a shape. Tested in
 * tests/collision/test_manifold.c, test_manifold_round.c and test_manifold_closed.c. */
#ifndef COLLISION_MANIFOLD_MANIFOLD_H
#define COLLISION_MANIFOLD_MANIFOLD_H

#include "collision/manifold/manifold_parts.h"

/* The points with a gap of at most `margin` (of a ball: the one). */
void abut_manifold_make(const AbutManifoldSide side[2], double margin, AbutManifold *out);

/* The distance of two parallel planes between the two, negative in overlap: the largest across the normals of faces,
 * the products of edges and the line between the nearest points. Of polytopes in overlap no direction has a larger one,
 * and it is minus the least way that takes them apart; apart it is their distance where they are nearest in a face or
 * in two edges that pass each other, and below it where they are nearest at a vertex. Of round shapes it is their
 * distance, also in overlap that is shallow beside their radii. Where one is known by its furthest points alone, it is
 * the distance along the normal of the growth distance. `normal` from side 0 to side 1. */
double abut_manifold_separation(const AbutManifoldSide side[2], double normal[3]);

#endif
