/* Measures the time of a step of a block that falls on the floor, single-level and bilevel (the single-level paper,
 * figure 11). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"
#include "experiments/sweep/load.h"
#include "experiments/sweep/spec_parts.h"
#include "experiments/timing/interleave.h"

enum { PER_DECADE = 10, DECADES = 7, BINS = PER_DECADE * DECADES, LABEL_SIZE = 96 };

static const double lowest_us = 0.01; /* lower end of the first bin, us */

typedef struct Times {
	double mean, median, p99, contact_mean, contact_median; /* us */
	double iterations;
	long steps, contacts, failed;
} Times;

/* Return the mean and a quantile of n values. The latter sorts them. */
static double mean(const double *values, long n)
{
	double sum = 0.0;
	for (long i = 0; i < n; i++) {
		sum += values[i];
	}
	return n > 0 ? sum / (double)n : (double)NAN;
}

static double quantile(double *values, long n, double share)
{
	abut_sort_numbers(values, (size_t)n);
	return n > 0 ? values[(long)(share * (double)(n - 1))] : (double)NAN;
}

static AbutStatus sum_up(const AbutTimedRow *row, Times *out, AbutError *error)
{
	double *all = malloc(((size_t)row->count + 1) * sizeof *all);
	double *contact = malloc(((size_t)row->count + 1) * sizeof *contact);
	*out = (Times){.steps = row->count};
	if (!all || !contact) {
		free(all);
		free(contact);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the times");
	}
	for (long i = 0; i < row->count; i++) {
		const AbutTimedStep *step = &row->steps[i];
		all[i] = step->us;
		if (step->contact) {
			contact[out->contacts++] = step->us;
		}
		out->failed += step->failed;
		out->iterations += step->iterations;
	}
	out->iterations /= (double)row->count;
	out->mean = mean(all, row->count);
	out->median = quantile(all, row->count, 0.5);
	out->p99 = quantile(all, row->count, 0.99);
	out->contact_mean = mean(contact, out->contacts);
	out->contact_median = quantile(contact, out->contacts, 0.5);
	free(all);
	free(contact);
	return ABUT_OK;
}

static const char *label(const AbutSweep *sweep, const AbutTimedRow *row, char out[LABEL_SIZE])
{
	size_t n = 0;
	out[0] = '\0';
	for (int axis = 1; axis < sweep->n_axes && n < LABEL_SIZE; axis++) {
		n += (size_t)snprintf(out + n, LABEL_SIZE - n, "%s%s", axis > 1 ? " " : "",
		                      sweep->axes[axis].values[row->values[axis]].label);
	}
	return out;
}

/* Returns the row of the first method whose other values are those of row `index`. */
static int counterpart(const AbutSweep *sweep, int index)
{
	int others = 1;
	for (int axis = ABUT_SWEEP_METHOD_AXIS + 1; axis < sweep->n_axes; axis++) {
		others *= sweep->axes[axis].count;
	}
	return index % others;
}

static void add_row(const AbutSweep *sweep, const AbutTimedRows *rows, int index, const Times *times, AbutTable *table)
{
	const Times *row = &times[index];
	char text[LABEL_SIZE];
	abut_table_text(table, sweep->axes[ABUT_SWEEP_SCENE_AXIS].values[rows->scene].label);
	abut_table_text(table, label(sweep, &rows->rows[index], text));
	ABUT_NUMBERS(table, (double)row->steps, (double)row->contacts, (double)row->failed, row->iterations);
	ABUT_NUMBERS(table, row->median, row->mean, row->p99, row->contact_median, row->contact_mean);
	const Times *same = &times[counterpart(sweep, index)];
	ABUT_NUMBERS(table, row->mean / times->mean, row->contact_mean / times->contact_mean,
	             row->contact_mean / same->contact_mean);
}

/* Adds a histogram of step times, with a column for each row. */
static void add_histogram(const AbutSweep *sweep, const AbutTimedRows *rows, AbutReport *report)
{
	char name[32], text[LABEL_SIZE];
	snprintf(name, sizeof name, "histogram_%d", rows->scene);
	AbutTable *table = abut_report_data(report, name, sweep->axes[ABUT_SWEEP_SCENE_AXIS].values[rows->scene].label);
	abut_table_column(table, "from_us", "from, us", 4);
	for (int i = 0; i < rows->count; i++) {
		abut_table_column(table, label(sweep, &rows->rows[i], text), text, 4);
	}
	for (int bin = 0; bin < BINS; bin++) {
		const double from = lowest_us * pow(10.0, (double)bin / PER_DECADE);
		const double to = lowest_us * pow(10.0, (double)(bin + 1) / PER_DECADE);
		abut_table_number(table, from);
		for (int i = 0; i < rows->count; i++) {
			const AbutTimedRow *row = &rows->rows[i];
			long n = 0;
			for (long k = 0; k < row->count; k++) {
				n += row->steps[k].us >= from && row->steps[k].us < to;
			}
			abut_table_number(table, (double)n / (double)row->count);
		}
	}
}

