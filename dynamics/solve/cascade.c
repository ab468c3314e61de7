/* Solves a step with the rows of one table: they are tried in turn until one succeeds (docs/formulation.md, section 8).
 * A row sets the iterate to a start and follows it to a solution. AbutStepInfo.row is the number of the row that
 * succeeded.
 *
 * If the quick rows fail, the caller (dynamics/step/advance.c) halves the step; it allows the other rows only for the
 * last parts. The last row uses a larger kappa, and its solution counts as a failure. */
#include "dynamics/solve/cascade.h"

#include <math.h>
#include <string.h>

#include "collision/rows/smooth_rows.h"
#include "dynamics/island/problem.h"
#include "dynamics/solve/alone.h"
#include "dynamics/solve/degrees.h"
#include "dynamics/solve/redirect.h"
#include "dynamics/solve/smooth.h"
#include "dynamics/solve/start.h"
#include "dynamics/solve/start_cold.h"
#include "dynamics/solve/start_free.h"
#include "dynamics/solve/tries.h"
#include "dynamics/solve/tuning.h"
#include "solver/ncp/newton_parts.h"

/* For redundant contacts that the last step left open (see `nearly_exact` in dynamics/solve/tries.c). */
static const AbutExactOptions from_last_redundant = {.tolerance = 1e-7,
                                                     .goal = 1e-11,
                                                     .max_iterations = 8,
                                                     .delta = 1e-3,
                                                     .rho = 1e-9,
                                                     .patience = 3,
                                                     .growth = 1e3,
                                                     .even = true};

/* The step being solved. */
typedef struct Solve {
	const AbutModel *model;
	AbutIsland *island;
	AbutStepInfo *info;
	bool known; /* a last solution exists */
	bool flies; /* the iterate is now the start from free flight */
} Solve;

typedef struct Row Row;
struct Row {
	const char *name;
	AbutEffort effort; /* smallest effort with which the row is tried */
	bool (*applies)(const Solve *solve);
	void (*start)(Solve *solve); /* sets the iterate; NULL: `follow` makes its own start */
	bool (*follow)(const Solve *solve, const Row *row);
	double boundary;              /* largest step of the path, as a share of the way to the boundary */
	int iterations;               /* most iterations of the path */
	bool at_least;                /* the model's max_iterations replaces `iterations` if larger */
	const AbutPatience *patience; /* NULL: no path */
	double weight;                /* weight w_c of contacts, relative to the formulation's; 0: unchanged */
	double share;                 /* share of friction at the start of a homotopy */
};

static void set_weight(AbutIsland *island, double weight_contact)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		island->problem.contacts[i].scale.weight_contact = weight_contact;
	}
}

/* Ends the step in free flight with a relaxed solution. The motion is exact; only places and normals of contacts
 * without force are relaxed. The semismooth Newton method may lose these along almost parallel faces, and a path could
 * lead to another root, in which a contact presses. */
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

/* Returns 1 + the index of the first body with a shape whose functions failed in this solve, or 0 if there is none. */
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

/* --- when a row applies --- */

static bool is_exact(const Solve *solve)
{
	return solve->model->options.finish == ABUT_FINISH_EXACT;
}

static bool always(const Solve *solve)
{
	(void)solve;
	return true;
}

static bool is_shifted(const Solve *solve)
{
	const AbutSolverOptions *options = &solve->model->options;
	return options->warm_start && options->warm_start_rule == ABUT_WARM_RULE_SHIFTED && solve->known;
}

static bool is_warm(const Solve *solve)
{
	const AbutSolverOptions *options = &solve->model->options;
	return options->warm_start && options->warm_start_rule != ABUT_WARM_RULE_SHIFTED;
}

static bool has_last(const Solve *solve)
{
	return is_warm(solve) && solve->known;
}

static bool has_last_or_flies(const Solve *solve)
{
	return is_warm(solve) && (solve->known || solve->flies);
}

/* Returns whether the island is a long chain, such as a tower, which bends by opening contacts as hinges. A hinge
 * between faces of 1 m may open by 1e-6 m or less, so only the end of the path shows which hinges are open. */
static bool is_long_chain(const Solve *solve)
{
	const AbutContactProblem *problem = &solve->island->problem;
	return has_last_or_flies(solve) && is_exact(solve) && problem->n_contacts > ABUT_SHORTEST_CHAIN &&
	       problem->n_contacts <= ABUT_LONGEST_CHAIN && !abut_stage_redundant(problem);
}

static bool is_small(const Solve *solve)
{
	return solve->island->problem.n_contacts <= ABUT_MOST_BY_DEGREES;
}

static bool is_small_with_friction(const Solve *solve)
{
	const AbutContactProblem *problem = &solve->island->problem;
	for (int i = 0; is_small(solve) && i < problem->n_contacts; i++) {
		if (problem->contacts[i].pair->mu > 0.0) {
			return true;
		}
	}
	return false;
}

