/* How a step is solved (docs/formulation.md 8):
 *
 *   1. warm: semismooth Newton from the last solution, which most steps end with; where that fails or there is none,
 *      from free flight, if it meets nothing (start_free.c);
 *   2. warm: the interior point from a smoothed restart of either, then the exact finish;
 *   3. from free flight with the collision problems solved apart (start_apart.c), then the exact finish;
 *   4. (the caller, advance.c: half steps, each with 1 to 3)
 *   5. the cascade: from rest, shorter steps to the boundary, another contact weight;
 *   6. load, then friction, switched on by degrees;
 *   7. (the caller: half steps, each with all of these)
 *   8. a larger kappa: a failure, and reported as one.
 *
 * What a try is made of is in dynamics/solve/tries.c. */
#include "dynamics/solve/cascade.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"
#include "dynamics/solve/degrees.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/solve/start.h"
#include "dynamics/solve/start_apart.h"
#include "dynamics/solve/start_cold.h"
#include "dynamics/solve/start_free.h"
#include "dynamics/solve/tries.h"
#include "solver/ncp/newton.h"

/* Sticking contacts that the last step has not met (dynamics/solve/tries.c: nearly exact). */
static const AbutExactOptions from_last_redundant = {.tolerance = 1e-7,
                                                     .goal = 1e-11,
                                                     .max_iterations = 8,
                                                     .delta = 1e-3,
                                                     .rho = 1e-9,
                                                     .patience = 3,
                                                     .growth = 1e3,
                                                     .even = true};

/* Where the semismooth Newton fails, but not before its residual has fallen to this share of the first, the path starts
 * from its best point. */
static const double worth_keeping = 0.1;

/* Contacts up to which solving by degrees is tried: it takes many solves, and half steps of many contacts are cheaper.
 */
enum { most_by_degrees = 64 };

typedef struct Attempt {
	void (*start)(AbutIsland *island);
	double boundary, weight; /* of contacts: this times the formulation's */
	int iterations;          /* at least; the option's number when larger */
} Attempt;

static const Attempt cascade[] = {{abut_step_start_still, 0.95, 1.0, 30},
                                  {abut_step_start_apart, 0.8, 1.0, 60},
                                  {abut_step_start_cold, 0.8, 0.1, 60}};

static bool has_friction(const AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		if (island->problem.contacts[i].pair->mu > 0.0) {
			return true;
		}
	}
	return false;
}

static void set_weight(AbutIsland *island, double weight_contact)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		island->problem.contacts[i].scale.weight_contact = weight_contact;
	}
}

/* Without success, the island is left where a path is to start from. */
static bool solve_from_last(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	AbutExactOptions options = abut_stage_for_chain(&abut_exact_from_last, &island->problem);
	bool solved = abut_stage_exact(island, &options, &island->unrest, info);
	if (solved && !abut_stage_thrown_out(island)) {
		return abut_stage_end_at(island, abut_stage_natural(info), info);
	}
	const bool unmet = abut_stage_unmet(island);
	if (!solved && !unmet && abut_stage_natural(info) < worth_keeping * island->unrest) {
		return false;
	}
	abut_step_start_warm(model, island);
	if (solved || !unmet) {
		return false;
	}
	options = from_last_redundant;
	options.tolerance = abut_stage_nearly_exact(model, island);
	solved = abut_stage_exact(island, &options, NULL, info) && abut_stage_is_nearly_exact(model, island, info);
	if (solved && !abut_stage_thrown_out(island)) {
		return abut_stage_end_at(island, abut_stage_natural(info), info);
	}
	if (solved || !(abut_stage_natural(info) < worth_keeping * island->unrest)) {
		abut_step_start_warm(model, island);
	}
	return false;
}

/* Whether a long chain bends, its last solution having been no help. Its hinges turn by 1e-6 m and less beside faces of
 * 1 m: which of them are open is told by the end of the path alone. */
static bool long_chain(const AbutContactProblem *problem)
{
	enum { contacts = 10 };
	return problem->n_contacts > contacts && problem->n_contacts <= ABUT_LONGEST_CHAIN &&
	       !abut_stage_redundant(problem);
}

/* The path of such a chain, without trying the finish on the way, which takes the 99th percentile of a kicked tower of
 * 64 from 35 iterations to 44. Without success the island is left as it was. */
static bool straight_to_the_end(AbutIsland *island, AbutStepInfo *info)
{
	static const double end = 1e-10; /* kappa and tolerance */
	const int iterations = 45 + island->problem.n_contacts / ABUT_CONTACTS_PER_ITERATION;
	info->tries++;
	abut_stage_save(island);
	if (abut_stage_path(island, end, end, 0.95, iterations, &abut_warm_patience, info) &&
	    abut_stage_finish(island, info) && !abut_stage_thrown_out(island)) {
		return abut_stage_end_at(island, abut_stage_natural(info), info);
	}
	abut_stage_restore(island);
	return false;
}

/* Puts the start from free flight in the place of the iterate where that is the motion; else the iterate stays. */
static bool start_free_instead(const AbutModel *model, AbutIsland *island)
{
	abut_stage_save(island);
	if (abut_step_start_free(model, island)) {
		return true;
	}
	abut_stage_restore(island);
	return false;
}

