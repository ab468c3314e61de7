/* Makes the planning task of a grasp and its first guess. */
#include "experiments/grasp/task.h"

#include <string.h>

static void ask_of_inputs(const AbutGraspTask *task, const AbutSceneDef *def, AbutReach *reach)
{
	const int first = def->n_bodies - ABUT_GRASP_BODIES; /* static bodies come first */
	for (int j = 0; j < ABUT_GRASP_INPUTS; j++) {
		const int body = ABUT_GRASP_LEFT + j / 3;
		reach->pushes[j][body][j % 3] = def->bodies[first + body].mass / (def->timestep * def->timestep);
		reach->low[j] = -task->largest;
		reach->high[j] = task->largest;
		reach->effort[j] = task->effort;
	}
}

AbutReach abut_grasp_reach(const AbutGraspTask *task, const AbutSceneDef *def)
{
	AbutReach reach = {.def = def,
	                   .horizon = task->horizon,
	                   .inputs = ABUT_GRASP_INPUTS,
	                   .tolerance = task->tolerance,
	                   .search = {.rounds = task->rounds, .penalty = task->penalty, .penalty_factor = 10.0}};
	ask_of_inputs(task, def, &reach);
	for (int body = 0; body < ABUT_GRASP_BODIES; body++) {
		const double aside = body == ABUT_GRASP_LEFT    ? -task->beside
		                     : body == ABUT_GRASP_RIGHT ? task->beside
		                                                : 0.0;
		const double share = body == ABUT_GRASP_OBJECT ? 1.0 : task->fingers;
		memcpy(reach.goal[body].position, task->goal, sizeof task->goal);
		reach.goal[body].position[0] += aside;
		reach.goal[body].orientation[0] = 1.0;
		for (int k = 0; k < 3; k++) {
			const int row = ABUT_GRADIENT_ROWS * body + ABUT_GRADIENT_POSITION + k;
			reach.running[row] = reach.final[row] = share * task->running;
			reach.bound[row] = body == ABUT_GRASP_OBJECT;
		}
	}
	for (int k = 0; k < 3; k++) {
		reach.final[ABUT_GRADIENT_LINEAR + k] = task->rest;
	}
	for (int row = ABUT_GRADIENT_ROTATION; row < ABUT_GRADIENT_LINEAR; row++) {
		reach.running[row] = reach.final[row] = task->turns * task->running;
		reach.bound[row] = true;
	}
	reach.search.ilqr = abut_ilqr_options_default();
	reach.search.ilqr.iterations = task->iterations;
	reach.search.ilqr.cost_tolerance = 1e-3;
	reach.search.ilqr.regularisation = 1e-2;
	reach.search.ilqr.shares = 3;
	return reach;
}

void abut_grasp_guess(const AbutGraspTask *task, double *u)
{
	for (int i = 0; i < task->horizon * ABUT_GRASP_INPUTS; i++) {
		const int j = i % ABUT_GRASP_INPUTS;
		u[i] = j == 0 ? task->guess : j == 3 ? -task->guess : 0.0;
	}
}