/* --- starts --- */

static void start_last(Solve *solve)
{
	abut_step_start_warm(solve->model, solve->island);
}

/* Replaces the iterate by the start from free flight if free flight is the motion of the step; otherwise leaves it
 * unchanged. */
static void start_flight(Solve *solve)
{
	abut_island_keep(solve->island, &solve->island->path);
	solve->flies = abut_step_start_free(solve->model, solve->island);
	if (!solve->flies) {
		abut_island_take_back(solve->island, &solve->island->path);
	}
}

static void start_smoothed(Solve *solve)
{
	abut_step_smooth(solve->island, solve->model->options.kappa);
}

/* Keeps the iterate, to which `straight` returns on failure, and smooths it. */
static void start_chain(Solve *solve)
{
	abut_island_keep(solve->island, &solve->island->path);
	start_smoothed(solve);
}

static void start_shifted(Solve *solve)
{
	abut_step_start_shifted(solve->island);
}

static void start_apart_or_published(Solve *solve)
{
	abut_stage_start_flight(solve->model, solve->island);
}

static void start_cold(Solve *solve)
{
	abut_step_start_cold(solve->island);
}

/* --- from a start to a solution --- */

static bool alone(const Solve *solve, const Row *row)
{
	(void)row;
	return abut_step_fly(solve->model, solve->island, solve->info);
}

