/* Panels of a grid over rate and kappa as figures of shaded cells, and as tables. */
#ifndef EXPERIMENTS_SUITE_PANELS_SHOW_H
#define EXPERIMENTS_SUITE_PANELS_SHOW_H

#include "experiments/suite/panels.h"

/* Draws all panels as shaded cells in a figure of this name: a row of panels for each of the n measures, each panel
 * next to its published one. */
void abut_panels_draw_beside(const AbutPanels *panels, int n, const AbutMeasure *measures, const char *name,
                             const char *caption, AbutReport *report);

/* Draws the panels of one measure: a column a scene, a row a solver. */
void abut_panels_draw(const AbutPanels *panels, const AbutMeasure *measure, const char *name, const char *caption,
                      AbutReport *report);

/* Adds a table for files: a row a cell, with all its results and the published ones. */
void abut_panels_cells(const AbutPanels *panels, const char *name, AbutReport *report);

/* Adds one panel as a table, a row a rate, with published values in brackets. Its name consists of measure, solver and,
 * if there are several, scene. */
void abut_panels_matrix(const AbutPanels *panels, int panel, const AbutMeasure *measure, AbutReport *report);

/* Adds a summary, a row a panel: how many runs failed or were refused, worst and mean results; `at_rest` also how far
 * bodies moved and, where the sweep measures it, how long they stood. */
void abut_panels_summary(const AbutPanels *panels, const char *name, const char *title, bool at_rest,
                         AbutReport *report);

#endif
