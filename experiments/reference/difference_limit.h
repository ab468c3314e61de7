/* The limit of differences of a function, from steps of several sizes. */
#ifndef EXPERIMENTS_REFERENCE_DIFFERENCE_LIMIT_H
#define EXPERIMENTS_REFERENCE_DIFFERENCE_LIMIT_H

/* Sizes of steps, each a part of the one before. */
enum { ABUT_DIFFERENCE_SIZES = 11, ABUT_DIFFERENCE_RATIO = 4 };

/* `ahead` and `back` (ABUT_DIFFERENCE_SIZES) are f(h_k) - f(0) and f(-h_k) - f(0), h_k = h / ABUT_DIFFERENCE_RATIO^k,
 * NaN where they are not known, each off by up to `noise` (as many). `value` is f'(0), and `error` by how much it may
 * be wrong: infinite where too little is known. Where the two one-sided derivatives differ the error is at least what
 * they differ by. */
void abut_difference_limit(double h, const double *ahead, const double *back, const double *noise, double *value,
                           double *error);

#endif
