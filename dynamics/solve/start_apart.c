/* A start that takes the problem apart: the bodies fly freely, the collision problems are solved one by one where that
 * leads, and the contact forces begin at zero, smoothed. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/island/problem.h"
#include "dynamics/step/step_parts.h"

/* Relaxation of the start: further from the solution where a step does more (measured over all pairs, 10 to 200 Hz). */
static double start_kappa(const AbutIsland *island)
{
	return fmin(fmax(island->problem.timestep, 0.03), 0.15);
}

void abut_step_scaling_poses(const AbutContactWork *contact, double timestep, bool at_start,
                             AbutScalingProblem *problem)
{
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		AbutScalingSide *out = &problem->side[i];
		out->rows = side->rows;
		memcpy(out->R, at_start ? side->body->R0 : side->body->R, sizeof out->R);
		out->shift = side->shift;
		for (int j = 0; j < 3; j++) {
			out->x[j] = side->from_side_0[j];
			if (!at_start && side->body->moving >= 0) {
				out->x[j] += timestep * side->body->v[j];
			}
		}
	}
}

/* A share of the velocity without contact: m v = momentum; for the turn, the present one (its change in a step is
 * small), as far as a step may turn. */
static void free_flight(AbutIsland *island, double share)
{
	AbutContactProblem *problem = &island->problem;
	double *y = island->iterate.y;
	for (int i = 0; i < problem->n_moving; i++) {
		const AbutBodyWork *body = problem->moving[i];
		const double turn = 0.5 * problem->timestep * abut_norm3(body->w0);
		const double within = turn > ABUT_EASY_HALF_TURN ? ABUT_EASY_HALF_TURN / turn : 1.0;
		for (int j = 0; j < 3; j++) {
			y[6 * i + j] = share * body->momentum[j] / body->mass;
			y[6 * i + 3 + j] = share * within * body->w0[j];
		}
		abut_body_move(problem->moving[i], problem->timestep, &y[6 * i]);
	}
}

void abut_step_no_force(const AbutContactWork *contact, double *z)
{
	memset(z, 0, (size_t)contact->alpha_z * sizeof(double));
}

bool abut_step_resume_collision(AbutIsland *island, const AbutContactWork *contact, double kappa, AbutIterate *own)
{
	abut_step_scaling_poses(contact, island->problem.timestep, false, &island->scaling);
	memset(island->scaling.origin, 0, sizeof island->scaling.origin);
	return abut_scaling_resume(&island->scaling, kappa, own);
}

void abut_step_solve_collision(AbutIsland *island, const AbutContactWork *contact, double kappa)
{
	AbutIterate *it = &island->iterate;
	AbutIterate own = *it; /* the solve leaves its unknowns at the front of the vectors that it is given */
	double alpha, p[3];
	own.y = it->y_best;
	own.z = it->z_best;
	abut_step_scaling_poses(contact, island->problem.timestep, false, &island->scaling);
	double *y = &it->y[contact->y], *z = &it->z[contact->z];
	if (!abut_scaling_solve(&island->scaling, kappa, &own, &alpha, p)) {
		return;
	}
	y[3] = alpha;
	z[contact->alpha_z] = own.z[0];
	for (int j = 0; j < 3; j++) {
		y[j] = p[j];
	}
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		const AbutScalingSide *solved = &island->scaling.side[i];
		memcpy(&y[side->y], &own.y[solved->y], (size_t)side->rows->n_eps * sizeof(double));
		memcpy(&z[side->z], &own.z[solved->z], (size_t)side->rows->n_rows * sizeof(double));
	}
}

static void start_along(AbutIsland *island, double share)
{
	AbutIterate *it = &island->iterate;
	const double kappa = start_kappa(island);
	abut_step_start_cold(island);
	free_flight(island, share);
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		abut_step_no_force(contact, &it->z[contact->z]);
		abut_step_solve_collision(island, contact, kappa);
	}
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	abut_step_smooth_at(island, kappa);
}

void abut_step_start_apart(AbutIsland *island)
{
	start_along(island, 1.0);
}

void abut_step_start_still(AbutIsland *island)
{
	start_along(island, 0.0);
}
