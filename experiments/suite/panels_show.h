/* Panels of a grid over rate and kappa as figures of shaded cells, and as tables. */
#ifndef EXPERIMENTS_SUITE_PANELS_SHOW_H
#define EXPERIMENTS_SUITE_PANELS_SHOW_H

#include "experiments/suite/panels.h"

/* All panels as shaded cells in a figure of this name: a row of panels for each of the n measures, and beside each
 * panel what was published of it. */
void abut_panels_draw_beside(const AbutPanels *panels, int n, const AbutMeasure *measures, const char *name,
                             const char *caption, AbutReport *report);

/* The same of one measure: a column a scene, a row a solver. */
void abut_panels_draw(const AbutPanels *panels, const AbutMeasure *measure, const char *name, const char *caption,
                      AbutReport *report);

/* A row a cell, for files: all that is known of it, and what was published. */
void abut_panels_cells(const AbutPanels *panels, const char *name, AbutReport *report);

/* One panel as a table, a row a rate; in brackets what was published. Its name is that of the measure and the solver,
 * and of the scene where there are several. */
void abut_panels_matrix(const AbutPanels *panels, int panel, const AbutMeasure *measure, AbutReport *report);

/* A row a panel: how many runs failed or were refused, and the worst and mean figures; of what should be `at_rest`, how
 * far it went, and how long it stood where the sweep asks for that. */
void abut_panels_summary(const AbutPanels *panels, const char *name, const char *title, bool at_rest,
                         AbutReport *report);

#endif
