/* The matrix of a part whose contacts follow the velocities at the start. */
#ifndef DYNAMICS_GRADIENT_BY_PRODUCTS_H
#define DYNAMICS_GRADIENT_BY_PRODUCTS_H

#include "dynamics/gradient/part.h"

/* Computes what abut_gradient_part_matrix does, for a part with `before`, column by column. */
bool abut_gradient_part_by_products(const AbutGradientPart *part, const double *unit, const int *places, size_t width,
                                    double *out);

#endif
