/* Makes soft couplings of joints. */
#include "dynamics/methods/convex/coupling.h"

#include <math.h>
#include <string.h>

#include "dynamics/joint/coupling.h"
#include "dynamics/methods/manifold/columns.h"

/* Returns a coordinate's combination in the coupling: of coordinates at the start of the step, or of their rates. */
static double combine(const AbutCouplingWork *work, bool rates)
{
	double of[2];
	for (int end = 0; end < 2; end++) {
		const AbutAxisStart *from = &work->joint[end]->axis[work->coupling->axis[end]].from;
		of[end] = rates ? from->last_rate : from->c;
	}
	return rates ? work->coupling->factor[0] * of[0] + work->coupling->factor[1] * of[1]
	             : abut_coupling_value(work->coupling, of[0], of[1]);
}

static void soften(const AbutModel *model, AbutCouplingWork *work)
{
	const AbutCoupling *coupling = work->coupling;
	AbutSoftParameters parameters = abut_convex_parameters(model, &coupling->soft);
	const double dt = model->timestep, k = combine(work, false), rate = combine(work, true);
	double b, stiffness, slope;
	parameters.solimp[2] = coupling->turns ? coupling->soft.solimp[2] : parameters.solimp[2];
	const double d = abut_soft_impedance(parameters.solimp, fabs(k), &slope);
	abut_soft_spring(&parameters, dt, &b, &stiffness);
	abut_coupling_soften(work, coupling->mobility * (1.0 - d) / d,
	                     k / dt + rate - dt * (b * rate + stiffness * d * k));
}

void abut_convex_soften_couplings(const AbutLcpIsland *island)
{
	AbutContactProblem *problem = &island->jointed->problem;
	for (int i = 0; i < problem->n_couplings; i++) {
		if (problem->couplings[i].coupling->yields) {
			soften(island->model, &problem->couplings[i]);
		}
	}
}

void abut_convex_add_couplings(const AbutLcpIsland *island, AbutSoftProblem *problem)
{
	AbutConvexRoom *room = abut_convex_room(island->room);
	problem->ties = room->ties;
	for (int i = 0; island->jointed && i < island->jointed->problem.n_couplings; i++) {
		const AbutCouplingWork *coupling = &island->jointed->problem.couplings[i];
		AbutSoftTie *tie = &room->ties[problem->n_ties++];
		*tie = (AbutSoftTie){.n = coupling->n_bodies, .weight = abut_jointed_coupling_stiffness(coupling)};
		abut_coupling_row(coupling, coupling->joint[0]->start, coupling->joint[1]->start, tie->J);
		for (int b = 0; b < tie->n; b++) {
			tie->body[b] = coupling->body[b]->moving;
			for (int k = 0; k < 6; k++) {
				tie->reference += tie->J[b][k] * abut_convex_free_acceleration(island, tie->body[b], k);
			}
		}
	}
}

void abut_convex_coupling_impulses(const AbutLcpIsland *island)
{
	AbutContactProblem *problem = &island->jointed->problem;
	for (int i = 0; i < problem->n_couplings; i++) {
		AbutCouplingWork *work = &problem->couplings[i];
		if (work->coupling->yields) {
			const double open = work->value / problem->timestep - work->goal;
			island->jointed->iterate.y[work->at] = -open / work->compliance;
		}
	}
}
