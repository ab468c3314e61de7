/* A table as CSV and as JSON. */
#include "experiments/report/table_files.h"

#include <math.h>

#include "experiments/report/table.h"
#include "io/text/csv.h"
#include "io/text/number.h"

static void write_csv_cell(FILE *file, const AbutCell *cell)
{
	char number[ABUT_NUMBER_SIZE];
	if (cell->text) {
		abut_csv_write_text(file, cell->text);
	} else if (!isnan(cell->number)) {
		fputs(abut_number_text(cell->number, number), file);
	}
}

void abut_table_write_csv(FILE *file, const AbutTable *table)
{
	for (int i = 0; i < table->n_columns; i++) {
		fputs(i > 0 ? "," : "", file);
		abut_csv_write_text(file, table->columns[i].name);
	}
	fputc('\n', file);
	for (int row = 0; row < abut_table_rows(table); row++) {
		for (int i = 0; i < table->n_columns; i++) {
			fputs(i > 0 ? "," : "", file);
			write_csv_cell(file, abut_table_cell(table, row, i));
		}
		fputc('\n', file);
	}
}

/* Rows are objects, so that a reader goes by names. */
void abut_table_write_json(FILE *file, const AbutTable *table)
{
	fputs("{\"name\": ", file);
	abut_json_write_string(file, table->name);
	fputs(", \"title\": ", file);
	abut_json_write_string(file, table->title);
	fputs(", \"rows\": [", file);
	for (int row = 0; row < abut_table_rows(table); row++) {
		fputs(row > 0 ? ",\n  {" : "\n  {", file);
		for (int i = 0; i < table->n_columns; i++) {
			const AbutCell *cell = abut_table_cell(table, row, i);
			fputs(i > 0 ? ", " : "", file);
			abut_json_write_string(file, table->columns[i].name);
			fputs(": ", file);
			if (cell->text) {
				abut_json_write_string(file, cell->text);
			} else {
				abut_json_write_number(file, cell->number);
			}
		}
		fputc('}', file);
	}
	fputs("], \"notes\": [", file);
	for (int i = 0; i < table->n_notes; i++) {
		fputs(i > 0 ? ", " : "", file);
		abut_json_write_string(file, table->notes[i]);
	}
	fputs("]}", file);
}
