/* Makes random boxed problems, checks their conditions, and finds all their solutions by all index sets. */
#pragma once

#include "base/rng.h"
#include "solver/lcp/boxed_lcp.h"

enum { BOXED_ROWS = 48 };

typedef struct BoxedProblem {
	AbutBoxedLcp lcp;
	double A[BOXED_ROWS * BOXED_ROWS], b[BOXED_ROWS], lo[BOXED_ROWS], hi[BOXED_ROWS];
	int friction[BOXED_ROWS];
	AbutBoxedRoom room;
	AbutBoxedReport report;
	void *memory;
} BoxedProblem;

void boxed_begin(BoxedProblem *f); /* f->memory is the caller's to free */
/* Makes A = J J' of rank at most `rank` and b = J v, as contacts have, which is never infeasible. Without friction, x
 * >= 0. */
void boxed_random_problem(BoxedProblem *f, AbutRng *rng, int n, int rank);
/* Makes contacts of one rigid body: many points, rank 6, two friction directions at each. */
void boxed_random_contacts(BoxedProblem *f, AbutRng *rng, int n_points, double mu, bool on_a_plane);
/* Returns by how much x violates the conditions, from A, b and the bounds alone. */
double boxed_violation(const BoxedProblem *f, const double *x);
/* Finds all w that solve the problem: every index is at a bound or has w = 0. Returns how many index sets with a
 * regular matrix give a solution. Computes how far the w in the room is from the nearest and the furthest of them. */
int boxed_enumerate(const BoxedProblem *f, double *nearest, double *furthest);
