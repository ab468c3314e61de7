/* Shows panels as figures and as tables. */
#include "experiments/suite/panels_show.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/report/heat.h"
#include "experiments/suite/panels.h"

/* --- figures --- */

enum { WIDTH = 1060, FRAME = 80, PANEL = 150 }; /* pixels: figure, frame around its panels, panel */

/* Adds one panel, ours or the paper's. */
static void add_panel(const AbutPanels *panels, int panel, const AbutMeasure *measure, bool published,
                      const AbutHeatPanel *at, AbutTable *table)
{
	for (int rate = 0; rate < panels->rates; rate++) {
		for (int kappa = 0; kappa < panels->kappas; kappa++) {
			AbutHeatCell cell = {.column = kappa,
			                     .row = rate,
			                     .column_label = abut_panels_kappa_label(panels, kappa),
			                     .row_label = abut_panels_rate_label(panels, rate)};
			AbutPublished of_paper;
			const AbutGridCell *here = abut_panels_cell(panels, panel, rate, kappa);
			double value = measure->here(here);
			if (published) {
				value = abut_panels_published(panels, panel, rate, kappa, &of_paper)
				            ? of_paper.of[measure->published]
				            : (double)NAN;
			}
			cell.shade = isnan(value) ? (double)NAN : measure->shade(value, measure->scale);
			if (!isnan(value)) {
				snprintf(cell.text, sizeof cell.text, "%.2g", value);
			} else {
				snprintf(cell.text, sizeof cell.text, "%s", published ? "-" : abut_grid_nothing(here));
			}
			abut_heat_add(table, at, &cell);
		}
	}
}

/* Returns whether the paper has figures for the method of the panel. */
static bool has_published(const AbutPanels *panels, int panel)
{
	const AbutMethod method = abut_panels_method(panels, panel);
	return method == ABUT_METHOD_SINGLE_LEVEL || method == ABUT_METHOD_BILEVEL;
}

void abut_panels_draw_beside(const AbutPanels *panels, int n, const AbutMeasure *measures, const char *name,
                             const char *caption, AbutReport *report)
{
	AbutTable *table = abut_report_data(report, name, "Cells of the figure");
	char title[2 * ABUT_PANELS_LABEL], solver[ABUT_PANELS_LABEL];
	abut_heat_columns(table);
	for (int m = 0; m < n; m++) {
		for (int panel = 0, column = 0; panel < panels->count; panel++) {
			abut_panels_solver(panels, panel, solver);
			for (int paper = 0; paper < (has_published(panels, panel) ? 2 : 1); paper++) {
				snprintf(title, sizeof title, "%s%s: %s", solver, paper ? " published" : "",
				         measures[m].name);
				const AbutHeatPanel at = {m, column++, title};
				add_panel(panels, panel, &measures[m], paper == 1, &at, table);
			}
		}
	}
	abut_report_common_figure(report, name, "heat", WIDTH, FRAME + 190 * n, caption);
}

void abut_panels_draw(const AbutPanels *panels, const AbutMeasure *measure, const char *name, const char *caption,
                      AbutReport *report)
{
	AbutTable *table = abut_report_data(report, name, "Cells of the figure");
	const int scenes = abut_panels_scenes(panels), solvers = panels->count / scenes;
	char title[2 * ABUT_PANELS_LABEL], solver[ABUT_PANELS_LABEL];
	abut_heat_columns(table);
	for (int panel = 0; panel < panels->count; panel++) {
		snprintf(title, sizeof title, "%s: %s", abut_panels_scene(panels, panel),
		         abut_panels_solver(panels, panel, solver));
		const AbutHeatPanel at = {panel % solvers, panel / solvers, title};
		add_panel(panels, panel, measure, false, &at, table);
	}
	abut_report_common_figure(report, name, "heat", scenes > 1 ? WIDTH : WIDTH / 2, FRAME + PANEL * solvers,
	                          caption);
}

static void add_cell(const AbutPanels *panels, int panel, int rate, int kappa, const AbutMeasure *measure,
                     AbutTable *table)
{
	const AbutGridCell *cell = abut_panels_cell(panels, panel, rate, kappa);
	const double value = measure->here(cell);
	AbutPublished published;
	char here[16];
	if (isnan(value)) {
		snprintf(here, sizeof here, "%s", abut_grid_nothing(cell));
	} else {
		snprintf(here, sizeof here, "%.*g", measure->digits, value);
	}
	if (measure->published >= 0 && abut_panels_published(panels, panel, rate, kappa, &published)) {
		abut_table_format(table, "%s (%.3g)", here, published.of[measure->published]);
	} else if (isnan(value)) {
		abut_table_text(table, here);
	} else {
		abut_table_number(table, value);
	}
}

/* Appends the text to a file name: letters and digits are kept, anything else becomes a single underscore. */
static void append_word(const char *text, size_t size, char *name)
{
	size_t n = strlen(name);
	bool gap = true;
	for (; *text && n + 2 < size; text++) {
		if (isalnum((unsigned char)*text)) {
			if (gap) {
				name[n++] = '_';
			}
			name[n++] = (char)tolower((unsigned char)*text);
			gap = false;
		} else {
			gap = true;
		}
	}
	name[n] = '\0';
}

