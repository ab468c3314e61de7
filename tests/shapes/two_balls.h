/* Makes a shape of functions with two rows and an auxiliary variable, for tests: the points within `radius` of the
 * segment |eps| <= half along z that are also within `wide` of the origin, scaled by alpha,
 *
 *     g_0 = N((x, y, z - eps), radius alpha),   g_1 = N((x, y, z), wide alpha),   g_2 = M(eps, half alpha),
 *
 * with the smooth norm minus the length, N(v, r) = sqrt(|v|^2 + r^2) - sqrt(2) r. */
#pragma once

#include <math.h>
#include <string.h>

#include "abut/smooth.h"

enum { BALLS_WIDTH = 5, BALLS_ROWS = 3 };

typedef struct TwoBalls {
	double radius, half, wide;
} TwoBalls;

/* Computes T (4 x 5) of row i, which is sqrt(|T u|^2) - c alpha. */
static inline double balls_matrix(const TwoBalls *b, int i, double T[4][BALLS_WIDTH])
{
	memset(T, 0, 4 * sizeof *T);
	const double r = i == 0 ? b->radius : i == 1 ? b->wide : b->half;
	for (int j = 0; j < 3 && i < 2; j++) {
		T[j][j] = 1.0;
	}
	if (i != 1) {
		T[2][4] = i == 0 ? -1.0 : 1.0;
	}
	T[3][3] = r;
	return sqrt(2.0) * r;
}

static inline double balls_norm(double T[4][BALLS_WIDTH], const double *u, double v[4])
{
	double square = 0.0;
	for (int k = 0; k < 4; k++) {
		v[k] = 0.0;
		for (int j = 0; j < BALLS_WIDTH; j++) {
			v[k] += T[k][j] * u[j];
		}
		square += v[k] * v[k];
	}
	return sqrt(square);
}

static inline void balls_value(const void *data, const double *u, double *g)
{
	for (int i = 0; i < BALLS_ROWS; i++) {
		double T[4][BALLS_WIDTH], v[4];
		const double c = balls_matrix(data, i, T);
		g[i] = balls_norm(T, u, v) - c * u[3];
	}
}

static inline void balls_gradient(const void *data, const double *u, double *G)
{
	for (int i = 0; i < BALLS_ROWS; i++) {
		double T[4][BALLS_WIDTH], v[4];
		const double c = balls_matrix(data, i, T), n = balls_norm(T, u, v);
		for (int j = 0; j < BALLS_WIDTH; j++) {
			G[i * BALLS_WIDTH + j] = j == 3 ? -c : 0.0;
			for (int k = 0; k < 4; k++) {
				G[i * BALLS_WIDTH + j] += T[k][j] * v[k] / n;
			}
		}
	}
}

static inline void balls_hessian(const void *data, const double *u, const double *weight, double *H)
{
	memset(H, 0, BALLS_WIDTH * BALLS_WIDTH * sizeof *H);
	for (int i = 0; i < BALLS_ROWS; i++) {
		double T[4][BALLS_WIDTH], v[4];
		balls_matrix(data, i, T);
		const double n = balls_norm(T, u, v);
		for (int a = 0; a < BALLS_WIDTH; a++) {
			for (int b = 0; b < BALLS_WIDTH; b++) {
				for (int k = 0; k < 4; k++) {
					for (int l = 0; l < 4; l++) {
						const double D = (k == l ? 1.0 : 0.0) - v[k] * v[l] / (n * n);
						H[a * BALLS_WIDTH + b] += weight[i] * T[k][a] * D * T[l][b] / n;
					}
				}
			}
		}
	}
}

static inline AbutSmooth two_balls(TwoBalls *data)
{
	return (AbutSmooth){.n_rows = BALLS_ROWS,
	                    .n_eps = 1,
	                    .value = balls_value,
	                    .gradient = balls_gradient,
	                    .hessian = balls_hessian,
	                    .data = data,
	                    .bounding_radius = fmin(data->wide, data->radius + data->half)};
}

/* Returns its support function. It is that of the capsule if the capsule's furthest point lies inside the ball, and
 * that of the ball if the ball's lies inside the capsule. Otherwise it is that of the rim where both meet. */
static inline double balls_support(const TwoBalls *b, const double d[3])
{
	const double across = hypot(d[0], d[1]), up = fabs(d[2]);
	const double x = b->radius * across, z = b->half + b->radius * up;
	if (hypot(x, z) <= b->wide) {
		return x * across + z * up;
	}
	const double r = b->wide * across, h = b->wide * up;
	if (hypot(r, fmax(h - b->half, 0.0)) <= b->radius) {
		return b->wide;
	}
	/* the rim: r^2 + h^2 = wide^2, r^2 + (h - half)^2 = radius^2 above the end, or r = radius beside it */
	double rim = (b->wide * b->wide - b->radius * b->radius + b->half * b->half) / (2.0 * b->half), out;
	if (rim < b->half) {
		rim = sqrt(b->wide * b->wide - b->radius * b->radius);
		out = b->radius;
	} else {
		out = sqrt(b->wide * b->wide - rim * rim);
	}
	return out * across + rim * up;
}
