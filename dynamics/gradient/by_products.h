/* Computes the matrix of a part whose contacts depend on the velocities at the start. */
#pragma once

#include "dynamics/gradient/part.h"

/* Computes the result of abut_gradient_part_matrix column by column, for a part whose lanes.before is not NULL. */
bool abut_gradient_part_by_products(const AbutGradientPart *part, const double *unit, const int *places, size_t width,
                                    double *out);
