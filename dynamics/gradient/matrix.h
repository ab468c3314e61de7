/* The matrix of a part, all its columns together. */
#ifndef DYNAMICS_GRADIENT_MATRIX_H
#define DYNAMICS_GRADIENT_MATRIX_H

#include "dynamics/gradient/part.h"

/* Computes rows and columns of the state and the input in SI, by the columns' `unit` (18), in a matrix with rows of
 * `width`. The entries of the part's body i start at row 12 places[i] and column 18 places[i]. Returns false if the
 * system cannot be solved or a number is not finite. */
bool abut_gradient_part_matrix(const AbutGradientPart *part, const double *unit, const int *places, size_t width,
                               double *out);

#endif