/* Solves from the last solution. On failure, leaves a start for the path in the iterate. */
static bool newton(const Solve *solve, const Row *row)
{
	const AbutModel *model = solve->model;
	AbutIsland *island = solve->island;
	AbutStepInfo *info = solve->info;
	(void)row;
	if (!is_exact(solve)) {
		return false;
	}
	AbutExactOptions options = abut_stage_options(model, &abut_exact_from_last, &island->problem);
	bool solved = abut_stage_exact(island, &options, &island->unrest, info);
	if (solved && !abut_stage_thrown_out(island)) {
		return abut_stage_end_at(island, abut_stage_natural(info), info);
	}
	const bool unmet = abut_stage_unmet(island);
	if (!solved && !unmet && abut_stage_natural(info) < ABUT_WORTH_KEEPING * island->unrest) {
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
	if (solved || !(abut_stage_natural(info) < ABUT_WORTH_KEEPING * island->unrest)) {
		abut_step_start_warm(model, island);
	}
	return false;
}

static bool flight(const Solve *solve, const Row *row)
{
	(void)row;
	if (!solve->flies || !is_exact(solve)) {
		return false;
	}
	return (abut_stage_exact(solve->island, &abut_exact_from_last, NULL, solve->info) &&
	        !abut_stage_thrown_out(solve->island) &&
	        abut_stage_end_at(solve->island, abut_stage_natural(solve->info), solve->info)) ||
	       end_flight_relaxed(solve->model, solve->island, solve->info);
}

/* Follows the path of a long chain to its end without trying the finish before. Trying it would raise the 99th
 * percentile of a kicked tower of 64 from 35 iterations to 44. On failure, restores the kept iterate. */
static bool straight(const Solve *solve, const Row *row)
{
	static const double end = ABUT_CHAIN_KAPPA; /* kappa and tolerance */
	AbutIsland *island = solve->island;
	AbutStepInfo *info = solve->info;
	const int iterations = row->iterations + island->problem.n_contacts / ABUT_CONTACTS_PER_ITERATION;
	info->tries++;
	if (abut_stage_path(island, end, end, row->boundary, iterations, row->patience, info) &&
	    abut_stage_finish(solve->model, island, info) && !abut_stage_thrown_out(island)) {
		return abut_stage_end_at(island, abut_stage_natural(info), info);
	}
	abut_island_take_back(island, &island->path);
	return false;
}

static int path_iterations(const Solve *solve, const Row *row)
{
	const int option = solve->model->options.max_iterations;
	return row->at_least && option > row->iterations ? option : row->iterations;
}

static bool finish(const Solve *solve, const Row *row)
{
	return abut_stage_path_and_finish(solve->model, solve->island, row->boundary, path_iterations(solve, row),
	                                  row->patience, solve->info);
}

static bool load(const Solve *solve, const Row *row)
{
	(void)row;
	return abut_stage_by_load(solve->model, solve->island, solve->info);
}

static bool friction(const Solve *solve, const Row *row)
{
	return abut_stage_by_friction(solve->model, solve->island, row->share, solve->info);
}

static bool raised(const Solve *solve, const Row *row)
{
	const double kappa = ABUT_RAISED * solve->model->options.kappa;
	AbutStepInfo *info = solve->info;
	info->tries++;
	if (!abut_stage_path(solve->island, kappa, 0.1 * kappa, row->boundary, row->iterations, row->patience, info)) {
		return false;
	}
	info->kappa = abut_stage_kappa(solve->island, kappa);
	info->outcome = ABUT_OUTCOME_RAISED_KAPPA;
	info->exact = false;
	return true;
}

/* --- the table --- */

#define ROW(NAME, EFFORT, APPLIES, START, FOLLOW)                                                                      \
	.name = #NAME, .effort = ABUT_EFFORT_##EFFORT, .applies = (APPLIES), .start = (START), .follow = (FOLLOW)
#define WARM(BOUNDARY, ITERATIONS) .boundary = (BOUNDARY), .iterations = (ITERATIONS), .patience = &abut_warm_patience
#define COLD(BOUNDARY, ITERATIONS)                                                                                     \
	.boundary = (BOUNDARY), .iterations = (ITERATIONS), .at_least = true, .patience = &abut_cold_patience
static const Row cascade[] = {
    {ROW(alone, QUICK, always, NULL, alone)},
    {ROW(last, QUICK, has_last, start_last, newton)},
    {ROW(flight, QUICK, is_warm, start_flight, flight)},
    {ROW(chain, QUICK, is_long_chain, start_chain, straight), WARM(0.95, ABUT_CHAIN_ITERATIONS)},
    {ROW(smoothed, QUICK, has_last_or_flies, start_smoothed, finish), WARM(0.95, ABUT_WARM_ITERATIONS)},
    {ROW(shifted, QUICK, is_shifted, start_shifted, finish), WARM(0.95, ABUT_WARM_ITERATIONS)},
    {ROW(apart, QUICK, always, start_apart_or_published, finish), COLD(0.95, 0)},
    {ROW(cold, FULL, always, start_cold, finish), COLD(0.8, 60), .weight = 0.1},
    {ROW(load, FULL, is_small, NULL, load)},
    {ROW(friction, FULL, is_small_with_friction, NULL, friction), .share = 0.05},
    {ROW(sticking, FULL, is_small_with_friction, NULL, friction), .share = 100.0},
    {ROW(raised, RAISED, always, start_cold, raised), .boundary = 0.8, .iterations = 60,
     .patience = &abut_cold_patience},
};
#undef ROW
#undef WARM
#undef COLD
enum { n_rows = sizeof cascade / sizeof *cascade };

const char *abut_cascade_row_name(int row)
{
	return row >= 1 && row <= n_rows ? cascade[row - 1].name : NULL;
}

static bool try_row(Solve *solve, const Row *row)
{
	const double weight = solve->model->formulation.weight_contact;
	if (!abut_has(row->name) || !row->applies(solve)) {
		return false;
	}
	if (row->weight > 0.0) {
		set_weight(solve->island, row->weight * weight);
	}
	if (row->start) {
		row->start(solve);
	}
	const bool solved = row->follow(solve, row);
	if (row->weight > 0.0) {
		set_weight(solve->island, weight);
	}
	return solved;
}

static bool finish_again(const void *data)
{
	const Solve *solve = data;
	if (!abut_stage_exact(solve->island, &abut_exact_from_loose_end, NULL, solve->info) ||
	    abut_stage_thrown_out(solve->island)) {
		return false;
	}
	return abut_stage_end_at(solve->island, abut_stage_natural(solve->info), solve->info);
}

/* Tries the rows of one effort. */
static bool try_rows(Solve *solve, AbutEffort effort)
{
	for (int i = 0; i < n_rows; i++) {
		if (cascade[i].effort != effort) {
			continue;
		}
		if (try_row(solve, &cascade[i])) {
			solve->info->row = i + 1;
			if (is_exact(solve) && effort != ABUT_EFFORT_RAISED) {
				abut_step_redirect(solve->island, finish_again, solve, solve->info);
			}
			return true;
		}
		if (abut_stopped(solve->island->stop)) {
			return false;
		}
	}
	return false;
}

void abut_step_solve(const AbutModel *model, AbutIsland *island, AbutEffort effort, AbutStepInfo *info)
{
	Solve solve = {model, island, info, .known = island->warm || island->resume};
	info->outcome = ABUT_OUTCOME_FAILED;
	info->exact = false;
	island->unrest = (double)INFINITY;
	island->doubt_speed = true;
	if (try_rows(&solve, ABUT_EFFORT_QUICK)) {
		return;
	}
	info->broken_body = broken_body(island);
	info->retried = model->options.retry;
	if (!model->options.retry || effort == ABUT_EFFORT_QUICK) {
		return;
	}
	island->doubt_speed = false;
	if (try_rows(&solve, ABUT_EFFORT_FULL) ||
	    (effort == ABUT_EFFORT_RAISED && try_rows(&solve, ABUT_EFFORT_RAISED))) {
		return;
	}
	info->exact = false;
	info->outcome = ABUT_OUTCOME_FAILED;
	info->broken_body = broken_body(island);
}
