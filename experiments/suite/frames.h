/* Draws figures of bodies as shaded solids: facets of polytopes, and patches between support points of round shapes,
 * sorted from far to near. */
#pragma once

#include "abut/model.h"
#include "experiments/report/report.h"

/* A view from infinity. The direction to the eye is `turn` about z from -y, and `rise` above the horizon. */
typedef struct AbutView {
	double turn, rise; /* degrees */
	double centre[3];  /* m, middle of the picture, world */
	double half;       /* m, half height of the picture */
	double behind;     /* m, extent of the floor behind the centre; 0: as far as in the other directions */
} AbutView;

/* A state of the bodies, drawn as one panel of the figure. */
typedef struct AbutFrame {
	int panel;         /* index of the panel */
	const char *label; /* text above the panel */
	const AbutSceneDef *def;
	const AbutModel *model; /* model of `def` */
	const AbutState *state;
	const AbutWorkspace *workspace; /* its pressing contacts are drawn as dots; NULL: no dots */
} AbutFrame;

/* Adds the table of a figure. Each row is a polygon of up to four corners, or a dot. */
AbutTable *abut_frames_table(AbutReport *report, const char *name, const char *title);
AbutStatus abut_frames_add(const AbutFrame *frame, const AbutView *view, AbutTable *table, AbutError *error);
/* Adds the figure of the table of this name, with `columns` square panels in a row, each `size` units wide. */
void abut_frames_figure(AbutReport *report, const char *name, int panels, int columns, int size, const char *caption);
