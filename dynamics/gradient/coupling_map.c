/* Computes the matrix of a coupling. It holds the value k at the end of the step, so with its row at the end, row+, and
 * the direction g of its impulse I, the bodies receive
 *
 *     dW = g' dI,     dI = y - K row+ dz+ / dt,     K = 1 / delta,
 *
 * where y is the held number, as of a held row of a joint (dynamics/gradient/joint/linear.h). How the rows themselves
 * turn is part of the joints' matrices, whose impulses contain I. Tested in tests/dynamics/joint/test_joint_gradient.c.
 */
#include "dynamics/gradient/coupling_map.h"

#include <string.h>

#include "dynamics/gradient/joint/linear.h"

enum { SIDE = ABUT_MAP_SIDE };

void abut_coupling_map_carve(const AbutCouplingWork *work, AbutArena *arena, AbutEdgeMap *out)
{
	out->n_sides = work->n_bodies;
	out->n_held = 1;
	for (int i = 0; i < work->n_bodies; i++) {
		out->body[i] = work->body[i]->moving;
	}
	abut_edge_map_carve(arena, out);
}

void abut_coupling_map_fill(const AbutCouplingWork *work, double timestep, AbutEdgeMap *out)
{
	const double K = 1.0 / (abut_joint_softer * work->regular);
	const int n = SIDE * out->n_sides, held = abut_map_by_held(out);
	AbutCouplingRow g, j, end;
	double by[2 * SIDE * ABUT_MAP_SIDES] = {0.0};
	abut_coupling_row(work, work->joint[0]->g, work->joint[1]->g, g);
	abut_coupling_row(work, work->joint[0]->j, work->joint[1]->j, j);
	abut_coupling_row(work, work->joint[0]->end, work->joint[1]->end, end);
	for (int i = 0; i < n; i++) {
		by[i] = -K / timestep * end[i / SIDE][i % SIDE];
		by[n + i] = -K * j[i / SIDE][i % SIDE];
	}
	memset(out->at, 0, (size_t)abut_map_rows(out) * (size_t)out->stride * sizeof *out->at);
	for (int i = 0; i < n; i++) {
		out->at[i * out->stride + held] = g[i / SIDE][i % SIDE];
	}
	memcpy(&out->at[n * out->stride], by, 2 * (size_t)n * sizeof *by);
	out->at[n * out->stride + held] = 1.0;
}
