/* Solves soft contact by minimising a convex function of the accelerations (docs/formulation.md 15). With a (6 n) the
 * accelerations of n bodies, a0 the accelerations without contact, M the inertia and J the contacts' rows,
 *
 *     a = argmin  1/2 (a - a0)' M (a - a0) + s(J a - r),      f = -grad s(J a - r),
 *
 * where r are the reference accelerations of the rows. With y = J a - r and weights D, s is the sum of
 *
 *     a row on its own     1/2 D min(y, 0)^2; 1/2 D y^2 if it is held, linear beyond its largest force
 *     an elliptic point    half the squared distance, weighted by D, of its y (normal first) from the polar of its
 *                          friction cone: nothing, 1/2 Dm (N - mu T)^2 or 1/2 y' D y, where N = mu y_0,
 *                          T = |friction_i y_i| and Dm = D_0 / (mu^2 (1 + mu^2))
 *
 * The weights of an elliptic point are related: D_i friction_i^{-2} is the same for all its friction rows, and mu is
 * friction_1 sqrt(D_0 / D_1). The function is once continuously differentiable and strictly convex. So Newton's method
 * with an exact line search finds its only minimum. The inverse problem needs only the second formula, which gives f
 * from a, and then a0.
 *
 * A body has 6 numbers; M is any positive definite 6 x 6. Tested in tests/solver/test_soft_contact.c. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "solver/blocks/system.h"
#include "solver/soft/soft_penalty.h"

enum { ABUT_SOFT_TIE_BODIES = 4 };

/* A row of up to four bodies that is held: it adds 1/2 D (J a - r)^2. */
typedef struct AbutSoftTie {
	int n, body[ABUT_SOFT_TIE_BODIES];
	double J[ABUT_SOFT_TIE_BODIES][6];
	double reference, weight; /* r, D */
} AbutSoftTie;

typedef struct AbutSoftProblem {
	int n_bodies, n_points, n_rows, n_ties;
	const double *mass; /* (n_bodies x 36) row-major, positive definite */
	const double *free; /* (n_bodies x 6) a0 */
	const AbutSoftPoint *points;
	const AbutSoftRow *rows;
	const AbutSoftTie *ties; /* (n_ties) */
} AbutSoftProblem;

typedef struct AbutSoftReport {
	bool solved; /* residual <= ABUT_SOFT_NEARLY */
	int iterations;
	double residual; /* largest entry of M (a - a0) - J' f, relative to the largest of M (a - a0), M a0 and the
	                    forces of held rows */
} AbutSoftReport;

#define ABUT_SOFT_NEARLY 1e-8

/* Scratch and solution of one problem. */
typedef struct AbutSoftRoom {
	double *a;     /* (6 n_bodies) solution */
	double *force; /* (n_rows) f at a */
	double *gradient, *step, *best;
	double *distance, *change; /* (n_rows) y = J a - r, and J step */
} AbutSoftRoom;

void abut_soft_room_carve(AbutSoftRoom *room, int n_bodies, int n_rows, AbutArena *arena);

/* Solves the problem, starting from room->a, without allocation. `system` is scratch; its pattern must couple the
 * bodies of each point and of each tie. */
void abut_soft_solve(const AbutSoftProblem *problem, const AbutBlockSystem *system, AbutSoftRoom *room,
                     AbutSoftReport *report);

/* Computes f (n_rows) at a; `free` is not read. */
void abut_soft_forces(const AbutSoftProblem *problem, const double *a, double *force);
