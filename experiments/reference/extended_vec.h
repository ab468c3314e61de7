/* Computes with vectors and 3 x 3 matrices (row-major) of complex numbers in extended precision. Products are bilinear,
 * without conjugates, so a small imaginary part acts as a derivative (experiments/reference/extended_step.h). */
#pragma once

#include <complex.h>

typedef long double complex AbutComplex;

static inline AbutComplex abut_extended_dot(const AbutComplex a[3], const AbutComplex b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void abut_extended_cross(const AbutComplex a[3], const AbutComplex b[3], AbutComplex out[3])
{
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		out[i] = a[j] * b[k] - a[k] * b[j];
	}
}

static inline void abut_extended_rotate(const AbutComplex R[9], const AbutComplex v[3], AbutComplex out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = abut_extended_dot(&R[3 * i], v);
	}
}

/* out = R' v */
static inline void abut_extended_rotate_back(const AbutComplex R[9], const AbutComplex v[3], AbutComplex out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2];
	}
}

static inline void abut_extended_multiply(const AbutComplex A[9], const AbutComplex B[9], AbutComplex out[9])
{
	for (int i = 0; i < 9; i++) {
		const AbutComplex *row = &A[i / 3 * 3];
		out[i] = row[0] * B[i % 3] + row[1] * B[3 + i % 3] + row[2] * B[6 + i % 3];
	}
}

static inline void abut_extended_widen(int n, const double *from, AbutComplex *out)
{
	for (int i = 0; i < n; i++) {
		out[i] = from[i];
	}
}
