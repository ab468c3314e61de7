/* Builds a table of results. */
#include "experiments/report/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

AbutTable *abut_table_create(const char *name, const char *title, bool data)
{
	AbutTable *table = calloc(1, sizeof *table);
	if (!table) {
		return NULL;
	}
	table->name = strdup(name);
	table->title = strdup(title);
	table->data = data;
	if (!table->name || !table->title) {
		abut_table_destroy(table);
		return NULL;
	}
	return table;
}

void abut_table_destroy(AbutTable *table)
{
	if (!table) {
		return;
	}
	for (int i = 0; i < table->n_columns; i++) {
		free((char *)table->columns[i].name);
		free((char *)table->columns[i].heading);
	}
	for (int i = 0; i < table->n_cells; i++) {
		free(table->cells[i].text);
	}
	for (int i = 0; i < table->n_notes; i++) {
		free(table->notes[i]);
	}
	free(table->notes);
	free(table->columns);
	free(table->cells);
	free(table->name);
	free(table->title);
	free(table);
}

void abut_table_column(AbutTable *table, const char *name, const char *heading, int digits)
{
	if (!table) {
		return;
	}
	if (!abut_grow(&table->columns, &table->column_capacity, table->n_columns + 1, sizeof *table->columns)) {
		table->failed = true;
		return;
	}
	AbutColumn *column = &table->columns[table->n_columns++];
	*column = (AbutColumn){strdup(name), strdup(heading), digits};
	table->failed = table->failed || !column->name || !column->heading;
}

void abut_table_columns(AbutTable *table, int n, const AbutColumn *columns)
{
	for (int i = 0; i < n; i++) {
		abut_table_column(table, columns[i].name, columns[i].heading, columns[i].digits);
	}
}

/* Adds a cell, which owns `text` from then on. */
static void add(AbutTable *table, char *text, double number)
{
	if (!table || !abut_grow(&table->cells, &table->cell_capacity, table->n_cells + 1, sizeof *table->cells)) {
		free(text);
		if (table) {
			table->failed = true;
		}
		return;
	}
	table->cells[table->n_cells++] = (AbutCell){text, number};
}

void abut_table_number(AbutTable *table, double value)
{
	add(table, NULL, value);
}

void abut_table_numbers(AbutTable *table, int n, const double *values)
{
	for (int i = 0; i < n; i++) {
		abut_table_number(table, values[i]);
	}
}

void abut_table_text(AbutTable *table, const char *text)
{
	char *copy = strdup(text);
	if (!copy && table) {
		table->failed = true;
	}
	add(table, copy, NAN);
}

void abut_table_format(AbutTable *table, const char *format, ...)
{
	char text[ABUT_CELL_SIZE];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	abut_table_text(table, text);
}

void abut_table_note(AbutTable *table, const char *format, ...)
{
	char *text = NULL;
	size_t length = 0;
	if (!table) {
		return;
	}
	FILE *file = open_memstream(&text, &length);
	if (file) {
		va_list arguments;
		va_start(arguments, format);
		vfprintf(file, format, arguments);
		va_end(arguments);
	}
	if (!file || fclose(file) != 0 ||
	    !abut_grow(&table->notes, &table->note_capacity, table->n_notes + 1, sizeof *table->notes)) {
		free(text);
		table->failed = true;
		return;
	}
	table->notes[table->n_notes++] = text;
}

int abut_table_rows(const AbutTable *table)
{
	return table->n_columns > 0 ? table->n_cells / table->n_columns : 0;
}

const AbutCell *abut_table_cell(const AbutTable *table, int row, int column)
{
	return &table->cells[row * table->n_columns + column];
}

const char *abut_table_show(const AbutTable *table, int row, int column, char out[ABUT_CELL_SIZE])
{
	const AbutCell *cell = abut_table_cell(table, row, column);
	if (cell->text) {
		snprintf(out, ABUT_CELL_SIZE, "%s", cell->text);
	} else if (isnan(cell->number)) {
		snprintf(out, ABUT_CELL_SIZE, "-");
	} else {
		snprintf(out, ABUT_CELL_SIZE, "%.*g", table->columns[column].digits, cell->number);
	}
	return out;
}
