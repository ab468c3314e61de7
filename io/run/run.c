/* Takes the steps of a run and summarises them. */
#include "io/run/run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/vec3.h"
#include "io/text/file_text.h"
#include "io/text/samples.h"

long abut_run_steps(const AbutSceneDef *def)
{
	const double steps = floor(def->duration / def->timestep + 0.5);
	return steps < 1.0 ? 1 : (long)steps;
}

static void count(AbutRunSummary *summary, const AbutStepInfo *info)
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
	summary->iterations_mean += (info->iterations - summary->iterations_mean) / n;
	summary->iterations_max = abut_max_int(summary->iterations_max, info->iterations);
	summary->max_penetration = fmax(summary->max_penetration, info->max_penetration);
	AbutRunJointErrors *joints = &summary->joint_errors;
	if (!unsolved) {
		joints->violation_m = fmax(joints->violation_m, info->joint_violation_m);
		joints->violation_rad = fmax(joints->violation_rad, info->joint_violation_rad);
		joints->limit = fmax(joints->limit, info->limit_violation);
	}
	/* a diverged solve has no number, but files do */
	summary->max_residual = fmax(summary->max_residual, fmin(info->residual, DBL_MAX));
	summary->max_complementarity = fmax(summary->max_complementarity, fmin(info->complementarity, DBL_MAX));
}

/* Records why the last step failed, if it did. A raised step has already advanced the state; the reason recorded is
 * then the larger kappa, unless the motion is still too fast. */
static void explain(AbutRunSummary *summary, const AbutModel *model, const AbutState *state, const AbutStepInfo *info)
{
	if (info->outcome != ABUT_OUTCOME_RAISED_KAPPA && info->outcome != ABUT_OUTCOME_FAILED) {
		return;
	}
	if (summary->first_failed_step == 0) {
		summary->first_failed_step = summary->steps;
		abut_step_explain(model, state, info, summary->failure, sizeof summary->failure);
	}
	if (info->outcome == ABUT_OUTCOME_FAILED) {
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

/* Working memory of a run. */
typedef struct Work {
	const AbutRunPlan *plan;
	const AbutRunObserver *observers;
	int n_observers;
	AbutRunView view;
	AbutStepInfo info;
	double time_sum; /* us, total of the steps taken by this call */
	AbutSamples times;
	AbutIteration log[ABUT_RUN_LOG_CAPACITY];
} Work;

static AbutStatus take_step(Work *work, AbutState *state, AbutWorkspace *workspace, AbutRunSummary *summary,
                            AbutError *error)
{
	const AbutModel *model = work->view.model;
	const AbutRunPlan *plan = work->plan;
	if (plan->drive) {
		ABUT_TRY(plan->drive(plan->driver, model, state, work->view.step + 1, error));
	}
	const double before = abut_now_us();
	const AbutStatus status = abut_step(model, state, workspace, &work->info);
	const double step_time = abut_now_us() - before;
	if (status == ABUT_ERROR_STOPPED) {
		summary->interrupted = true;
		return ABUT_OK;
	}
	work->view.step++;
	work->view.info = &work->info;
	if (status != ABUT_OK) {
		return abut_error_set(error, status, NULL, "step %ld was refused: %s", work->view.step,
		                      abut_status_name(status));
	}
	count(summary, &work->info);
	explain(summary, model, state, &work->info);
	work->time_sum += step_time;
	abut_samples_add(&work->times, step_time);
	return observe(work->observers, work->n_observers, &work->view, error);
}

static void begin_summary(const AbutRunPlan *plan, const AbutModel *model, const AbutState *state,
                          AbutRunSummary *summary)
{
	if (plan->from) {
		*summary = *plan->from;
	} else {
		memset(summary, 0, sizeof *summary);
		summary->energy_start = abut_state_energy(model, state);
	}
	summary->steps_asked = plan->steps;
	summary->interrupted = false;
}

static void end_summary(Work *work, const AbutState *state, double start, AbutRunSummary *summary)
{
	const long taken = work->times.seen;
	summary->wall_time_s = 1e-6 * (abut_now_us() - start);
	summary->step_time_us_mean = taken > 0 ? work->time_sum / (double)taken : 0.0;
	summary->step_time_us_median = abut_samples_median(&work->times);
	summary->energy_drift = abut_state_energy(work->view.model, state) - summary->energy_start;
	summary->final_time = abut_state_time(state);
}

static bool is_signalled(void *context)
{
	const volatile sig_atomic_t *const *signal = context;
	return **signal != 0;
}

AbutStatus abut_run_planned(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, const AbutRunPlan *plan,
                            const AbutRunObserver *observers, int n_observers, AbutRunSummary *summary,
                            AbutError *error)
{
	Work *const work = malloc(sizeof *work);
	if (!work) {
		return abut_fail_memory(error, "the run");
	}
	begin_summary(plan, model, state, summary);
	work->plan = plan;
	work->observers = observers;
	work->n_observers = n_observers;
	work->view = (AbutRunView){model, state, workspace, NULL, summary->steps, plan->steps, summary};
	work->info = (AbutStepInfo){0};
	work->time_sum = 0.0;
	abut_samples_init(&work->times);
	if (any_wants_log(observers, n_observers)) {
		work->info.log = (AbutIterationLog){work->log, ABUT_RUN_LOG_CAPACITY, 0};
	}
	const volatile sig_atomic_t *signal = plan->stop;
	const AbutStop stop = {is_signalled, &signal};
	if (plan->stop) {
		abut_workspace_set_stop(workspace, &stop);
	}
	const double start = abut_now_us();
	AbutStatus status = observe(observers, n_observers, &work->view, error);
	while (status == ABUT_OK && work->view.step < plan->steps && !summary->ending[0] && !summary->interrupted) {
		summary->interrupted = plan->stop && *plan->stop != 0;
		if (!summary->interrupted) {
			status = take_step(work, state, workspace, summary, error);
		}
	}
	if (plan->stop) {
		abut_workspace_set_stop(workspace, NULL);
	}
	end_summary(work, state, start, summary);
	free(work);
	return status;
}

AbutStatus abut_run(const AbutModel *model, AbutState *state, AbutWorkspace *workspace, long steps,
                    const AbutRunObserver *observers, int n_observers, AbutRunSummary *summary, AbutError *error)
{
	const AbutRunPlan plan = {.steps = steps};
	return abut_run_planned(model, state, workspace, &plan, observers, n_observers, summary, error);
}
