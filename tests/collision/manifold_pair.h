/* Makes two shapes with their manifold sides, and queries of them that tests need. */
#pragma once

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "collision/manifold/manifold.h"
#include "collision/manifold/shape.h"

typedef struct Fixture {
	AbutShape *shape[2];
	AbutManifoldShape own[2];
	AbutManifoldSide side[2];
	double q[2][4];
} Fixture;

static inline void place(Fixture *f)
{
	for (int s = 0; s < 2; s++) {
		abut_quat_to_mat3(f->q[s], f->side[s].R);
	}
}

static inline void end(Fixture *f)
{
	for (int s = 0; s < 2; s++) {
		abut_shape_destroy(f->shape[s]);
		abut_manifold_shape_destroy(&f->own[s]);
	}
}

static inline double support(const Fixture *f, int s, const double n[3], double sign)
{
	const double direction[3] = {sign * n[0], sign * n[1], sign * n[2]};
	double own[3];
	abut_mat3_tvec(f->side[s].R, direction, own);
	return abut_shape_support(f->shape[s], own, NULL) + abut_dot3(direction, f->side[s].x);
}

/* Returns the distance of the two planes across n that touch the shapes, with n from side 0 to side 1. */
static inline double distance_along(const Fixture *f, const double n[3])
{
	return -support(f, 1, n, -1.0) - support(f, 0, n, 1.0);
}

static inline bool has_point(const AbutManifold *m, const double p[3], double gap)
{
	for (int i = 0; i < m->n; i++) {
		const double *q = m->points[i].point;
		const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
		if (abut_norm3(d) < 1e-8 && fabs(gap - m->points[i].gap) < 1e-8) {
			return true;
		}
	}
	return false;
}

static inline void nudge(Fixture *f, int column, double step)
{
	const int s = column / 6, axis = column % 3;
	if (column % 6 < 3) {
		f->side[s].x[axis] += step;
		return;
	}
	double q[4], turn[4] = {cos(0.5 * step), 0.0, 0.0, 0.0};
	turn[1 + axis] = sin(0.5 * step);
	abut_quat_mul(f->q[s], turn, q);
	memcpy(f->q[s], q, sizeof q);
	place(f);
}

/* Turns both by the same random T about the world's origin, then moves both by `way`. */
static inline void move_both(Fixture *f, AbutRng *rng, const double way[3], double T[9])
{
	double turn[4], q[4];
	abut_rng_rotation(rng, turn);
	abut_quat_to_mat3(turn, T);
	for (int s = 0; s < 2; s++) {
		abut_mat3_vec(T, f->side[s].x, f->side[s].x);
		for (int k = 0; k < 3; k++) {
			f->side[s].x[k] += way[k];
		}
		abut_quat_mul(turn, f->q[s], q);
		memcpy(f->q[s], q, sizeof q);
	}
	place(f);
}

static inline const AbutManifoldPoint *find_feature(const AbutManifold *m, uint64_t feature)
{
	for (int i = 0; i < m->n; i++) {
		if (m->points[i].feature == feature) {
			return &m->points[i];
		}
	}
	return NULL;
}
