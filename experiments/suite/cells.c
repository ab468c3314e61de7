/* Runs a sweep in an experiment and sums up its runs in cells. */
#include "experiments/suite/cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "experiments/suite/spec.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/load.h"
#include "experiments/sweep/run.h"
#include "experiments/sweep/table.h"

enum { PATH_SIZE = 4096 };

typedef struct Reporter {
	const AbutExperimentRun *run;
	AbutGridShare share;
} Reporter;

static void pass_on(void *context, const AbutSweepProgress *progress)
{
	const Reporter *reporter = context;
	if (reporter->run->progress && progress->total > 0) {
		const double done = (double)progress->done / (double)progress->total;
		const AbutGridShare *share = &reporter->share;
		reporter->run->progress(reporter->run->context, share->from + done * (share->to - share->from));
	}
}

static AbutStatus load(const AbutExperimentRun *run, const char *file, AbutGridRuns *out, AbutError *error)
{
	char spec[ABUT_SPEC_PATH];
	*out = (AbutGridRuns){NULL, NULL};
	abut_spec_beside(run->spec, file, spec);
	return abut_input_status(abut_sweep_load(spec, run->seed, &out->sweep, error));
}

AbutStatus abut_grid_run(const AbutExperimentRun *run, const char *file, const char *name, AbutGridShare share,
                         AbutGridRuns *out, AbutError *error)
{
	char folder[PATH_SIZE];
	Reporter reporter = {run, share};
	const AbutSweepOptions options = {
	    .threads = run->threads, .resume = run->resume, .progress = pass_on, .context = &reporter};
	snprintf(folder, sizeof folder, "%s/%s", run->out, name);
	ABUT_TRY(load(run, file, out, error));
	ABUT_TRY(abut_sweep_run(out->sweep, folder, &options, NULL, error));
	return abut_sweep_table_read(folder, &out->table, error);
}

void abut_grid_close(AbutGridRuns *grid)
{
	abut_sweep_table_destroy(grid->table);
	abut_sweep_destroy(grid->sweep);
	*grid = (AbutGridRuns){NULL, NULL};
}

int abut_grid_axis(const AbutGridRuns *grid, const char *name)
{
	for (int i = 0; i < grid->sweep->n_axes; i++) {
		if (strcmp(grid->sweep->axes[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

/* The columns of the results that cells sum up. */
enum {
	OUTCOME,
	STEPS,
	ITERATIONS,
	VIOLATION,
	PENETRATION,
	MOMENTUM,
	SPIN = MOMENTUM + 3,
	DISPLACEMENT = SPIN + 3,
	STOOD,
	US,
	MESSAGE,
	N_COLUMNS
};
static const char *const column_names[N_COLUMNS] = {
    "outcome",    "steps",  "iterations_mean", "violation", "max_penetration", "momentum_x", "momentum_y",
    "momentum_z", "spin_x", "spin_y",          "spin_z",    "displacement",    "stood",      "step_time_us_mean",
    "message"};

/* Adds a run to the sums of a cell; abut_grid_divide turns them into means. */
static void add_run(const AbutSweepTable *table, const int *columns, long row, AbutGridCell *cell)
{
	const char *outcome = abut_sweep_table_text(table, row, columns[OUTCOME]);
	cell->runs++;
	if (strcmp(outcome, "refused") == 0) {
		cell->refused++;
		cell->message = cell->message ? cell->message : abut_sweep_table_text(table, row, columns[MESSAGE]);
		return;
	}
	const double steps = abut_sweep_table_number(table, row, columns[STEPS]);
	const double us = abut_sweep_table_number(table, row, columns[US]);
	const bool failed = strcmp(outcome, "failed") == 0;
	cell->failed += failed;
	cell->steps += steps;
	cell->iterations += steps * abut_sweep_table_number(table, row, columns[ITERATIONS]);
	cell->us += isnan(us) ? 0.0 : steps * us;
	cell->displacement = fmax(cell->displacement, abut_sweep_table_number(table, row, columns[DISPLACEMENT]));
	cell->stood += abut_sweep_table_number(table, row, columns[STOOD]);
	cell->violation += abut_sweep_table_number(table, row, columns[VIOLATION]);
	cell->penetration = fmax(cell->penetration, abut_sweep_table_number(table, row, columns[PENETRATION]));
	for (int i = 0; i < 3 && !failed; i++) {
		cell->momentum[i] += abut_sweep_table_number(table, row, columns[MOMENTUM + i]);
		cell->spin[i] += abut_sweep_table_number(table, row, columns[SPIN + i]);
	}
}

void abut_grid_divide(AbutGridCell *cell)
{
	const double runs = (double)(cell->runs - cell->refused), sound = runs - (double)cell->failed;
	cell->iterations /= cell->steps;
	cell->us /= cell->steps;
	cell->violation /= runs;
	cell->stood /= runs;
	abut_divide3(cell->momentum, sound, cell->momentum);
	abut_divide3(cell->spin, sound, cell->spin);
}

static AbutStatus make_cells(const AbutGridRuns *grid, int n_axes, const int *axes, AbutGridCells *out,
                             AbutError *error)
{
	*out = (AbutGridCells){.count = 1};
	for (int i = 0; i < n_axes; i++) {
		out->count *= grid->sweep->axes[axes[i]].count;
	}
	out->cells = calloc((size_t)out->count, sizeof *out->cells);
	return out->cells ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the cells");
}

/* Returns the cell of a run. */
static int place_of(const AbutGridRuns *grid, int n_axes, const int *axes, long run)
{
	int place = 0;
	for (int i = 0; i < n_axes; i++) {
		place = place * grid->sweep->axes[axes[i]].count + abut_sweep_coordinate(grid->sweep, run, axes[i]);
	}
	return place;
}

AbutStatus abut_grid_cells(const AbutGridRuns *grid, int n_axes, const int *axes, AbutGridCells *out, AbutError *error)
{
	int columns[N_COLUMNS];
	ABUT_TRY(make_cells(grid, n_axes, axes, out, error));
	for (int i = 0; i < N_COLUMNS; i++) {
		columns[i] = abut_sweep_table_column(grid->table, column_names[i]);
	}
	for (long row = 0; row < abut_sweep_table_rows(grid->table); row++) {
		add_run(grid->table, columns, row, &out->cells[place_of(grid, n_axes, axes, row)]);
	}
	for (int i = 0; i < out->count; i++) {
		abut_grid_divide(&out->cells[i]);
	}
	return ABUT_OK;
}

void abut_grid_cells_free(AbutGridCells *cells)
{
	free(cells->cells);
	*cells = (AbutGridCells){0, NULL};
}

double abut_grid_failed(const AbutGridCell *cell)
{
	const long taken = cell->runs - cell->refused;
	return taken > 0 ? (double)cell->failed / (double)taken : (double)NAN;
}

const char *abut_grid_nothing(const AbutGridCell *cell)
{
	if (cell->refused == cell->runs) {
		return "refused";
	}
	return cell->failed == cell->runs - cell->refused ? "failed" : "-";
}
