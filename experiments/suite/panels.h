/* A grid over rate and kappa, once for each scene, method and whatever else a sweep has axes for: a panel each. */
#ifndef EXPERIMENTS_SUITE_PANELS_H
#define EXPERIMENTS_SUITE_PANELS_H

#include "experiments/setting/published.h"
#include "experiments/suite/cells.h"

enum { ABUT_PANELS_AXES = 16, ABUT_PANELS_LABEL = 160 };

typedef struct AbutPanels {
	const AbutGridRuns *grid;
	int axes[ABUT_PANELS_AXES]; /* (n_axes) of the sweep: those of the panels, then rate and kappa */
	int n_axes;
	int rates, kappas; /* values on the last two */
	int count;         /* panels */
	AbutGridCells cells;
} AbutPanels;

/* The sweep needs axes named "rate", its labels in Hz, and "solver.kappa". The axis `summed` (NULL: none) is summed
 * over, like the seeds. To be closed, also after a failure. */
AbutStatus abut_panels_open(const AbutGridRuns *grid, const char *summed, AbutPanels *out, AbutError *error);
void abut_panels_close(AbutPanels *panels);

const AbutGridCell *abut_panels_cell(const AbutPanels *panels, int panel, int rate, int kappa);
double abut_panels_rate(const AbutPanels *panels, int rate); /* Hz */
double abut_panels_kappa(const AbutPanels *panels, int kappa);
const char *abut_panels_scene(const AbutPanels *panels, int panel);
/* The method and what follows it, but not the scene. */
const char *abut_panels_solver(const AbutPanels *panels, int panel, char out[ABUT_PANELS_LABEL]);
int abut_panels_scenes(const AbutPanels *panels); /* how many; panels of a scene stand together */
AbutMethod abut_panels_method(const AbutPanels *panels, int panel);
/* Whether the axis named so is absent, or has this label in the panel. */
bool abut_panels_has(const AbutPanels *panels, int panel, const char *axis, const char *label);
bool abut_panels_published(const AbutPanels *panels, int panel, int rate, int kappa, AbutPublished *out);
const char *abut_panels_rate_label(const AbutPanels *panels, int rate);
const char *abut_panels_kappa_label(const AbutPanels *panels, int kappa);

/* A figure of a cell. */
typedef struct AbutMeasure {
	const char *name, *title; /* the name is one word */
	double (*here)(const AbutGridCell *cell);
	double (*published)(const AbutPublished *published); /* NULL: nothing was */
	double (*shade)(double value, double scale);         /* 0 good to 1 bad */
	double scale;                                        /* of its shade */
	int digits;
} AbutMeasure;

double abut_shade_share(double value, double scale);     /* bad at the scale */
double abut_shade_shortfall(double value, double scale); /* bad at zero */
double abut_shade_decades(double value, double scale);   /* bad at 1, good so many decades below */

/* The runs of all cells of a panel as one cell. */
AbutGridCell abut_panels_sum(const AbutPanels *panels, int panel);

/* The largest ratio of a measure to what was published over the panel's cells; NaN when nothing was. With `either`
 * that of the published to it counts too. Infinite when a cell has no value, because all its runs failed or were
 * refused; `*unsolved` is the number of those. */
double abut_panels_worst(const AbutPanels *panels, int panel, const AbutMeasure *measure, bool either, int *unsolved);

#endif
