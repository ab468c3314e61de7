/* The fields of AbutGradient: the derivative of a step, island by island (abut/gradient.h). */
#pragma once

#include "abut/gradient.h"
#include "dynamics/gradient/part.h"
#include "dynamics/island/island.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/step/workspace.h"

/* The derivative of an island's step: one AbutGradientPart for each part of the step. An island is identified by its
 * first body. An island that stays solved while others are joined therefore keeps its derivative. */
typedef struct AbutGradientIsland {
	AbutStatus status; /* of the last part made; each part lists which of its derivatives exist */
	int n_bodies, n_parts, capacity;
	AbutGradientPart **parts; /* (capacity) kept for the next step */
	AbutGradientPart other;   /* scratch: the part on the other side of a border (border.h) */
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
	AbutGradientIsland *islands; /* (n_moving) index: the island's first body, counted among the moving bodies */
	/* The islands of the last solved step. `bodies` lists their bodies island by island, in the order used by the
	 * island's parts. Each entry is an index among the moving bodies. */
	bool solved; /* true after a solved step */
	int n_islands;
	int *bodies;                        /* (n_moving) */
	double unit[ABUT_GRADIENT_COLUMNS]; /* SI value of one model unit, for each row and column of a body */
	/* True if the derivative of the previous step is chained with that of this one (dynamics/batch/rollout.c). The
	 * start of this step is then the end of the previous one, which already depends on the parameters. */
	bool continues;
	bool holds_turns; /* abut_gradient_hold_turns */
	int n_parameters;
	AbutParameter *parameters;
	double *parameter_unit; /* (n_parameters) SI value of one model unit */
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
