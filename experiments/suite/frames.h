/* Figures of bodies as solids: facets of polytopes, and patches of round shapes between support points, shaded, and
 * sorted from far to near. */
#ifndef EXPERIMENTS_SUITE_FRAMES_H
#define EXPERIMENTS_SUITE_FRAMES_H

#include "abut/model.h"
#include "experiments/report/report.h"

/* A view from far away, along a line that is `turn` about z from -y and `rise` above the horizon. */
typedef struct AbutView {
	double turn, rise; /* degrees */
	double centre[3];  /* m, in the middle of the picture */
	double half;       /* m, half of its height */
	double behind;     /* m, how far a floor goes on behind the centre; 0: as far as the picture goes */
} AbutView;

/* A state of the bodies as a panel of the figure. */
typedef struct AbutFrame {
	int panel;         /* from 0 */
	const char *label; /* above it */
	const AbutSceneDef *def;
	const AbutModel *model; /* of `def` */
	const AbutState *state;
	const AbutWorkspace *workspace; /* contacts that press are dots; NULL: none */
} AbutFrame;

/* Adds the table of a figure: a row a polygon of up to four corners, or a dot. */
AbutTable *abut_frames_table(AbutReport *report, const char *name, const char *title);
AbutStatus abut_frames_add(const AbutFrame *frame, const AbutView *view, AbutTable *table, AbutError *error);
/* Adds the figure of the table of this name: `columns` square panels in a row, of `size` units each. */
void abut_frames_figure(AbutReport *report, const char *name, int panels, int columns, int size, const char *caption);

#endif
