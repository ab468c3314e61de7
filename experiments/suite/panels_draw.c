/* Panels as pictures. */
#include "experiments/suite/panels_draw.h"

#include <math.h>

#include "experiments/report/heat.h"
#include "experiments/suite/panels.h"

enum { WIDTH = 1060, FRAME = 80, PANEL = 150 }; /* pixels: of the figure, around its panels, and of each */

/* One panel, ours or the paper's. */
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
				            ? measure->published(&of_paper)
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

/* Whether the paper has figures of the panel's method. */
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
	abut_report_heat(report, name, WIDTH, FRAME + 190 * n, caption);
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
	abut_report_heat(report, name, scenes > 1 ? WIDTH : WIDTH / 2, FRAME + PANEL * solvers, caption);
}
