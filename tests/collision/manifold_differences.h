/* Compares the gradient of a manifold with differences. */
#pragma once

#include "collision/manifold/gradient.h"
#include "collision/manifold/manifold.h"
#include "manifold_pair.h"

/* Returns the largest error of a derivative, relative to 1 plus the magnitude of the difference. */
static inline double worst(const double *derivative, const double *difference, int n)
{
	double most = 0.0;
	for (int i = 0; i < n; i++) {
		most = fmax(most, fabs(derivative[i] - difference[i]) / (1.0 + fabs(difference[i])));
	}
	return most;
}

/* Reads point, normal and gap of a feature. Returns false if the feature is not among the points. */
static inline bool read(const Fixture *f, double margin, uint64_t feature, double out[7])
{
	AbutManifold m;
	abut_manifold_make(f->side, margin, &m);
	const AbutManifoldPoint *p = find_feature(&m, feature);
	if (!p) {
		return false;
	}
	abut_copy3(p->point, out);
	abut_copy3(m.normal, out + 3);
	out[6] = p->gap;
	return true;
}

/* Computes central differences of four points, whose error is of fourth order. */
static inline bool difference(const Fixture *f, double margin, uint64_t feature, int column, double step, double out[7])
{
	static const double weights[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0}, places[4] = {-2, -1, 1, 2};
	for (int i = 0; i < 7; i++) {
		out[i] = 0.0;
	}
	for (int k = 0; k < 4; k++) {
		Fixture moved = *f;
		double at[7];
		nudge(&moved, column, places[k] * step);
		if (!read(&moved, margin, feature, at)) {
			return false;
		}
		for (int i = 0; i < 7; i++) {
			out[i] += weights[k] * at[i] / step;
		}
	}
	return true;
}

typedef struct Tally {
	int checked, lost, refused;
	double worst;
} Tally;

/* Checks all points of the manifold as it is. */
static inline void check_gradient(const Fixture *f, double margin, double bound, int seed, Tally *tally)
{
	AbutManifold m;
	abut_manifold_make(f->side, margin, &m);
	for (int i = 0; i < m.n; i++) {
		AbutManifoldGradient g;
		if (!abut_manifold_gradient(f->side, &m, i, &g)) {
			tally->refused++;
			continue;
		}
		for (int c = 0; c < ABUT_MANIFOLD_COLUMNS; c++) {
			const double own[7] = {g.point[0][c],  g.point[1][c],  g.point[2][c], g.normal[0][c],
			                       g.normal[1][c], g.normal[2][c], g.gap[c]};
			double of[7];
			if (!difference(f, margin, m.points[i].feature, c, 1e-4, of)) {
				tally->lost++;
				continue;
			}
			const double error = worst(own, of, 7);
			tally->worst = fmax(tally->worst, error);
			cr_assert_leq(error, bound, "seed %d, kinds %d and %d, rule %d, point %d, column %d: off by %g",
			              seed, (int)f->shape[0]->kind, (int)f->shape[1]->kind, (int)m.points[i].rule, i, c,
			              error);
			tally->checked++;
		}
	}
}
