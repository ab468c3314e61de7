/* Finds furthest points, rays, depths and auxiliary variables of a shape by conic programs
 * (shapes/query/conic_program.h). They use only the conic rows and serve shapes without a closed form. Points are in
 * the frame in which the shape is given, at alpha = 1. Unknowns are measured from the shape's centre in units of its
 * outer radius, which only needs the right magnitude. Unless stated otherwise, functions return false if the program
 * does not converge or the shape is too large. */
#pragma once

#include <stdbool.h>

#include "abut/shape.h"

/* Largest numbers of rows and auxiliary variables of a shape. */
enum { ABUT_QUERY_ROWS = 300, ABUT_QUERY_EPS = 30 };
bool abut_conic_query_fits(const AbutShape *shape);

/* Finds the furthest point along g, |g| = 1, its eps (n_eps), and the duals (n_rows) that prove it is furthest. Each of
 * these may be NULL. `value` receives g . point (m). */
bool abut_conic_furthest(const AbutShape *shape, const double g[3], double *value, double point[3], double *eps,
                         double *lambda);

/* Computes how far the shape reaches from the point `from` inside along a direction, in units of the direction's
 * length. */
bool abut_conic_ray(const AbutShape *shape, const double from[3], const double direction[3], double *reach);

/* Finds the eps (n_eps) with which p lies deepest in all cones; p is a point of the shape scaled by alpha. */
bool abut_conic_eps_at(const AbutShape *shape, const double p[3], double alpha, double *eps);

/* Finds the point that lies deepest in all cones, and its depth (m). Searches within `bound` (m) of the centre along
 * each axis. The depth is zero for a flat set and negative for an empty one. */
bool abut_conic_deepest(const AbutShape *shape, double bound, double point[3], double *depth);

/* Computes how far the shape reaches from its centre along g, |g| = 1, in m. Only points within `bound` (m) of the
 * centre along each axis count. */
bool abut_conic_bounded_reach(const AbutShape *shape, double bound, const double g[3], double *reach);
