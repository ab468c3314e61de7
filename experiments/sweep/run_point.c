#include "experiments/sweep/run_point.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "experiments/sweep/axis.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/measures.h"
#include "io/csv.h"
#include "io/number.h"

const char *const abut_run_outcome_names[] = {"done", "failed", "refused"};

/* The columns beside the axes. */
static const char *const before_axes[] = {"run"};
static const char *const after_axes[] = {"seed",
                                         "outcome",
                                         "steps_asked",
                                         "steps",
                                         "failed_steps",
                                         "first_failed_step",
                                         "exact_steps",
                                         "relaxed_steps",
                                         "retried_steps",
                                         "halved_steps",
                                         "raised_kappa_steps",
                                         "iterations_mean",
                                         "iterations_max",
                                         "max_penetration",
                                         "violation",
                                         "max_residual",
                                         "max_complementarity",
                                         "energy_drift",
                                         "momentum_x",
                                         "momentum_y",
                                         "momentum_z",
                                         "spin_x",
                                         "spin_y",
                                         "spin_z",
                                         "final_time",
                                         "state_digest",
                                         "message"};
static const char *const of_times[] = {"step_time_us_median", "step_time_us_mean", "wall_time_s", "setup_time_s"};

enum {
	N_AFTER = sizeof after_axes / sizeof *after_axes,
	N_TIMES = sizeof of_times / sizeof *of_times,
	N_MEASURED = N_AFTER - 3 /* without seed, outcome and message */
};

bool abut_sweep_is_column(const char *name)
{
	bool found = strcmp(name, before_axes[0]) == 0;
	for (int i = 0; i < N_AFTER; i++) {
		found |= strcmp(name, after_axes[i]) == 0;
	}
	for (int i = 0; i < N_TIMES; i++) {
		found |= strcmp(name, of_times[i]) == 0;
	}
	return found;
}

void abut_sweep_write_results_header(const AbutSweep *sweep, FILE *file)
{
	fputs(before_axes[0], file);
	for (int i = 0; i < sweep->n_axes; i++) {
		fputc(',', file);
		abut_csv_write_text(file, sweep->axes[i].name);
	}
	for (int i = 0; i < N_AFTER; i++) {
		fprintf(file, ",%s", after_axes[i]);
	}
	fputc('\n', file);
}

void abut_sweep_write_times_header(FILE *file)
{
	fputs(before_axes[0], file);
	for (int i = 0; i < N_TIMES; i++) {
		fprintf(file, ",%s", of_times[i]);
	}
	fputc('\n', file);
}

/* What came out of a run. */
typedef struct Result {
	AbutRunOutcome outcome;
	AbutRunSummary summary;
	AbutSweepMeasures measures;
	uint64_t state_digest;
	double setup_time_s;
	char message[768];
} Result;

/* Everything that a run holds; all of it may be NULL. */
typedef struct Job {
	AbutScene *scene;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} Job;

static void close_job(Job *job)
{
	abut_workspace_destroy(job->workspace);
	abut_state_destroy(job->state);
	abut_model_destroy(job->model);
	abut_scene_destroy(job->scene);
}

static AbutStatus open_scene(const AbutSweep *sweep, long run, AbutScene **scene, AbutError *error)
{
	AbutSweepPoint point;
	AbutStatus status = abut_sweep_point_of_run(sweep, run, &point, error);
	if (status == ABUT_OK) {
		status = abut_sweep_point_scene(&point, scene, error);
		abut_sweep_point_free(&point);
	}
	return status;
}

static AbutStatus open_job(const AbutSweep *sweep, long run, pthread_mutex_t *reading, Job *job, AbutError *error)
{
	pthread_mutex_lock(reading);
	AbutStatus status = open_scene(sweep, run, &job->scene, error);
	pthread_mutex_unlock(reading);
	if (status == ABUT_OK) {
		status = abut_model_create(abut_scene_def(job->scene), &job->model, error);
	}
	if (status == ABUT_OK) {
		status = abut_state_create(job->model, &job->state, error);
	}
	if (status == ABUT_OK) {
		status = abut_workspace_create(job->model, &job->workspace, error);
	}
	return status;
}