static bool solve_shifted(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	abut_step_start_shifted(island);
	return abut_stage_path_and_finish(model, island, 0.95, 25, &abut_warm_patience, info);
}

static bool end_flight(AbutIsland *island, AbutStepInfo *info)
{
	return abut_stage_exact(island, &abut_exact_from_last, NULL, info) && !abut_stage_thrown_out(island) &&
	       abut_stage_end_at(island, abut_stage_natural(info), info);
}

/* The motion is exact; what is relaxed are places and normals of contacts without force, which the semismooth Newton
 * may lose along faces that are all but parallel. A path from there could lead to the other root. */
static bool end_flight_relaxed(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	const AbutIterate *it = &island->iterate;
	const double tolerance = fmin(abut_exact_from_last.tolerance, model->tolerance);
	if (!abut_step_start_free(model, island)) {
		return false;
	}
	info->residual = abut_max_norm(it->r, island->ncp.n_y);
	info->complementarity =
	    abut_cones_complementarity(island->ncp.cones, island->ncp.n_cones, it->z, it->H, ABUT_FLIGHT_KAPPA);
	if (!(fmax(info->residual, info->complementarity) <= tolerance)) {
		return false;
	}
	info->kappa = abut_stage_kappa(island, ABUT_FLIGHT_KAPPA);
	info->outcome = ABUT_OUTCOME_RELAXED;
	return true;
}

/* `known`: there is a last solution. */
static bool solve_warm(const AbutModel *model, AbutIsland *island, bool known, AbutStepInfo *info)
{
	const bool exact = model->options.finish == ABUT_FINISH_EXACT;
	if (known) {
		abut_step_start_warm(model, island);
		if (exact && solve_from_last(model, island, info)) {
			return true;
		}
	}
	const bool flies = start_free_instead(model, island);
	if (!known && !flies) {
		return false;
	}
	if (flies && exact && (end_flight(island, info) || end_flight_relaxed(model, island, info))) {
		return true;
	}
	abut_step_smooth(island, model->options.kappa);
	if (exact && long_chain(&island->problem) && straight_to_the_end(island, info)) {
		return true;
	}
	return abut_stage_path_and_finish(model, island, 0.95, 25, &abut_warm_patience, info);
}

static bool solve_raised(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	const double kappa = 100.0 * model->options.kappa;
	abut_step_start_cold(island);
	info->tries++;
	if (!abut_stage_path(island, kappa, 0.1 * kappa, 0.8, 60, &abut_cold_patience, info)) {
		return false;
	}
	info->kappa = abut_stage_kappa(island, kappa);
	info->outcome = ABUT_OUTCOME_RAISED_KAPPA;
	info->exact = false;
	return true;
}

/* 1 + the first body with a shape whose functions have failed in this solve, or 0. */
static int broken_body(const AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		for (int k = 0; k < 2; k++) {
			const AbutContactSide *side = &island->problem.contacts[i].side[k];
			if (abut_conic_rows_broken(side->rows)) {
				return 1 + side->body->body;
			}
		}
	}
	return 0;
}

void abut_step_solve(const AbutModel *model, AbutIsland *island, AbutEffort effort, AbutStepInfo *info)
{
	const int iterations = model->options.max_iterations;
	info->outcome = ABUT_OUTCOME_FAILED;
	info->exact = false;
	island->unrest = (double)INFINITY;
	island->doubt_speed = true;
	const bool known = island->warm || island->resume;
	const bool shifted = model->options.warm_start_rule == ABUT_WARM_RULE_SHIFTED;
	if (model->options.warm_start &&
	    (shifted ? known && solve_shifted(model, island, info) : solve_warm(model, island, known, info))) {
		return;
	}
	abut_stage_start_flight(model, island);
	if (abut_stage_path_and_finish(model, island, 0.95, iterations, &abut_cold_patience, info)) {
		return;
	}
	info->broken_body = broken_body(island);
	if (!model->options.retry) {
		return;
	}
	info->retried = true;
	if (effort == ABUT_EFFORT_QUICK) {
		return;
	}
	island->doubt_speed = false;
	for (size_t i = 0; i < sizeof cascade / sizeof *cascade; i++) {
		const int cap = cascade[i].iterations > iterations ? cascade[i].iterations : iterations;
		set_weight(island, cascade[i].weight * model->formulation.weight_contact);
		cascade[i].start(island);
		const bool solved =
		    abut_stage_path_and_finish(model, island, cascade[i].boundary, cap, &abut_cold_patience, info);
		set_weight(island, model->formulation.weight_contact);
		if (solved) {
			return;
		}
	}
	const bool few = island->problem.n_contacts <= most_by_degrees;
	if (few && abut_stage_by_load(model, island, info)) {
		return;
	}
	if (few && has_friction(island) &&
	    (abut_stage_by_friction(model, island, 0.05, info) || abut_stage_by_friction(model, island, 100.0, info))) {
		return;
	}
	if (effort == ABUT_EFFORT_RAISED && solve_raised(model, island, info)) {
		return;
	}
	info->exact = false;
	info->outcome = ABUT_OUTCOME_FAILED;
	info->broken_body = broken_body(island);
}
