/* What a shape's conic rows alone tell, by conic programs (conic_program.h): for shapes that no closed form describes.
 * Points are in the frame that the shape is given in, at alpha = 1. The rows are those of `shape`, whose centre and
 * outer radius need only be of the right size: unknowns are measured from the one by the other. False, unless said
 * otherwise, where the program does not end or the shape is too large for one. */
#ifndef SHAPES_QUERY_CONIC_QUERY_H
#define SHAPES_QUERY_CONIC_QUERY_H

#include <stdbool.h>

#include "abut/shape.h"

/* Most rows and auxiliary variables of a shape that these take. */
enum { ABUT_QUERY_ROWS = 300, ABUT_QUERY_EPS = 30 };
bool abut_conic_query_fits(const AbutShape *shape);

/* The furthest point along g, |g| = 1, with its eps (n_eps) and the duals (n_rows) that prove it; each may be NULL.
 * `value` is g . point. */
bool abut_conic_furthest(const AbutShape *shape, const double g[3], double *value, double point[3], double *eps,
                         double *lambda);

/* How far the shape reaches from a point inside along a direction, times its length. */
bool abut_conic_ray(const AbutShape *shape, const double from[3], const double direction[3], double *reach);

/* The eps (n_eps) with which the point p of the shape scaled by alpha lies deepest in all cones. */
bool abut_conic_eps_at(const AbutShape *shape, const double p[3], double alpha, double *eps);

/* The point that lies deepest in all cones, searched within `bound` of the centre along each axis, and how deep: zero
 * for a flat set, negative for an empty one. */
bool abut_conic_deepest(const AbutShape *shape, double bound, double point[3], double *depth);

/* How far along g, |g| = 1, from the centre, points reach that lie within `bound` of it along each axis. */
bool abut_conic_bounded_reach(const AbutShape *shape, double bound, const double g[3], double *reach);

#endif
