/* The fields of AbutGradient: the derivative of a step, island by island (abut/gradient.h). */
#ifndef DYNAMICS_GRADIENT_GRADIENT_H
#define DYNAMICS_GRADIENT_GRADIENT_H

#include "abut/gradient.h"
#include "dynamics/gradient/part.h"
#include "dynamics/island/island.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/step/workspace.h"

/* An island's derivative, one part for each part of its step. Islands are identified by their first body, so an island
 * that stays solved while others are joined keeps its derivative. */
typedef struct AbutGradientIsland {
	AbutStatus status; /* of the last part made; which derivatives exist is in the parts */
	int n_bodies, n_parts, capacity;
	AbutGradientPart **parts; /* (capacity) kept for the next step */
	AbutGradientPart other;   /* of the other side of a border */
	AbutGradientRoom scratch;
} AbutGradientIsland;

/* An observer for measurements: `see` receives each part of an island's step at the point where it is differentiated
 * (the exact solution or the path), and must copy what it needs. */
typedef struct AbutGradientWatch {
	void (*see)(void *watcher, const AbutIsland *island); /* NULL: no observer */
	void *watcher;
} AbutGradientWatch;

struct AbutGradient {
	const AbutModel *model;
	double kappa; /* 0: exact */
	AbutGradientWatch watch;
	AbutGradientIsland *islands; /* (n_moving) by the place of the first body among the moving ones */
	/* The last solved step: its islands, and their bodies among the moving ones, island by island, each in the
	 * order of its parts. */
	bool solved; /* a step was solved */
	int n_islands;
	int *bodies;                        /* (n_moving) */
	double unit[ABUT_GRADIENT_COLUMNS]; /* SI of a model unit, of each row and column of a body */
	/* The step continues one whose derivative is chained with its own (rollout.c): its start is that one's end,
	 * which already follows the parameters. */
	bool continues;
	int n_parameters;
	AbutParameter *parameters;
	double *parameter_unit; /* SI of a model unit */
	AbutGradientRoom *room; /* scratch of queries, which do not change the derivative */
};

static inline const AbutGradientIsland *abut_gradient_island(const AbutGradient *gradient, int first)
{
	return &gradient->islands[gradient->bodies[first]];
}

static inline int abut_gradient_largest_island(const AbutGradient *gradient)
{
	int most = 0;
	for (int i = 0, first = 0; i < gradient->n_islands; i++) {
		const int n = abut_gradient_island(gradient, first)->n_bodies;
		most = n > most ? n : most;
		first += n;
	}
	return most;
}

#endif
