/* Computes the limit of finite differences of a function, from steps of several sizes. */
#pragma once

/* The number of step sizes, and the ratio of a size to the next smaller one. */
enum { ABUT_DIFFERENCE_SIZES = 11, ABUT_DIFFERENCE_RATIO = 4 };

/* Computes f'(0) into `value`, and a bound on its error into `error`, infinite where too little is known. `ahead` and
 * `back` (ABUT_DIFFERENCE_SIZES) are f(h_k) - f(0) and f(-h_k) - f(0) at h_k = h / ABUT_DIFFERENCE_RATIO^k, NaN where
 * unknown. `noise` bounds the error of each of these values. If the two one-sided derivatives differ, the error is at
 * least their difference. */
void abut_difference_limit(double h, const double *ahead, const double *back, const double *noise, double *value,
                           double *error);
