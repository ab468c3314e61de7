#include "experiments/suite/panels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static int size_of(const AbutPanels *panels, int place)
{
	return abut_sweep_axis_size(panels->grid->sweep, panels->axes[place]);
}

AbutStatus abut_panels_open(const AbutGridRuns *grid, const char *summed, AbutPanels *out, AbutError *error)
{
	const int rate = abut_grid_axis(grid, "rate"), kappa = abut_grid_axis(grid, "solver.kappa");
	const int left_out = summed ? abut_grid_axis(grid, summed) : -1;
	const int n = abut_sweep_axis_count(grid->sweep);
	*out = (AbutPanels){.grid = grid, .count = 1};
	if (rate < 0 || kappa < 0 || n > ABUT_PANELS_AXES) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "the sweep %s needs the axes \"rate\" and \"solver.kappa\", and at most %d",
		                      abut_sweep_name(grid->sweep), ABUT_PANELS_AXES);
	}
	for (int axis = 0; axis < n; axis++) {
		if (axis != rate && axis != kappa && axis != left_out) {
			out->axes[out->n_axes++] = axis;
			out->count *= abut_sweep_axis_size(grid->sweep, axis);
		}
	}
	out->axes[out->n_axes++] = rate;
	out->axes[out->n_axes++] = kappa;
	out->rates = abut_sweep_axis_size(grid->sweep, rate);
	out->kappas = abut_sweep_axis_size(grid->sweep, kappa);
	return abut_grid_cells(grid, out->n_axes, out->axes, &out->cells, error);
}

void abut_panels_close(AbutPanels *panels)
{
	abut_grid_cells_free(&panels->cells);
}

const AbutGridCell *abut_panels_cell(const AbutPanels *panels, int panel, int rate, int kappa)
{
	return &panels->cells.cells[(panel * panels->rates + rate) * panels->kappas + kappa];
}

/* The label of a panel on the axis at `place` of its axes. */
static const char *label_at(const AbutPanels *panels, int panel, int place)
{
	for (int i = panels->n_axes - 3; i > place; i--) {
		panel /= size_of(panels, i);
	}
	return abut_sweep_axis_label(panels->grid->sweep, panels->axes[place], panel % size_of(panels, place));
}

const char *abut_panels_rate_label(const AbutPanels *panels, int rate)
{
	return abut_sweep_axis_label(panels->grid->sweep, panels->axes[panels->n_axes - 2], rate);
}

const char *abut_panels_kappa_label(const AbutPanels *panels, int kappa)
{
	return abut_sweep_axis_label(panels->grid->sweep, panels->axes[panels->n_axes - 1], kappa);
}

double abut_panels_rate(const AbutPanels *panels, int rate)
{
	return strtod(abut_panels_rate_label(panels, rate), NULL);
}

double abut_panels_kappa(const AbutPanels *panels, int kappa)
{
	return strtod(abut_panels_kappa_label(panels, kappa), NULL);
}

const char *abut_panels_scene(const AbutPanels *panels, int panel)
{
	return label_at(panels, panel, ABUT_SWEEP_SCENE_AXIS);
}

int abut_panels_scenes(const AbutPanels *panels)
{
	return size_of(panels, ABUT_SWEEP_SCENE_AXIS);
}

const char *abut_panels_solver(const AbutPanels *panels, int panel, char out[ABUT_PANELS_LABEL])
{
	size_t n = 0;
	out[0] = '\0';
	for (int i = ABUT_SWEEP_METHOD_AXIS; i < panels->n_axes - 2 && n < ABUT_PANELS_LABEL; i++) {
		n += (size_t)snprintf(out + n, ABUT_PANELS_LABEL - n, "%s%s", i > ABUT_SWEEP_METHOD_AXIS ? "; " : "",
		                      label_at(panels, panel, i));
	}
	return out;
}

AbutMethod abut_panels_method(const AbutPanels *panels, int panel)
{
	const char *name = label_at(panels, panel, ABUT_SWEEP_METHOD_AXIS);
	int method = 0;
	while (method < ABUT_METHOD_COUNT && strcmp(abut_method_name((AbutMethod)method), name) != 0) {
		method++;
	}
	return (AbutMethod)method;
}

bool abut_panels_has(const AbutPanels *panels, int panel, const char *axis, const char *label)
{
	const int wanted = abut_grid_axis(panels->grid, axis);
	for (int i = 0; i < panels->n_axes - 2; i++) {
		if (panels->axes[i] == wanted) {
			return strcmp(label_at(panels, panel, i), label) == 0;
		}
	}
	return true;
}

bool abut_panels_published(const AbutPanels *panels, int panel, int rate, int kappa, AbutPublished *out)
{
	return abut_published_find(abut_panels_method(panels, panel), abut_panels_rate(panels, rate),
	                           abut_panels_kappa(panels, kappa), out);
}

static void add_cell(const AbutPanels *panels, int panel, int rate, int kappa, const AbutMeasure *measure,
                     AbutTable *table)
{
	const AbutGridCell *cell = abut_panels_cell(panels, panel, rate, kappa);
	AbutPublished published;
	if (cell->refused == cell->runs) {
		abut_table_text(table, "refused");
	} else if (measure->published && abut_panels_published(panels, panel, rate, kappa, &published)) {
		char here[32];
		const double value = measure->here(cell);
		snprintf(here, sizeof here, isnan(value) ? "-" : "%.*g", measure->digits, value);
		abut_table_format(table, "%s (%.3g)", here, measure->published(&published));
	} else {
		abut_table_number(table, measure->here(cell));
	}
}

