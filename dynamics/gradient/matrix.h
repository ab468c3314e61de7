/* Computes the whole matrix of a part: the next state with respect to state and input. */
#pragma once

#include "dynamics/gradient/part.h"

/* Computes the derivative of the next state (12 rows for each body) with respect to state and input (18 columns for
 * each body), in SI. `unit` (18) is the SI value of one model unit of each column. `out` has rows of length `width`;
 * the block of bodies i and j starts at row 12 places[i] and column 18 places[j]. Returns false if the system cannot be
 * solved or a number is not finite. */
bool abut_gradient_part_matrix(const AbutGradientPart *part, const double *unit, const int *places, size_t width,
                               double *out);