/* Adds the ratios that the paper's figure shows. */
static void add_ratios(const AbutSweep *sweep, const AbutTimedRows *rows, const Times *times, AbutReport *report)
{
	const char *scene = sweep->axes[ABUT_SWEEP_SCENE_AXIS].values[rows->scene].label;
	for (int i = 0; i < rows->count; i++) {
		const int same = counterpart(sweep, i);
		char text[LABEL_SIZE], first[LABEL_SIZE];
		if (same == i) {
			continue;
		}
		abut_report_result(report,
		                   "%s: %s takes %.1f times as long as %s on average (published: 30); in contact %.1f "
		                   "times, and %.1f times as long as that method with the same algebra",
		                   scene, label(sweep, &rows->rows[i], text), times[i].mean / times[0].mean,
		                   label(sweep, &rows->rows[0], first), times[i].contact_mean / times[0].contact_mean,
		                   times[i].contact_mean / times[same].contact_mean);
	}
}

static AbutStatus fill_report(const AbutSweep *sweep, const AbutTimedRows *rows, AbutTable *table, AbutReport *report,
                              AbutError *error)
{
	Times *times = calloc((size_t)rows->count, sizeof *times);
	if (!times) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the times");
	}
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < rows->count; i++) {
		status = sum_up(&rows->rows[i], &times[i], error);
	}
	for (int i = 0; status == ABUT_OK && i < rows->count; i++) {
		add_row(sweep, rows, i, times, table);
	}
	if (status == ABUT_OK) {
		add_histogram(sweep, rows, report);
		add_ratios(sweep, rows, times, report);
	}
	free(times);
	return status;
}

static AbutStatus time_scene(const AbutExperimentRun *run, const AbutSweep *sweep, int scene, AbutTable *table,
                             AbutReport *report, AbutError *error)
{
	const int n_scenes = sweep->axes[ABUT_SWEEP_SCENE_AXIS].count;
	const long n_seeds = sweep->seed_count;
	AbutTimedRows rows;
	AbutStatus status = abut_timed_rows_create(sweep, scene, &rows, error);
	for (long i = 0; status == ABUT_OK && i < n_seeds; i++) {
		status = abut_timed_fall(sweep, sweep->first_seed + (unsigned long long)i, &rows, error);
		abut_experiment_progress(run, ((double)scene + (double)(i + 1) / (double)n_seeds) / (double)n_scenes);
	}
	ABUT_THEN(status, fill_report(sweep, &rows, table, report, error));
	abut_timed_rows_free(&rows);
	return status;
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"case", "case", 0},
	    {"solver", "solver", 0},
	    {"steps", "steps", 6},
	    {"contact_steps", "in contact", 6},
	    {"failed_steps", "failed", 6},
	    {"iterations_mean", "itera- tions", 3},
	    {"us_median", "median, us", 3},
	    {"us_mean", "mean, us", 3},
	    {"us_p99", "99 %, us", 3},
	    {"contact_us_median", "in contact: median", 3},
	    {"contact_us_mean", "mean", 3},
	    {"ratio", "ratio of means", 3},
	    {"contact_ratio", "in contact", 3},
	    {"same_algebra_ratio", "to the same algebra", 3},
	};
	AbutSweep *sweep = NULL;
	ABUT_TRY(abut_input_status(abut_sweep_load(run->spec, run->seed, &sweep, error)));
	AbutTable *table = ABUT_TABLE(report, "times", "Time of a step", columns);
	abut_report_setting(report, "falls", "%ld for each case, the same for all solvers; seeds from %llu",
	                    sweep->seed_count, sweep->first_seed);
	report->seed = sweep->first_seed;
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < sweep->axes[ABUT_SWEEP_SCENE_AXIS].count; i++) {
		status = time_scene(run, sweep, i, table, report, error);
	}
	abut_report_figure(report, "times", 1000, 640,
	                   "Distribution of the time of a step, by solver. For the cubes, the times at the far left "
	                   "are flight: no pair is near enough to be solved.");
	abut_sweep_destroy(sweep);
	return status;
}

const AbutExperiment abut_experiment_timing = {"timing", "timing", "The time of a step, single-level and bilevel",
                                               execute};
