/* Fills the table of a figure of shaded cells. */
#include "experiments/report/heat.h"

#include <math.h>

void abut_heat_columns(AbutTable *table)
{
	static const AbutColumn columns[] = {
	    {"panel_row", "panel row", 3},
	    {"panel_column", "panel column", 3},
	    {"panel", "panel", 0},
	    {"column", "column", 3},
	    {"row", "row", 3},
	    {"column_label", "column", 0},
	    {"row_label", "row", 0},
	    {"shade", "shade", 3},
	    {"text", "text", 0},
	};
	ABUT_COLUMNS(table, columns);
}

/* Adds a text without commas: gnuplot ends a field at a comma, quoted or not. */
static void add_text(AbutTable *table, const char *text)
{
	char out[ABUT_CELL_SIZE];
	snprintf(out, sizeof out, "%s", text);
	for (char *c = out; *c; c++) {
		*c = *c == ',' ? ';' : *c;
	}
	abut_table_text(table, out);
}

void abut_heat_add(AbutTable *table, const AbutHeatPanel *panel, const AbutHeatCell *cell)
{
	ABUT_NUMBERS(table, panel->row, panel->column);
	add_text(table, panel->title);
	ABUT_NUMBERS(table, cell->column, cell->row);
	add_text(table, cell->column_label);
	add_text(table, cell->row_label);
	abut_table_number(table, isnan(cell->shade) ? -1.0 : fmin(fmax(cell->shade, 0.0), 1.0));
	abut_table_text(table, cell->text);
}
