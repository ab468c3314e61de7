/* Shows panels of a grid over rate and kappa, as figures of shaded cells and as tables. */
#pragma once

#include "experiments/suite/panels.h"

/* Draws all panels as shaded cells in one figure: a row of panels for each of the n measures, each panel next to the
 * published one. */
void abut_panels_draw_beside(const AbutPanels *panels, int n, const AbutMeasure *measures, const char *name,
                             const char *caption, AbutReport *report);

/* Draws the panels of one measure, with a column for each scene and a row for each solver. */
void abut_panels_draw(const AbutPanels *panels, const AbutMeasure *measure, const char *name, const char *caption,
                      AbutReport *report);

/* Adds a table for files: a row for each cell, with all its results and the published ones. */
void abut_panels_cells(const AbutPanels *panels, const char *name, AbutReport *report);

/* Adds one panel as a table with a row for each rate; published values are in brackets. The table is named after
 * measure, solver and, if there are several, scene. */
void abut_panels_matrix(const AbutPanels *panels, int panel, const AbutMeasure *measure, AbutReport *report);

/* Adds a summary with a row for each panel: numbers of failed and refused runs, worst and mean results. With `at_rest`
 * it also shows how far bodies moved and, if the sweep measures it, how long they stood. */
void abut_panels_summary(const AbutPanels *panels, const char *name, const char *title, bool at_rest,
                         AbutReport *report);
