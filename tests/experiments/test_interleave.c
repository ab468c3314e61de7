/* Tests solvers that take the steps of the same falls in turn: each takes the same steps as alone. */
#include <criterion/criterion.h>

#include "dynamics/step/workspace.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/load.h"
#include "experiments/sweep/spec_parts.h"
#include "experiments/timing/interleave.h"
#include "io/run/run.h"

static AbutSweep *load(void)
{
	AbutSweep *sweep = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_sweep_load(ABUT_SOURCE_DIR "/experiments/timing/quick.json", NULL, &sweep, &error), ABUT_OK,
	             "%s: %s", error.where, error.message);
	return sweep;
}

/* Runs one point of the grid alone. */
static AbutRunSummary run_alone(const AbutSweep *sweep, const int *values, unsigned long long seed)
{
	AbutSweepPoint point;
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutRunSummary summary;
	cr_assert_eq(abut_sweep_point_make(sweep, values, seed, &point, NULL), ABUT_OK);
	cr_assert_eq(abut_sweep_point_scene(&point, &scene, NULL), ABUT_OK);
	const AbutSceneDef *def = abut_scene_def(scene);
	cr_assert_eq(abut_model_create(def, &model, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	cr_assert_eq(abut_run(model, state, workspace, abut_run_steps(def), NULL, 0, &summary, NULL), ABUT_OK);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	abut_sweep_point_free(&point);
	return summary;
}

Test(interleave, steps_are_those_of_each_solver_alone)
{
	AbutSweep *sweep = load();
	for (int scene = 0; scene < sweep->axes[ABUT_SWEEP_SCENE_AXIS].count; scene++) {
		AbutTimedRows rows;
		AbutError error = {0};
		cr_assert_eq(abut_timed_rows_create(sweep, scene, &rows, &error), ABUT_OK);
		cr_assert_eq(rows.count, 4);
		for (unsigned long long seed = 0; seed < 3; seed++) {
			const long from = rows.rows[0].count;
			cr_assert_eq(abut_timed_fall(sweep, seed, &rows, &error), ABUT_OK, "%s", error.message);
			for (int i = 0; i < rows.count; i++) {
				const AbutRunSummary alone = run_alone(sweep, rows.rows[i].values, seed);
				/* Compares up to the failed step; a run alone ends there. */
				long iterations = 0, steps = 0;
				while (steps < alone.steps) {
					iterations += rows.rows[i].steps[from + steps++].iterations;
				}
				cr_expect_eq(rows.rows[i].count - from, 150);
				cr_expect_float_eq((double)iterations, alone.iterations_mean * (double)alone.steps,
				                   1e-6, "scene %d, seed %llu, row %d", scene, seed, i);
				cr_expect_eq(rows.rows[i].steps[from + steps - 1].failed, alone.failed_steps > 0,
				             "scene %d, seed %llu, row %d", scene, seed, i);
			}
		}
		abut_timed_rows_free(&rows);
	}
	abut_sweep_destroy(sweep);
}
