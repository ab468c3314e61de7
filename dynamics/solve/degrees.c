/* Solves a step by homotopy: finds the solution for a small share of the load or of friction, and follows it as the
 * share grows to 1. */
#include "dynamics/solve/degrees.h"

#include <math.h>

#include "dynamics/body/body.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/solve/start_cold.h"
#include "dynamics/solve/tries.h"
#include "dynamics/solve/tuning.h"

/* Sets the share of the bodies' momentum without contact, or of friction. */
typedef void (*SetShare)(AbutIsland *island, double share);

static void set_load(AbutIsland *island, double share)
{
	for (int i = 0; i < island->problem.n_moving; i++) {
		AbutBodyWork *body = island->problem.moving[i];
		for (int j = 0; j < 6; j++) {
			body->momentum[j] = share * body->full_momentum[j];
		}
	}
}

static void set_friction(AbutIsland *island, double share)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		AbutContactWork *contact = &island->problem.contacts[i];
		contact->mu = share * contact->pair->mu;
	}
}

static bool solve_from_flight_or_rest(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	static const int iterations = ABUT_DEGREES_FIRST_ITERATIONS;
	abut_stage_start_flight(model, island);
	if (abut_stage_path_and_finish(model, island, 0.95, iterations, &abut_cold_patience, info)) {
		return true;
	}
	abut_step_start_still(island);
	return abut_stage_path_and_finish(model, island, 0.95, iterations, &abut_cold_patience, info);
}

/* Solves from the iterate, which is the solution for a smaller share. */
static bool solve_on(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	info->exact = false;
	if (model->options.finish == ABUT_FINISH_EXACT) {
		if (abut_stage_exact(island, &abut_exact_from_loose_end, NULL, info) &&
		    !abut_stage_thrown_out(island)) {
			return abut_stage_end_at(island, 0.0, info);
		}
		abut_island_take_back(island, &island->share);
	}
	abut_step_smooth(island, model->options.kappa);
	return abut_stage_path_and_finish(model, island, 0.95, ABUT_DEGREES_NEXT_ITERATIONS, &abut_cold_patience, info);
}

/* Follows the solution in the iterate from the share `first` to 1, through the shares first^(1 - way). The steps of
 * `way` grow after a success and shrink after a failure. */
static bool go_to_full_share(const AbutModel *model, AbutIsland *island, SetShare set, double first, AbutStepInfo *info)
{
	double way = 0.0, step = ABUT_DEGREES_STEP;
	while (way < 1.0 && step > ABUT_DEGREES_SHORTEST) {
		const double next = fmin(1.0, way + step);
		abut_island_keep(island, &island->share);
		set(island, pow(first, 1.0 - next));
		if (solve_on(model, island, info)) {
			way = next;
			step *= ABUT_DEGREES_GROW;
		} else {
			abut_island_take_back(island, &island->share);
			step *= ABUT_DEGREES_SHRINK;
		}
	}
	set(island, 1.0);
	return way == 1.0;
}

/* Increases the load by degrees. With a small load the bodies hardly move, so the step can be solved from their present
 * poses; the solution then follows the load. Needed if, in a long step, free flight leads small bodies through each
 * other. */
bool abut_stage_by_load(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	static const double first = ABUT_LOAD_FIRST;
	set_load(island, first);
	const bool solved = solve_from_flight_or_rest(model, island, info);
	set_load(island, 1.0);
	return solved && go_to_full_share(model, island, set_load, first, info);
}

/* Increases (or, if `first` is above 1, decreases) friction by degrees. If a light body is caught between heavy ones
 * and friction is large, the path in kappa folds at every timestep. A solution still exists for little friction, or for
 * a coefficient with which everything sticks, and can be followed. */
bool abut_stage_by_friction(const AbutModel *model, AbutIsland *island, double first, AbutStepInfo *info)
{
	set_friction(island, first);
	const bool solved = solve_from_flight_or_rest(model, island, info) || abut_stage_by_load(model, island, info);
	set_friction(island, 1.0);
	return solved && go_to_full_share(model, island, set_friction, first, info);
}
