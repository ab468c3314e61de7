/* Reads the panels of a grid over rate and kappa, and sums up their cells. */
#include "experiments/suite/panels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/sweep/spec_parts.h"

static int size_of(const AbutPanels *panels, int place)
{
	return panels->grid->sweep->axes[panels->axes[place]].count;
}

AbutStatus abut_panels_open(const AbutGridRuns *grid, const char *summed, AbutPanels *out, AbutError *error)
{
	const int rate = abut_grid_axis(grid, "rate"), kappa = abut_grid_axis(grid, "solver.kappa");
	const int left_out = summed ? abut_grid_axis(grid, summed) : -1;
	const int n = grid->sweep->n_axes;
	*out = (AbutPanels){.grid = grid, .count = 1};
	if (rate < 0 || kappa < 0 || n > ABUT_PANELS_AXES) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, NULL,
		    "the sweep %s must have the axes \"rate\" and \"solver.kappa\", and at most %d axes",
		    grid->sweep->name, ABUT_PANELS_AXES);
	}
	for (int axis = 0; axis < n; axis++) {
		if (axis != rate && axis != kappa && axis != left_out) {
			out->axes[out->n_axes++] = axis;
			out->count *= grid->sweep->axes[axis].count;
		}
	}
	out->axes[out->n_axes++] = rate;
	out->axes[out->n_axes++] = kappa;
	out->rates = grid->sweep->axes[rate].count;
	out->kappas = grid->sweep->axes[kappa].count;
	return abut_grid_cells(grid, out->n_axes, out->axes, &out->cells, error);
}

const AbutGridCell *abut_panels_cell(const AbutPanels *panels, int panel, int rate, int kappa)
{
	return &panels->cells.cells[(panel * panels->rates + rate) * panels->kappas + kappa];
}

/* Returns the label of a panel on the axis at index `place` of the panels' axes. */
static const char *label_at(const AbutPanels *panels, int panel, int place)
{
	for (int i = panels->n_axes - 3; i > place; i--) {
		panel /= size_of(panels, i);
	}
	return panels->grid->sweep->axes[panels->axes[place]].values[panel % size_of(panels, place)].label;
}

const char *abut_panels_rate_label(const AbutPanels *panels, int rate)
{
	return panels->grid->sweep->axes[panels->axes[panels->n_axes - 2]].values[rate].label;
}

const char *abut_panels_kappa_label(const AbutPanels *panels, int kappa)
{
	return panels->grid->sweep->axes[panels->axes[panels->n_axes - 1]].values[kappa].label;
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

double abut_panels_worst(const AbutPanels *panels, int panel, const AbutMeasure *measure, bool either, int *unsolved)
{
	double worst = NAN;
	*unsolved = 0;
	for (int rate = 0; rate < panels->rates; rate++) {
		for (int kappa = 0; kappa < panels->kappas; kappa++) {
			AbutPublished published;
			if (!abut_panels_published(panels, panel, rate, kappa, &published)) {
				continue;
			}
			const double here = measure->here(abut_panels_cell(panels, panel, rate, kappa));
			const double ratio = isnan(here) ? (double)INFINITY : here / published.of[measure->published];
			*unsolved += isnan(here);
			worst = fmax(worst, either ? fmax(ratio, 1.0 / ratio) : ratio);
		}
	}
	return worst;
}

double abut_shade_share(double value, double scale)
{
	return value / scale;
}

double abut_shade_shortfall(double value, double scale)
{
	return 1.0 - value / scale;
}

double abut_shade_decades(double value, double scale)
{
	return value > 0.0 ? 1.0 + log10(value) / scale : 0.0;
}

/* Adds the sums behind the means of a cell, and its maxima. */
static void add_means(const AbutGridCell *cell, AbutGridCell *sum)
{
	const double taken = (double)(cell->runs - cell->refused), sound = taken - (double)cell->failed;
	if (taken > 0.0) {
		sum->steps += cell->steps;
		sum->iterations += cell->steps * cell->iterations;
		sum->us += cell->steps * cell->us;
		sum->violation += taken * cell->violation;
		sum->stood += taken * cell->stood;
		sum->penetration = fmax(sum->penetration, cell->penetration);
		sum->displacement = fmax(sum->displacement, cell->displacement);
	}
	for (int i = 0; i < 3 && sound > 0.0; i++) {
		sum->momentum[i] += sound * cell->momentum[i];
		sum->spin[i] += sound * cell->spin[i];
	}
}

AbutGridCell abut_panels_sum(const AbutPanels *panels, int panel)
{
	AbutGridCell sum = {.runs = 0};
	for (int rate = 0; rate < panels->rates; rate++) {
		for (int kappa = 0; kappa < panels->kappas; kappa++) {
			const AbutGridCell *cell = abut_panels_cell(panels, panel, rate, kappa);
			sum.runs += cell->runs;
			sum.refused += cell->refused;
			sum.failed += cell->failed;
			sum.message = sum.message ? sum.message : cell->message;
			add_means(cell, &sum);
		}
	}
	abut_grid_divide(&sum);
	return sum;
}