/* The message of a run: on one line, without what would break a table. */
static void set_message(Result *result, const char *where, const char *message)
{
	snprintf(result->message, sizeof result->message, "%s%s%s", where, where[0] ? ": " : "", message);
	for (char *c = result->message; *c; c++) {
		*c = (char)((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c);
	}
}

static AbutStatus simulate(Job *job, Result *result, AbutError *error)
{
	const AbutRunObserver observer = {abut_sweep_observe, &result->measures, false};
	const AbutStatus status =
	    abut_run(job->model, job->state, job->workspace, abut_run_steps(abut_scene_def(job->scene)), &observer, 1,
	             &result->summary, error);
	if (status == ABUT_OK) {
		result->outcome = result->summary.failed_steps > 0 ? ABUT_RUN_FAILED : ABUT_RUN_DONE;
		result->state_digest = abut_sweep_state_digest(job->model, job->state);
		set_message(result, "", result->summary.failure);
	}
	return status;
}

static AbutStatus make_result(const AbutSweep *sweep, long run, pthread_mutex_t *reading, Result *result,
                              AbutError *error)
{
	Job job = {NULL};
	const double start = abut_now_us();
	AbutStatus status = open_job(sweep, run, reading, &job, error);
	result->setup_time_s = 1e-6 * (abut_now_us() - start);
	if (status == ABUT_OK) {
		status = simulate(&job, result, error);
	}
	close_job(&job);
	if (status != ABUT_OK && status != ABUT_ERROR_MEMORY) {
		result->outcome = ABUT_RUN_REFUSED;
		set_message(result, error->where, error->message);
		return ABUT_OK;
	}
	return status;
}

static void write_numbers(FILE *file, const double *values, int n, bool known)
{
	char text[ABUT_NUMBER_SIZE];
	for (int i = 0; i < n; i++) {
		fprintf(file, ",%s", known ? abut_number_text(values[i], text) : "");
	}
}

static void write_counts(FILE *file, const long *values, int n, bool known)
{
	for (int i = 0; i < n; i++) {
		if (known) {
			fprintf(file, ",%ld", values[i]);
		} else {
			fputc(',', file);
		}
	}
}

static void write_results(const AbutSweep *sweep, long run, const Result *result, FILE *file)
{
	const AbutRunSummary *summary = &result->summary;
	const AbutSweepMeasures *measures = &result->measures;
	const bool known = result->outcome != ABUT_RUN_REFUSED;
	const long counts[] = {summary->steps_asked,       summary->steps,        summary->failed_steps,
	                       summary->first_failed_step, summary->exact_steps,  summary->relaxed_steps,
	                       summary->retried_steps,     summary->halved_steps, summary->raised_kappa_steps};
	const long iterations_max[] = {summary->iterations_max};
	const double numbers[] = {
	    summary->max_penetration, measures->violation,   summary->max_residual, summary->max_complementarity,
	    summary->energy_drift,    measures->momentum[0], measures->momentum[1], measures->momentum[2],
	    measures->spin[0],        measures->spin[1],     measures->spin[2],     summary->final_time};
	enum { N_COUNTS = sizeof counts / sizeof *counts, N_NUMBERS = sizeof numbers / sizeof *numbers };
	_Static_assert(N_COUNTS + 2 + N_NUMBERS + 1 == N_MEASURED, "a column and its name go together");
	fprintf(file, "%ld", run);
	for (int i = 0; i < sweep->n_axes; i++) {
		fputc(',', file);
		abut_csv_write_text(file, sweep->axes[i].values[abut_sweep_coordinate(sweep, run, i)].label);
	}
	fprintf(file, ",%llu,%s", abut_sweep_seed(sweep, run), abut_run_outcome_names[result->outcome]);
	write_counts(file, counts, N_COUNTS, known);
	write_numbers(file, &summary->iterations_mean, 1, known);
	write_counts(file, iterations_max, 1, known);
	write_numbers(file, numbers, N_NUMBERS, known);
	if (known) {
		fprintf(file, ",%016" PRIx64 ",", result->state_digest);
	} else {
		fputs(",,", file);
	}
	abut_csv_write_text(file, result->message);
	fputc('\n', file);
}

static void write_times(const AbutSweep *sweep, long run, const Result *result, FILE *file)
{
	(void)sweep;
	const double numbers[] = {result->summary.step_time_us_median, result->summary.step_time_us_mean,
	                          result->summary.wall_time_s, result->setup_time_s};
	_Static_assert(sizeof numbers / sizeof *numbers == N_TIMES, "a column and its name go together");
	fprintf(file, "%ld", run);
	write_numbers(file, numbers, N_TIMES, true);
	fputc('\n', file);
}

typedef void WriteRow(const AbutSweep *sweep, long run, const Result *result, FILE *file);

/* The row as text; the caller's, NULL when out of memory. */
static char *row_text(WriteRow *write, const AbutSweep *sweep, long run, const Result *result)
{
	char *text = NULL;
	size_t length = 0;
	FILE *file = open_memstream(&text, &length);
	if (!file) {
		return NULL;
	}
	write(sweep, run, result, file);
	if (fclose(file) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

AbutStatus abut_sweep_run_point(const AbutSweep *sweep, long run, pthread_mutex_t *reading, AbutSweepRows *rows,
                                AbutError *error)
{
	Result result = {.outcome = ABUT_RUN_DONE};
	*rows = (AbutSweepRows){ABUT_RUN_DONE, NULL, NULL};
	const AbutStatus status = make_result(sweep, run, reading, &result, error);
	if (status != ABUT_OK) {
		return status;
	}
	*rows = (AbutSweepRows){result.outcome, row_text(write_results, sweep, run, &result),
	                        row_text(write_times, sweep, run, &result)};
	if (!rows->results || !rows->times) {
		free(rows->results);
		free(rows->times);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the rows of a run");
	}
	return ABUT_OK;
}
