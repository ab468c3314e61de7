/* Computes with vectors, 3 x 3 matrices and small linear systems in eight lanes at once (base/lanes.h). Coefficients
 * are the same in all lanes, which serve several columns of a derivative. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "base/lanes.h"

ALWAYS_INLINE void abut_lanes_zero(AbutLanes out)
{
	for (int l = 0; l < ABUT_LANES; l++) {
		out[l] = 0.0;
	}
}

/* target += factor v */
ALWAYS_INLINE void abut_lanes_add(AbutLanes target, double factor, const AbutLanes v)
{
	for (int l = 0; l < ABUT_LANES; l++) {
		target[l] += factor * v[l];
	}
}

/* out = k . v */
ALWAYS_INLINE void abut_lanes_dot(const double k[3], const AbutLanes v[3], AbutLanes out)
{
	for (int l = 0; l < ABUT_LANES; l++) {
		out[l] = k[0] * v[0][l] + k[1] * v[1][l] + k[2] * v[2][l];
	}
}

/* target += k . v */
ALWAYS_INLINE void abut_lanes_add_dot(const double k[3], const AbutLanes v[3], AbutLanes target)
{
	for (int l = 0; l < ABUT_LANES; l++) {
		target[l] += k[0] * v[0][l] + k[1] * v[1][l] + k[2] * v[2][l];
	}
}

/* out = M v; the next function: out = M' v */
ALWAYS_INLINE void abut_lanes_mat3(const double M[9], const AbutLanes v[3], AbutLanes out[3])
{
	for (int i = 0; i < 3; i++) {
		abut_lanes_dot(&M[3 * i], v, out[i]);
	}
}

ALWAYS_INLINE void abut_lanes_tmat3(const double M[9], const AbutLanes v[3], AbutLanes out[3])
{
	for (int i = 0; i < 3; i++) {
		const double column[3] = {M[i], M[3 + i], M[6 + i]};
		abut_lanes_dot(column, v, out[i]);
	}
}

/* out += v x a, where a is the same in all lanes. */
ALWAYS_INLINE void abut_lanes_add_cross(const AbutLanes v[3], const double a[3], AbutLanes out[3])
{
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		for (int l = 0; l < ABUT_LANES; l++) {
			out[i][l] += v[j][l] * a[k] - v[k][l] * a[j];
		}
	}
}

/* Computes the LU factors of A (n x n, row-major) in place, with partial pivoting. Returns false if A is singular. */
static inline bool abut_lanes_factorise(int n, double *A, int *pivots)
{
	for (int k = 0; k < n; k++) {
		int p = k;
		double most = fabs(A[k * n + k]);
		for (int i = k + 1; i < n; i++) {
			const double size = fabs(A[i * n + k]);
			p = size > most ? i : p;
			most = size > most ? size : most;
		}
		pivots[k] = p;
		for (int j = 0; p != k && j < n; j++) {
			const double t = A[k * n + j];
			A[k * n + j] = A[p * n + j];
			A[p * n + j] = t;
		}
		const double inverse = 1.0 / A[k * n + k];
		if (!isfinite(inverse)) {
			return false;
		}
		for (int i = k + 1; i < n; i++) {
			if (A[i * n + k] == 0.0) { /* true for most entries of the rigid rows */
				continue;
			}
			const double factor = A[i * n + k] *= inverse;
			for (int j = k + 1; j < n; j++) {
				A[i * n + j] -= factor * A[k * n + j];
			}
		}
	}
	return true;
}

/* Replaces x (n) by A^-1 x in every lane. */
ALWAYS_INLINE void abut_lanes_solve(int n, const double *LU, const int *pivots, AbutLanes *x)
{
	for (int k = 0; k < n; k++) {
		const int p = pivots[k];
		for (int l = 0; p != k && l < ABUT_LANES; l++) {
			const double t = x[k][l];
			x[k][l] = x[p][l];
			x[p][l] = t;
		}
	}
	for (int i = 1; i < n; i++) {
		for (int j = 0; j < i; j++) {
			abut_lanes_add(x[i], -LU[i * n + j], x[j]);
		}
	}
	for (int i = n - 1; i >= 0; i--) {
		for (int j = i + 1; j < n; j++) {
			abut_lanes_add(x[i], -LU[i * n + j], x[j]);
		}
		const double inverse = 1.0 / LU[i * n + i];
		for (int l = 0; l < ABUT_LANES; l++) {
			x[i][l] *= inverse;
		}
	}
}

/* Solves row i of w = T y for y_j, and inserts it into the other n - 1 rows: y_j and w_i change places. */
ALWAYS_INLINE void abut_exchange(int n, int stride, double *T, int i, int j)
{
	double *own = &T[(size_t)i * (size_t)stride];
	const double p = 1.0 / own[j];
	for (int r = 0; r < n; r++) {
		double *row = &T[(size_t)r * (size_t)stride];
		const double factor = row[j] * p;
		if (r == i || factor == 0.0) {
			continue;
		}
		for (int c = 0; c < stride; c++) {
			row[c] -= factor * own[c];
		}
		row[j] = factor;
	}
	for (int c = 0; c < stride; c++) {
		own[c] *= -p;
	}
	own[j] = p;
}
