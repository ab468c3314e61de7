/* Groups a sweep over rate and kappa into panels: one for each scene, method and value of the other axes. */
#pragma once

#include "experiments/setting/published.h"
#include "experiments/suite/cells.h"

enum { ABUT_PANELS_AXES = 16, ABUT_PANELS_LABEL = 160 };

typedef struct AbutPanels {
	const AbutGridRuns *grid;
	int axes[ABUT_PANELS_AXES]; /* (n_axes) axes of the sweep: those of the panels, then rate and kappa */
	int n_axes;
	int rates, kappas; /* number of values on the last two axes */
	int count;         /* number of panels */
	AbutGridCells cells;
} AbutPanels;

/* Opens the panels of a sweep. The sweep needs the axes "rate", with labels in Hz, and "solver.kappa". The axis
 * `summed` (NULL: none) is summed over, as the seeds are. Free `cells` also after a failure. */
AbutStatus abut_panels_open(const AbutGridRuns *grid, const char *summed, AbutPanels *out, AbutError *error);

const AbutGridCell *abut_panels_cell(const AbutPanels *panels, int panel, int rate, int kappa);
double abut_panels_rate(const AbutPanels *panels, int rate); /* Hz */
double abut_panels_kappa(const AbutPanels *panels, int kappa);
const char *abut_panels_scene(const AbutPanels *panels, int panel);
/* Writes the label of the solver: the labels on the method axis and the axes after it, without the scene. */
const char *abut_panels_solver(const AbutPanels *panels, int panel, char out[ABUT_PANELS_LABEL]);
int abut_panels_scenes(const AbutPanels *panels); /* number of scenes; panels of a scene are consecutive */
AbutMethod abut_panels_method(const AbutPanels *panels, int panel);
/* Returns whether the panel has this label on the axis, or the sweep has no such axis. */
bool abut_panels_has(const AbutPanels *panels, int panel, const char *axis, const char *label);
bool abut_panels_published(const AbutPanels *panels, int panel, int rate, int kappa, AbutPublished *out);
const char *abut_panels_rate_label(const AbutPanels *panels, int rate);
const char *abut_panels_kappa_label(const AbutPanels *panels, int kappa);

enum { ABUT_NOT_PUBLISHED = -1 };

/* A quantity of a cell, with its name and its colour scale. */
typedef struct AbutMeasure {
	const char *name, *title; /* the name is one word */
	double (*here)(const AbutGridCell *cell);
	int published;                               /* which figure (AbutPublishedFigure); ABUT_NOT_PUBLISHED: none */
	double (*shade)(double value, double scale); /* 0 (good) to 1 (bad) */
	double scale;                                /* passed to `shade` */
	int digits;
} AbutMeasure;

double abut_shade_share(double value, double scale);     /* bad at `scale` */
double abut_shade_shortfall(double value, double scale); /* bad at zero */
double abut_shade_decades(double value, double scale);   /* bad at 1, good `scale` decades below */

/* Sums up all cells of a panel. */
AbutGridCell abut_panels_sum(const AbutPanels *panels, int panel);

/* Returns the largest ratio of a measure to its published value over the cells of a panel; NaN if nothing was
 * published. With `either`, the inverse ratio counts as well. Infinite if a cell has no value because all its runs
 * failed or were refused; `*unsolved` is the number of such cells. */
double abut_panels_worst(const AbutPanels *panels, int panel, const AbutMeasure *measure, bool either, int *unsolved);