void abut_panels_matrix(const AbutPanels *panels, int panel, const AbutMeasure *measure, AbutReport *report)
{
	char name[224], title[320], solver[ABUT_PANELS_LABEL], column[64];
	abut_panels_solver(panels, panel, solver);
	snprintf(name, sizeof name, "%s", measure->name);
	if (abut_panels_scenes(panels) > 1) {
		append_word(abut_panels_scene(panels, panel), sizeof name, name);
	}
	append_word(solver, sizeof name, name);
	snprintf(title, sizeof title, "%s: %s%s", solver, measure->title,
	         measure->published >= 0 ? " (published)" : "");
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

/* --- cells --- */

static void add_row(const AbutPanels *panels, int panel, int rate, int kappa, AbutTable *table)
{
	static const AbutPublished none = {{NAN, NAN, NAN, NAN, NAN}};
	const AbutGridCell *cell = abut_panels_cell(panels, panel, rate, kappa);
	const bool taken = cell->runs > cell->refused;
	char solver[ABUT_PANELS_LABEL];
	AbutPublished published;
	if (!abut_panels_published(panels, panel, rate, kappa, &published)) {
		published = none;
	}
	abut_table_text(table, abut_panels_scene(panels, panel));
	abut_table_text(table, abut_panels_solver(panels, panel, solver));
	ABUT_NUMBERS(table, abut_panels_rate(panels, rate), abut_panels_kappa(panels, kappa));
	ABUT_NUMBERS(table, (double)cell->runs, (double)cell->refused, (double)cell->failed, cell->steps);
	ABUT_NUMBERS(table, cell->iterations, cell->violation, taken ? cell->penetration : (double)NAN);
	abut_table_numbers(table, 3, cell->momentum);
	abut_table_numbers(table, 3, cell->spin);
	ABUT_NUMBERS(table, taken ? cell->displacement : (double)NAN, cell->stood, cell->us);
	abut_table_numbers(table, ABUT_PUBLISHED_FIGURES, published.of);
}

void abut_panels_cells(const AbutPanels *panels, const char *name, AbutReport *report)
{
	static const char *const columns[] = {
	    "scene",
	    "solver",
	    "rate_hz",
	    "kappa",
	    "runs",
	    "refused",
	    "failed",
	    "steps",
	    "iterations_mean",
	    "violation_mean",
	    "max_penetration",
	    "momentum_x",
	    "momentum_y",
	    "momentum_z",
	    "spin_x",
	    "spin_y",
	    "spin_z",
	    "max_displacement_m",
	    "stood_s",
	    "us_mean",
	    "published_failed",
	    "published_iterations",
	    "published_violation",
	    "published_linear",
	    "published_angular",
	};
	AbutTable *table = abut_report_data(report, name, "The cells of the grid as numbers");
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		abut_table_column(table, columns[i], columns[i], 6);
	}
	for (int panel = 0; panel < panels->count; panel++) {
		for (int rate = 0; rate < panels->rates; rate++) {
			for (int kappa = 0; kappa < panels->kappas; kappa++) {
				add_row(panels, panel, rate, kappa, table);
			}
		}
	}
}

/* --- summary --- */

/* Returns the largest share of failed runs of a cell; NaN if all were refused. */
static double worst_share(const AbutPanels *panels, int panel)
{
	double worst = NAN;
	for (int rate = 0; rate < panels->rates; rate++) {
		for (int kappa = 0; kappa < panels->kappas; kappa++) {
			worst = fmax(worst, abut_grid_failed(abut_panels_cell(panels, panel, rate, kappa)));
		}
	}
	return worst;
}

static void add_summary(const AbutPanels *panels, int panel, bool at_rest, AbutTable *table)
{
	const AbutGridCell sum = abut_panels_sum(panels, panel);
	const bool taken = sum.runs > sum.refused;
	char solver[ABUT_PANELS_LABEL];
	abut_table_text(table, abut_panels_scene(panels, panel));
	abut_table_text(table, abut_panels_solver(panels, panel, solver));
	ABUT_NUMBERS(table, (double)sum.runs, (double)sum.refused, (double)sum.failed);
	ABUT_NUMBERS(table, 100.0 * abut_grid_failed(&sum), 100.0 * worst_share(panels, panel), sum.iterations, sum.us,
	             sum.violation, taken ? sum.penetration : (double)NAN);
	if (at_rest) {
		ABUT_NUMBERS(table, taken ? sum.displacement : (double)NAN, sum.stood);
	}
	abut_table_text(table, sum.message ? sum.message : "");
}

/* Adds a note under the table for each reason for a refusal, with the first solver it concerns. */
static void note_refusals(const AbutPanels *panels, AbutTable *table)
{
	for (int panel = 0; panel < panels->count; panel++) {
		const char *message = abut_panels_sum(panels, panel).message;
		bool told = !message;
		for (int before = 0; !told && before < panel; before++) {
			const char *other = abut_panels_sum(panels, before).message;
			told = other && strcmp(other, message) == 0;
		}
		if (!told) {
			char solver[ABUT_PANELS_LABEL];
			abut_table_note(table, "refused: %s; %s: %s", abut_panels_scene(panels, panel),
			                abut_panels_solver(panels, panel, solver), message);
		}
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
	ABUT_COLUMNS(table, columns);
	if (at_rest) {
		abut_table_column(table, "max_displacement_m", "farthest, m", 2);
		abut_table_column(table, "stood_s", "stood, s", 3);
	}
	abut_table_column(table, "refusal", "why refused", ABUT_COLUMN_OF_FILES);
	for (int panel = 0; panel < panels->count; panel++) {
		add_summary(panels, panel, at_rest, table);
	}
	note_refusals(panels, table);
}
