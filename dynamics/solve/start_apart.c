/* Computes the start apart: the bodies fly freely, the collision problems are solved one by one at the resulting poses,
 * and the contact forces begin at zero. Everything is then smoothed. */
#include "dynamics/solve/start_apart.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/contact/forces.h"
#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"
#include "dynamics/solve/collision_alone.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/solve/start_cold.h"
#include "dynamics/solve/tuning.h"

/* Returns the relaxation of the start: larger for longer steps. */
static double start_kappa(const AbutIsland *island)
{
	return fmin(fmax(island->problem.timestep, ABUT_APART_LEAST), ABUT_APART_MOST);
}

/* Moves the bodies by `share` of their velocity without contact, momentum / m. The angular velocity is the same share
 * of the present one, which changes little in a step; it is limited to what a step may turn. */
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

static void start_along(AbutIsland *island, double share)
{
	AbutIterate *it = &island->iterate;
	const double kappa = start_kappa(island);
	abut_step_start_cold(island);
	free_flight(island, share);
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		abut_step_no_force(contact, &it->z[contact->at.z]);
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
