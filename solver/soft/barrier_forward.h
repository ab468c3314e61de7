/* Solves the forward problem of the barrier contact: impulses from the velocities without contact. */
#pragma once

#include "base/arena.h"
#include "solver/soft/barrier_contact.h"

/* Scratch of the forward problem. */
typedef struct AbutBarrierRoom {
	double *gradient, *step, *change, *bend, *H;
	int *pivots;
} AbutBarrierRoom;

void abut_barrier_room_carve(AbutBarrierRoom *room, int n, AbutArena *arena);

/* Computes f and v (3n) from c (3n). */
void abut_barrier_forward(const AbutBarrierProblem *problem, const double *c, AbutBarrierRoom *room, double *f,
                          double *v, AbutBarrierReport *report);
