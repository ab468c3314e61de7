#include "experiments/stacking/house.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "experiments/sweep/grid.h"
#include "io/run.h"

/* One house; all of it may be NULL. */
typedef struct House {
	AbutScene *scene;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} House;

static void close_house(House *house)
{
	abut_workspace_destroy(house->workspace);
	abut_state_destroy(house->state);
	abut_model_destroy(house->model);
	abut_scene_destroy(house->scene);
}

/* `*refused`: the library does not take the scene with this method. */
static AbutStatus open_house(const AbutSweep *sweep, long run, House *house, bool *refused, AbutError *error)
{
	AbutSweepPoint point;
	*house = (House){NULL, NULL, NULL, NULL};
	AbutStatus status = abut_sweep_point_of_run(sweep, run, &point, error);
	if (status != ABUT_OK) {
		return status;
	}
	status = abut_sweep_point_scene(&point, &house->scene, error);
	abut_sweep_point_free(&point);
	if (status == ABUT_OK) {
		status = abut_model_create(abut_scene_def(house->scene), &house->model, error);
		*refused = status != ABUT_OK && status != ABUT_ERROR_MEMORY;
	}
	if (status == ABUT_OK) {
		status = abut_state_create(house->model, &house->state, error);
	}
	if (status == ABUT_OK) {
		status = abut_workspace_create(house->model, &house->workspace, error);
	}
	return *refused ? ABUT_OK : status;
}

static double height(const House *house, int body)
{
	AbutBodyState at;
	abut_state_get_body(house->model, house->state, body, &at);
	return at.position[2];
}

/* Whether a card is at less than half the height that the scene gave it. */
static bool has_fallen(const House *house)
{
	const AbutSceneDef *def = abut_scene_def(house->scene);
	for (int i = 0; i < def->n_bodies; i++) {
		if (!def->bodies[i].is_static && height(house, i) < 0.5 * def->bodies[i].position[2]) {
			return true;
		}
	}
	return false;
}

/* Adds sums; the cells are divided when all is done. */
static AbutStatus watch(const House *house, AbutGridCell *cell, AbutError *error)
{
	const long steps = abut_run_steps(abut_scene_def(house->scene));
	bool ended = false, failed = false;
	for (long k = 0; k < steps && !ended; k++) {
		AbutStepInfo info = {.outcome = ABUT_OUTCOME_FAILED};
		const double begun = abut_now_us();
		const AbutStatus status = abut_step(house->model, house->state, house->workspace, &info);
		if (status != ABUT_OK) {
			return abut_error_set(error, status, NULL, "a step was refused: %s", abut_status_name(status));
		}
		cell->us += abut_now_us() - begun;
		cell->steps += 1.0;
		cell->iterations += info.iterations;
		failed = info.outcome > ABUT_OUTCOME_RELAXED;
		cell->penetration = info.max_penetration > cell->penetration ? info.max_penetration : cell->penetration;
		ended = failed || has_fallen(house);
	}
	cell->failed += failed;
	cell->value += abut_state_time(house->state);
	return ABUT_OK;
}

static AbutStatus make_run(AbutPanels *panels, long run, AbutError *error)
{
	AbutGridCell *cell = abut_panels_cell_of(panels, run);
	House house;
	bool refused = false;
	AbutStatus status = open_house(panels->grid->sweep, run, &house, &refused, error);
	cell->runs++;
	cell->refused += refused;
	if (status == ABUT_OK && !refused) {
		status = watch(&house, cell, error);
	}
	close_house(&house);
	return status;
}

AbutStatus abut_house_run(const AbutExperimentRun *run, AbutGridShare share, AbutPanels *panels, AbutError *error)
{
	const long n = abut_sweep_run_count(panels->grid->sweep);
	for (long i = 0; i < n; i++) {
		const AbutStatus status = make_run(panels, i, error);
		if (status != ABUT_OK) {
			return status;
		}
		if (run->progress) {
			run->progress(run->context, share.from + (share.to - share.from) * (double)(i + 1) / (double)n);
		}
	}
	for (int i = 0; i < panels->cells.count; i++) {
		AbutGridCell *cell = &panels->cells.cells[i];
		cell->iterations /= cell->steps;
		cell->us /= cell->steps;
		cell->value /= (double)(cell->runs - cell->refused);
	}
	return ABUT_OK;
}
