/* Homotopies: the solution for a small share of the load, or of friction, is followed to that for all of it. */
#include "dynamics/solve/degrees.h"

#include <math.h>

#include "dynamics/body/body.h"
#include "dynamics/island/island.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/solve/start_apart.h"
#include "dynamics/solve/tries.h"
#include "dynamics/solve/tuning.h"

/* Sets the share of the bodies' initial momentum, or of friction. */
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

/* Solves from the solution for a smaller share, which is in the iterate. */
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

/* Follows the solution in the iterate from the share `first` to the full share, through shares first^(1 - way). Steps
 * of `way` grow and shrink. */
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

/* Increases the load by degrees: bodies that hardly move are solved from where they are, and the solution follows the
 * load. For steps so long for the bodies' size that free flight leads through each other. */
bool abut_stage_by_load(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	static const double first = ABUT_LOAD_FIRST;
	set_load(island, first);
	const bool solved = solve_from_flight_or_rest(model, island, info);
	set_load(island, 1.0);
	return solved && go_to_full_share(model, island, set_load, first, info);
}

/* Increases friction by degrees. If a light body is caught between heavy ones and friction is large, the path in kappa
 * folds at every timestep. The solution for little friction still exists and can be followed, or else the one for a
 * coefficient with which everything sticks. */
bool abut_stage_by_friction(const AbutModel *model, AbutIsland *island, double first, AbutStepInfo *info)
{
	set_friction(island, first);
	const bool solved = solve_from_flight_or_rest(model, island, info) || abut_stage_by_load(model, island, info);
	set_friction(island, 1.0);
	return solved && go_to_full_share(model, island, set_friction, first, info);
}
