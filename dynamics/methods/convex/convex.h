/* Defines the memory of method convex: soft contact at the points of the manifolds, after MuJoCo (docs/formulation.md
 * 15). With v the velocities before the step and v* those of free flight, the acceleration without contact is (v* - v)
 * / dt. solver/soft/soft_contact.h finds the contact forces f, and the step ends with the velocities v* + dt M^-1 J' f.
 * Points within the margin at the start of the step act. Everything else is as in method lcp
 * (dynamics/methods/manifold/island.h).
 *
 * Tested in tests/dynamics/methods/convex/test_convex.c. */
#pragma once

#include "dynamics/methods/manifold/island.h"
#include "dynamics/model/model.h"
#include "solver/soft/barrier_forward.h"
#include "solver/soft/soft_contact.h"

/* Memory of dynamics/methods/convex/barrier.c. `mu` and `least` have one entry for each point, A n x n entries for n
 * rows, the other arrays one for each row; a point has three rows. */
typedef struct AbutConvexBarrier {
	bool used;
	double *A, *R, *mu, *least, *c, *v;
	AbutBarrierRoom scratch;
} AbutConvexBarrier;

/* A thread's memory for one island's problem. */
typedef struct AbutConvexRoom {
	int n_bodies, n_rows; /* capacity */
	AbutSoftRoom soft;
	AbutSoftPoint *points;
	AbutSoftRow *rows;
	struct AbutConvexEquality *equalities; /* (n_yielding of the model) of the island, equality.h */
	int n_equalities;
	struct AbutConvexLawSlope
	    *laws; /* (abut_convex_law_rows of the model) of the island to differentiate, laws.h */
	int n_laws;
	AbutSoftTie *ties;          /* (n_couplings of the model) */
	double *mass, *free;        /* (36 n_bodies), (6 n_bodies) */
	double *convection, *along; /* (6 n_bodies), (12 n_bodies) of convection.h; only with joints */
	bool *done, *child, *tied;  /* (n_bodies) of convection.h */
	AbutBlockMemory blocks;
	AbutConvexBarrier barrier;
	void *memory;
} AbutConvexRoom;

/* Returns the method's part of a thread's room. */
static inline AbutConvexRoom *abut_convex_room(const AbutLcpRoom *room)
{
	return room->own;
}
