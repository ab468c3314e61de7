/* Writes a table as CSV and JSON, and the object of result.json. */
#include "experiments/report/table_files.h"

#include <math.h>

#include "abut/version.h"
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

/* Writes a table as JSON; rows are objects, so that readers use names. */
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

/* --- result.json --- */

static void write_text(FILE *file, const char *before, const char *text)
{
	fputs(before, file);
	abut_json_write_string(file, text);
}

void abut_report_write_json(FILE *file, const AbutReport *report)
{
	write_text(file, "{\"experiment\": ", report->name);
	write_text(file, ", \"title\": ", report->title);
	write_text(file, ", \"version\": ", abut_version());
	fprintf(file, ", \"seed\": %llu, \"quick\": %s", report->seed, report->quick ? "true" : "false");
	write_text(file, ", \"command\": ", report->command ? report->command : "");
	fputs(", \"settings\": {", file);
	for (int i = 0; i < report->n_settings; i++) {
		write_text(file, i > 0 ? ", " : "", report->settings[i].name);
		write_text(file, ": ", report->settings[i].value);
	}
	fputs("}, \"targets\": [", file);
	for (int i = 0; i < report->n_targets; i++) {
		write_text(file, i > 0 ? ",\n {\"text\": " : "\n {\"text\": ", report->targets[i].text);
		write_text(file, ", \"verdict\": ", abut_verdict_name(report->targets[i].verdict));
		fputc('}', file);
	}
	fputs("], \"figures\": [", file);
	for (int i = 0; i < report->n_figures; i++) {
		write_text(file, i > 0 ? ", {\"name\": " : "{\"name\": ", report->figures[i].name);
		write_text(file, ", \"caption\": ", report->figures[i].caption);
		fprintf(file, ", \"drawn\": %s}", report->figures[i].drawn ? "true" : "false");
	}
	fputs("], \"tables\": [", file);
	const char *separator = "\n ";
	for (int i = 0; i < report->n_tables; i++) {
		if (!report->tables[i]->data) {
			fputs(separator, file);
			abut_table_write_json(file, report->tables[i]);
			separator = ",\n ";
		}
	}
	fputs("]}\n", file);
}
