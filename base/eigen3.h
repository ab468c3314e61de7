/* Computes eigenvalues of symmetric 3 x 3 matrices. */
#pragma once

/* Computes the eigenvalues of a symmetric M in ascending order by Jacobi rotations. M is row-major, and only its upper
 * triangle is read. Errors are a few rounding errors of the largest eigenvalue. */
void abut_eigenvalues3(const double M[9], double values[3]);
