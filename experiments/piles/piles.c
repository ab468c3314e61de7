/* Runs a tray with many hulls, and towers of 54 blocks: at rest, with a block pushed out of the middle, and with only
 * one block at the side, which must fall. */
#include <math.h>
#include <string.h>

#include "experiments/suite/experiment.h"
#include "experiments/suite/scenes.h"

/* Heights of the last body of the scene, the top of a tower. */
typedef struct Top {
	double start, end; /* m */
} Top;

static void watch(void *context, const AbutRunView *view)
{
	Top *top = context;
	AbutBodyState state;
	abut_state_get_body(view->model, view->state, abut_model_body_count(view->model) - 1, &state);
	top->end = state.position[2];
	if (view->step == 0) {
		top->start = top->end;
	}
}

static void judge(void *context, const AbutSceneCase *done, const AbutTried *tried, AbutReport *report)
{
	static const double stays = 1e-3; /* m */
	const Top *top = context;
	const double sunk = top->start - top->end;
	const bool tower = strncmp(done->scene, "tower", 5) == 0, falls = strstr(done->scene, "one block") != NULL;
	const bool right = !tower || (falls ? sunk > 0.1 * top->start : fabs(sunk) < stays);
	abut_report_target(
	    report, tried->summary.failed_steps == 0 && right,
	    "%s, kappa %.0e, finish %s, %g Hz: %ld of %ld steps failed, none allowed%s%s; %.3g us a step, median %.3g",
	    done->scene, done->kappa, abut_finish_name(done->finish), done->rate, tried->summary.failed_steps,
	    tried->summary.steps, tower ? "; it must " : "",
	    tower ? falls   ? right ? "fall and does" : "fall and does not"
	            : right ? "stand and does"
	                    : "stand and does not"
	          : "",
	    tried->summary.step_time_us_mean, tried->summary.step_time_us_median);
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Top top = {0.0, 0.0};
	const AbutSceneStudy study = {
	    .name = "piles", .title = "Piles and towers", .judge = judge, .watch = watch, .context = &top};
	return abut_scenes_run(run, &study, report, error);
}

const AbutExperiment abut_experiment_piles = {"piles", "piles", "Twenty hulls in a tray, and towers of 54 blocks",
                                              execute};
