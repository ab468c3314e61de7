/* Computes duals and auxiliary variables at contact points, for the conic rows (1) of abut/shape.h. */
#pragma once

#include <stdbool.h>

#include "abut/shape.h"

/* Finds eps and duals at the point p (3) of the shape scaled by alpha that is furthest along g. p and g are in the
 * frame in which the shape is given; for a halfspace g must be parallel to its normal. eps (n_eps) is such that the
 * slacks s lie in K. The duals lambda (n_rows) lie in K with
 *
 *      A' lambda = g,     B' lambda = 0,     lambda.s = 0     and so     d' lambda = (reach along g from the centre).
 *
 * At a vertex of more than three faces lambda is one of many solutions. Returns false if rounding hides the faces of a
 * vertex, or if a program does not converge. */
bool abut_shape_contact_rows(const AbutShape *shape, const double p[3], double alpha, const double g[3], double *lambda,
                             double *eps);
/* Does the same, but faces of a polytope touch a vertex if it lies within `touching` (m) of them, and up to 64 faces of
 * a vertex are tried. */
bool abut_shape_contact_rows_within(const AbutShape *shape, const double p[3], double alpha, const double g[3],
                                    double touching, double *lambda, double *eps);
