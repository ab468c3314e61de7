/* Reads a table from a CSV file. */
#include "io/text/csv_table.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/text/csv.h"
#include "io/text/file_text.h"
#include "io/text/number.h"
#include "io/text/words.h"

/* Adds the file and the current line to an error. */
static AbutStatus at_line(const AbutCsvTable *table, AbutError *error)
{
	if (error) {
		snprintf(error->file, sizeof error->file, "%s", table->path);
		error->line = table->line > INT_MAX ? INT_MAX : (int)table->line;
		error->column = 1;
	}
	return ABUT_ERROR_PARSE;
}

AbutStatus abut_csv_table_fail(const AbutCsvTable *table, int column, const char *allowed, AbutError *error)
{
	char quoted[ABUT_QUOTE_SIZE];
	abut_error_set(error, ABUT_ERROR_PARSE, table->columns[column], "must be %s, is %s", allowed,
	               abut_text_quote(table->fields[column], quoted));
	return at_line(table, error);
}

/* Returns the next line without its line feed and a carriage return before it; NULL at the end. */
static char *next_line(AbutCsvTable *table)
{
	char *const line = table->next;
	if (!line || *line == '\0') {
		return NULL;
	}
	char *const end = strchr(line, '\n');
	table->next = end ? end + 1 : NULL;
	if (end) {
		*end = '\0';
	}
	char *const last = line + strlen(line) - 1;
	if (last >= line && *last == '\r') {
		*last = '\0';
	}
	table->line++;
	return line;
}

bool abut_csv_table_has(const AbutCsvTable *table, int column)
{
	for (int i = 0; i < table->n_fields; i++) {
		if (table->column[i] == column) {
			return true;
		}
	}
	return false;
}

AbutStatus abut_csv_table_require_one(AbutCsvTable *table, int column, int other, AbutError *error)
{
	if (abut_csv_table_has(table, column) || abut_csv_table_has(table, other)) {
		return ABUT_OK;
	}
	table->line = 1;
	abut_error_set(error, ABUT_ERROR_PARSE, NULL, "the table has no column '%s%s%s'", table->columns[column],
	               other != column ? "' or '" : "", other != column ? table->columns[other] : "");
	return at_line(table, error);
}

AbutStatus abut_csv_table_require(AbutCsvTable *table, int column, int n, AbutError *error)
{
	for (int i = column; i < column + n; i++) {
		ABUT_TRY(abut_csv_table_require_one(table, i, i, error));
	}
	return ABUT_OK;
}

/* Finds the requested columns in the header line. */
static AbutStatus take_header(AbutCsvTable *table, AbutError *error)
{
	char *at = next_line(table);
	for (char *name; at && table->n_fields < ABUT_CSV_MAX_COLUMNS && (name = abut_csv_next(&at));) {
		table->column[table->n_fields++] = abut_text_index(name, table->columns, table->n_columns);
	}
	if (at && table->n_fields == ABUT_CSV_MAX_COLUMNS) {
		abut_error_set(error, ABUT_ERROR_PARSE, NULL, "the table has more than %d columns, the most allowed",
		               (int)ABUT_CSV_MAX_COLUMNS);
		return at_line(table, error);
	}
	return ABUT_OK;
}

/* Reads the file and its header line. */
static AbutStatus open_file(AbutCsvTable *table, const char *folder, const char *name, int n,
                            const char *const *columns, AbutError *error)
{
	memset(table, 0, sizeof *table);
	size_t length = 0;
	table->path = abut_path_join(folder, name);
	if (!table->path) {
		return abut_fail_memory(error, "a table");
	}
	ABUT_TRY(abut_file_read(table->path, "table", SIZE_MAX / 4, &table->text, &length, error));
	table->next = table->text;
	table->n_columns = n;
	memcpy(table->columns, columns, (size_t)n * sizeof *columns);
	return take_header(table, error);
}

AbutStatus abut_csv_table_open(AbutCsvTable *table, const char *folder, const char *name, int n,
                               const char *const *columns, AbutError *error)
{
	ABUT_TRY(open_file(table, folder, name, n, columns, error));
	return abut_csv_table_require(table, 0, n, error);
}

AbutStatus abut_csv_table_open_any(AbutCsvTable *table, const char *name, int n, const char *const *columns,
                                   AbutError *error)
{
	return open_file(table, NULL, name, n, columns, error);
}

static AbutStatus fail_row(const AbutCsvTable *table, int n, bool quotes_match, AbutError *error)
{
	if (quotes_match) {
		abut_error_set(error, ABUT_ERROR_PARSE, NULL, "a row must have %d fields, as the first line, has %d",
		               table->n_fields, n);
	} else {
		abut_error_set(error, ABUT_ERROR_PARSE, NULL,
		               "field %d has a quote out of place; a quoted field ends with one, and the quotes inside "
		               "are doubled",
		               n + 1);
	}
	return at_line(table, error);
}

AbutStatus abut_csv_table_next(AbutCsvTable *table, bool *more, AbutError *error)
{
	char *at = next_line(table);
	int n = 0;
	*more = at != NULL;
	if (!at) {
		return ABUT_OK;
	}
	for (char *field; at && (field = abut_csv_next(&at)); n++) {
		if (n < table->n_fields && table->column[n] >= 0) {
			table->fields[table->column[n]] = field;
		}
	}
	return !at && n == table->n_fields ? ABUT_OK : fail_row(table, n, !at, error);
}

void abut_csv_table_close(AbutCsvTable *table)
{
	free(table->text);
	free(table->path);
	memset(table, 0, sizeof *table);
}

AbutStatus abut_csv_table_numbers(const AbutCsvTable *table, int column, int n, double *out, AbutError *error)
{
	for (int i = 0; i < n; i++) {
		if (!abut_number_parse(table->fields[column + i], &out[i])) {
			return abut_csv_table_fail(table, column + i, "a number", error);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_csv_table_integer(const AbutCsvTable *table, int column, int *out, AbutError *error)
{
	const char *text = table->fields[column];
	char *end = NULL;
	const long value = strtol(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > INT_MAX) {
		return abut_csv_table_fail(table, column, "a whole number from 0 to 2147483647", error);
	}
	*out = (int)value;
	return ABUT_OK;
}