void abut_panels_matrix(const AbutPanels *panels, int panel, const AbutMeasure *measure, AbutReport *report)
{
	char name[64], title[320], solver[ABUT_PANELS_LABEL], column[64];
	abut_panels_solver(panels, panel, solver);
	snprintf(name, sizeof name, "%s_%d", measure->name, panel);
	snprintf(title, sizeof title, "%s: %s%s", solver, measure->title, measure->published ? " (published)" : "");
	AbutTable *table = abut_report_table(report, name, title);
	abut_table_column(table, "rate_hz", "Hz", 4);
	for (int kappa = 0; kappa < panels->kappas; kappa++) {
		snprintf(column, sizeof column, "kappa_%s", abut_panels_kappa_label(panels, kappa));
		abut_table_column(table, column, abut_panels_kappa_label(panels, kappa), measure->digits);
	}
	for (int rate = 0; rate < panels->rates; rate++) {
		abut_table_number(table, abut_panels_rate(panels, rate));
		for (int kappa = 0; kappa < panels->kappas; kappa++) {
			add_cell(panels, panel, rate, kappa, measure, table);
		}
	}
}

/* Why a run was refused; NULL when none was. */
static const char *refusal(const AbutPanels *panels)
{
	for (int i = 0; i < panels->cells.count; i++) {
		if (panels->cells.cells[i].message) {
			return panels->cells.cells[i].message;
		}
	}
	return NULL;
}

static void add_summary(const AbutPanels *panels, int panel, bool at_rest, AbutTable *table)
{
	AbutGridCell sum = {.runs = 0};
	double worst = 0.0;
	char solver[ABUT_PANELS_LABEL];
	for (int i = 0; i < panels->rates * panels->kappas; i++) {
		const AbutGridCell *cell = &panels->cells.cells[panel * panels->rates * panels->kappas + i];
		const double taken = (double)(cell->runs - cell->refused);
		sum.runs += cell->runs;
		sum.refused += cell->refused;
		sum.failed += cell->failed;
		sum.message = sum.message ? sum.message : cell->message;
		if (taken > 0.0) {
			sum.steps += cell->steps;
			sum.iterations += cell->steps * cell->iterations;
			sum.us += cell->steps * cell->us;
			sum.violation += taken * cell->violation;
			sum.penetration = fmax(sum.penetration, cell->penetration);
			sum.displacement = fmax(sum.displacement, cell->displacement);
			sum.stood += taken * cell->stood;
			worst = fmax(worst, abut_grid_failed(cell));
		}
	}
	abut_table_text(table, abut_panels_scene(panels, panel));
	abut_table_text(table, abut_panels_solver(panels, panel, solver));
	abut_table_numbers(table, 3, (const double[]){(double)sum.runs, (double)sum.refused, (double)sum.failed});
	abut_table_numbers(table, 6,
	                   (const double[]){100.0 * abut_grid_failed(&sum),
	                                    sum.steps > 0.0 ? 100.0 * worst : (double)NAN, sum.iterations / sum.steps,
	                                    sum.us / sum.steps, sum.violation / (double)(sum.runs - sum.refused),
	                                    sum.steps > 0.0 ? sum.penetration : (double)NAN});
	if (at_rest) {
		const double taken = (double)(sum.runs - sum.refused);
		abut_table_numbers(table, 2,
		                   (const double[]){taken > 0.0 ? sum.displacement : (double)NAN, sum.stood / taken});
	}
	if (refusal(panels)) {
		abut_table_text(table, sum.message ? sum.message : "");
	}
}

void abut_panels_summary(const AbutPanels *panels, const char *name, const char *title, bool at_rest,
                         AbutReport *report)
{
	static const AbutColumn columns[] = {
	    {"scene", "scene", 0},
	    {"solver", "solver", 0},
	    {"runs", "runs", 6},
	    {"refused", "refused", 6},
	    {"failed", "failed", 6},
	    {"failed_percent", "failed, %", 3},
	    {"worst_percent", "worst cell, %", 3},
	    {"iterations_mean", "iterations a step", 3},
	    {"us_mean", "us a step", 3},
	    {"violation_mean", "violation", 2},
	    {"max_penetration", "deepest, m", 2},
	};
	AbutTable *table = abut_report_table(report, name, title);
	abut_table_columns(table, sizeof columns / sizeof *columns, columns);
	if (at_rest) {
		abut_table_column(table, "max_displacement_m", "farthest, m", 2);
		abut_table_column(table, "stood_s", "stood, s", 3);
	}
	if (refusal(panels)) {
		abut_table_column(table, "refusal", "why refused", 0);
	}
	for (int panel = 0; panel < panels->count; panel++) {
		add_summary(panels, panel, at_rest, table);
	}
}

double abut_panels_worst(const AbutPanels *panels, int panel, const AbutMeasure *measure, bool either)
{
	double worst = NAN;
	for (int rate = 0; rate < panels->rates; rate++) {
		for (int kappa = 0; kappa < panels->kappas; kappa++) {
			const AbutGridCell *cell = abut_panels_cell(panels, panel, rate, kappa);
			AbutPublished published;
			if (cell->steps > 0.0 && abut_panels_published(panels, panel, rate, kappa, &published)) {
				const double ratio = measure->here(cell) / measure->published(&published);
				worst = fmax(worst, either ? fmax(ratio, 1.0 / ratio) : ratio);
			}
		}
	}
	return worst;
}
