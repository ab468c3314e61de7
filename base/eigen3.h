/* Eigenvalues of symmetric 3 x 3 matrices. */
#ifndef BASE_EIGEN3_H
#define BASE_EIGEN3_H

/* Eigenvalues of the symmetric M (row-major; its upper triangle is read), ascending, each to a few rounding errors of
 * the largest, by Jacobi rotations. */
void abut_eigenvalues3(const double M[9], double values[3]);

#endif
