/* Panels of a grid over rate and kappa as figures of shaded cells. */
#ifndef EXPERIMENTS_SUITE_PANELS_DRAW_H
#define EXPERIMENTS_SUITE_PANELS_DRAW_H

#include "experiments/suite/panels.h"

/* All panels as shaded cells in a figure of this name: a row of panels for each of the n measures, and beside each
 * panel what was published of it. */
void abut_panels_draw_beside(const AbutPanels *panels, int n, const AbutMeasure *measures, const char *name,
                             const char *caption, AbutReport *report);

/* The same of one measure: a column a scene, a row a solver. */
void abut_panels_draw(const AbutPanels *panels, const AbutMeasure *measure, const char *name, const char *caption,
                      AbutReport *report);

#endif
