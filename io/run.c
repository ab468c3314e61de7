/* The run loop. */
#include "io/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "io/samples.h"

long abut_run_steps(const AbutSceneDef *def)
{
	const double steps = floor(def->duration / def->timestep + 0.5);
	return steps < 1.0 ? 1 : (long)steps;
}

static void count(AbutRunSummary *summary, const AbutStepInfo *info, double step_time_us)
{
	const double n = (double)++summary->steps;
	const bool raised = info->outcome == ABUT_OUTCOME_RAISED_KAPPA;
	const bool unsolved = info->outcome == ABUT_OUTCOME_FAILED;
	summary->exact_steps += info->exact && !unsolved;
	summary->relaxed_steps += info->outcome == ABUT_OUTCOME_RELAXED;
	if (info->outcome == ABUT_OUTCOME_RELAXED && summary->first_relaxed_step == 0) {
		summary->first_relaxed_step = summary->steps;
	}
	summary->retried_steps += info->retried && !unsolved;
	summary->halved_steps += info->halvings > 0 && !unsolved;
	summary->raised_kappa_steps += raised;
	summary->failed_steps += raised || unsolved;
	summary->ended_early = unsolved;
	summary->iterations_mean += (info->iterations - summary->iterations_mean) / n;
	summary->iterations_max =
	    info->iterations > summary->iterations_max ? info->iterations : summary->iterations_max;
	summary->step_time_us_mean += (step_time_us - summary->step_time_us_mean) / n;
	summary->max_penetration = fmax(summary->max_penetration, info->max_penetration);
	summary->max_residual = fmax(summary->max_residual, info->residual);
	summary->max_complementarity = fmax(summary->max_complementarity, info->complementarity);
}

/* Notes why the step just counted failed, when it did. A raised step has moved the state on: what is noted then is the
 * kappa, unless the motion is still too fast. */
static void explain(AbutRunSummary *summary, const AbutModel *model, const AbutState *state, const AbutStepInfo *info)
{
	if (info->outcome != ABUT_OUTCOME_RAISED_KAPPA && info->outcome != ABUT_OUTCOME_FAILED) {
		return;
	}
	if (summary->first_failed_step == 0) {
		summary->first_failed_step = summary->steps;
		abut_step_explain(model, state, info, summary->failure, sizeof summary->failure);
	}
	if (summary->ended_early) {
		abut_step_explain(model, state, info, summary->ending, sizeof summary->ending);
	}
}

static AbutStatus observe(const AbutRunObserver *observers, int n, const AbutRunView *view, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		status = observers[i].observe(observers[i].context, view, error);
	}
	return status;
}

static bool any_wants_log(const AbutRunObserver *observers, int n)
{
	for (int i = 0; i < n; i++) {
		if (observers[i].wants_log) {
			return true;
		}
	}
	return false;
}

/* The room that a run needs. */
typedef struct Scratch {
	AbutSamples times;
	AbutIteration log[ABUT_RUN_LOG_CAPACITY];
} Scratch;

AbutStatus abut_run(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, long steps,
                    const AbutRunObserver *observers, int n_observers, AbutRunSummary *summary, AbutError *error)
{
	Scratch *scratch = malloc(sizeof *scratch);
	if (!scratch) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the run");
	}
	abut_samples_init(&scratch->times);
	memset(summary, 0, sizeof *summary);
	summary->steps_asked = steps;
	const double energy = abut_state_energy(model, state), start = abut_now_us();
	AbutStepInfo info = {0};
	if (any_wants_log(observers, n_observers)) {
		info.log = (AbutIterationLog){scratch->log, ABUT_RUN_LOG_CAPACITY, 0};
	}
	AbutRunView view = {model, state, workspace, NULL, 0, steps};
	AbutStatus status = observe(observers, n_observers, &view, error);
	while (status == ABUT_OK && view.step < steps && !summary->ended_early) {
		const double before = abut_now_us();
		status = abut_step(model, state, workspace, &info);
		const double step_time = abut_now_us() - before;
		view.step++;
		view.info = &info;
		if (status != ABUT_OK) {
			abut_error_set(error, status, NULL, "step %ld was refused: %s", view.step,
			               abut_status_name(status));
			break;
		}
		count(summary, &info, step_time);
		explain(summary, model, state, &info);
		abut_samples_add(&scratch->times, step_time);
		status = observe(observers, n_observers, &view, error);
	}
	summary->wall_time_s = 1e-6 * (abut_now_us() - start);
	summary->step_time_us_median = abut_samples_median(&scratch->times);
	summary->energy_drift = abut_state_energy(model, state) - energy;
	summary->final_time = abut_state_time(state);
	free(scratch);
	return status;
}
