/* Makes the table of a figure of shaded cells (heat.gp). Its panels are in rows and columns; each has cells over two
 * axes. */
#pragma once

#include "experiments/report/table.h"

typedef struct AbutHeatPanel {
	int row, column;
	const char *title;
} AbutHeatPanel;

typedef struct AbutHeatCell {
	int column, row; /* position in the panel */
	const char *column_label, *row_label;
	double shade; /* from 0 (good) to 1 (bad); NaN: no value, drawn grey, -1 in the table */
	char text[16];
} AbutHeatCell;

void abut_heat_columns(AbutTable *table);
void abut_heat_add(AbutTable *table, const AbutHeatPanel *panel, const AbutHeatCell *cell);
