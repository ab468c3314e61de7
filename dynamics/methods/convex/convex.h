/* Method convex: soft contact at the points of the manifolds, after MuJoCo (docs/formulation.md 15). With v* the
 * velocities of free flight, the acceleration without contact is (v* - v) / dt; solver/soft/soft_contact.h finds the
 * contacts' forces f, and the step ends with v* + dt M^-1 J' f. Points are those that overlap at the start of the step.
 * All else is as in method lcp (dynamics/methods/manifold/island.h).
 *
 * Tested in tests/dynamics/methods/convex/test_convex.c. */
#ifndef DYNAMICS_METHODS_CONVEX_CONVEX_H
#define DYNAMICS_METHODS_CONVEX_CONVEX_H

#include "dynamics/model/model.h"
#include "solver/soft/barrier_contact.h"
#include "solver/soft/soft_contact.h"

struct AbutLcpIsland;

/* What dynamics/methods/convex/barrier.c has, where the model is that; sizes are of rows, and of points, a third of
 * them. */
typedef struct AbutConvexBarrier {
	bool used;
	double *A, *R, *mu, *least, *c, *v;
	AbutBarrierRoom scratch;
} AbutConvexBarrier;

/* Room of a thread for one island's problem. */
typedef struct AbutConvexRoom {
	int n_bodies, n_rows; /* that there is room for */
	AbutSoftRoom soft;
	AbutSoftPoint *points;
	AbutSoftRow *rows;
	double *mass, *free; /* (36 n_bodies), (6 n_bodies) */
	AbutBlockMemory blocks;
	AbutConvexBarrier barrier;
	void *memory;
} AbutConvexRoom;

/* `rows` is the number of those of method lcp: one or three a point. */
AbutStatus abut_convex_room_reserve(AbutConvexRoom *room, int n_bodies, int rows, int n_blocks);
void abut_convex_room_destroy(AbutConvexRoom *room);

/* Numbers of a spring that are not allowed, at `where`; and the options that method convex does not allow. */
AbutStatus abut_softness_check(const AbutSoftness *soft, const char *where, AbutError *error);
AbutStatus abut_convex_options_check(const AbutSolverOptions *options, AbutError *error);

/* Impulses of all points of the island, whose bodies have flown, into its room's boxed.x, in the axes of its contacts.
 * False where the iteration does not get there. */
bool abut_convex_solve(struct AbutLcpIsland *island, AbutStepInfo *info);
/* The velocities `next` of the island's bodies by the accelerations that were found: what the forces make of them is
 * off by as little as the equations are, but the forces by that times the weights, and so would be the way back. */
void abut_convex_velocities(const struct AbutLcpIsland *island);

#endif
