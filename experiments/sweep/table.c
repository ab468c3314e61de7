/* Reads runs.csv and times.csv. */
#include "experiments/sweep/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/sweep/folder.h"
#include "experiments/sweep/record.h"
#include "experiments/sweep/text.h"
#include "io/text/csv.h"
#include "io/text/file_text.h"
#include "io/text/words.h"

/* The fields are inside copies of the lines. */
struct AbutSweepTable {
	long n_rows, n_lines;
	int n_columns, n_results; /* number of columns, and how many of them are from runs.csv */
	const char **names;       /* (n_columns) owned array */
	const char **fields;      /* (n_rows x n_columns) owned array */
	char **lines;             /* (n_lines) owned */
};

static int count_fields(const char *line)
{
	int n = 0;
	char *const copy = abut_text_format("%s", line);
	for (char *at = copy; at && abut_csv_next(&at);) {
		n++;
	}
	free(copy);
	return n;
}

/* Splits a line into exactly `n` fields and keeps the fields from index `first` on. */
static AbutStatus split(AbutSweepTable *table, const char *line, int first, int n, const char **fields,
                        const char *path, AbutError *error)
{
	char *const copy = abut_text_format("%s", line), *at = copy;
	if (!copy) {
		return abut_sweep_fail_memory(error);
	}
	table->lines[table->n_lines++] = copy;
	for (int i = 0; i < n; i++) {
		const char *field = at ? abut_csv_next(&at) : NULL;
		if (!field || (i == n - 1 && at)) {
			abut_file_fail(error, path, ABUT_ERROR_ARGUMENT, "a row does not have %d fields: %.60s", n,
			               line);
			return ABUT_ERROR_ARGUMENT;
		}
		if (i >= first) {
			fields[i - first] = field;
		}
	}
	return ABUT_OK;
}

/* Fills the table: the first columns from runs.csv, then those of times.csv except the run number. */
static AbutStatus fill(AbutSweepTable *table, const AbutSweepContents *contents, const char *folder, AbutError *error)
{
	const AbutSweepLines *results = &contents->tables[ABUT_SWEEP_RESULTS],
	                     *times = &contents->tables[ABUT_SWEEP_TIMES];
	const int n_times = table->n_columns - table->n_results;
	AbutStatus status = split(table, results->header, 0, table->n_results, table->names, folder, error);
	if (status == ABUT_OK && n_times > 0) {
		status = split(table, times->header, 1, n_times + 1, table->names + table->n_results, folder, error);
	}
	for (long i = 0; status == ABUT_OK && i < results->n_runs; i++) {
		const char **fields = &table->fields[table->n_rows * table->n_columns];
		if (!results->rows[i]) {
			continue;
		}
		status = split(table, results->rows[i], 0, table->n_results, fields, folder, error);
		for (int j = 0; j < n_times; j++) {
			fields[table->n_results + j] = "";
		}
		if (status == ABUT_OK && times->rows[i] && n_times > 0) {
			status = split(table, times->rows[i], 1, n_times + 1, fields + table->n_results, folder, error);
		}
		table->n_rows++;
	}
	return status;
}

static AbutStatus make_table(const AbutSweepContents *contents, const char *folder, AbutSweepTable *table,
                             AbutError *error)
{
	const AbutSweepLines *results = &contents->tables[ABUT_SWEEP_RESULTS],
	                     *times = &contents->tables[ABUT_SWEEP_TIMES];
	if (!results->header) {
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT, "the folder contains no runs.csv");
	}
	long n_rows = 0;
	for (long i = 0; i < results->n_runs; i++) {
		n_rows += results->rows[i] != NULL;
	}
	const int n_results = count_fields(results->header), n_times = times->header ? count_fields(times->header) : 1;
	if (n_results < 1 || n_times < 1) {
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT, "a table in the folder has no columns");
	}
	table->n_results = n_results;
	table->n_columns = n_results + n_times - 1;
	table->names = calloc((size_t)table->n_columns + 1, sizeof *table->names);
	table->fields = calloc((size_t)n_rows * (size_t)table->n_columns + 1, sizeof *table->fields);
	table->lines = calloc((size_t)(n_rows + 1), 2 * sizeof *table->lines);
	if (!table->names || !table->fields || !table->lines) {
		return abut_sweep_fail_memory(error);
	}
	return fill(table, contents, folder, error);
}

AbutStatus abut_sweep_table_read(const char *folder, AbutSweepTable **out, AbutError *error)
{
	AbutError local = {0};
	error = error ? error : &local;
	*out = NULL;
	AbutSweepRecord record;
	AbutSweepContents contents;
	bool found = false;
	ABUT_TRY(abut_sweep_record_read(folder, &record, &found, error));
	abut_sweep_record_free(&record);
	if (!found) {
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT, "the folder contains no sweep.json");
	}
	ABUT_TRY(abut_sweep_contents_init(&contents, record.runs, error));
	AbutSweepTable *table = calloc(1, sizeof *table);
	AbutStatus status = table ? abut_sweep_contents_read(&contents, folder, error) : abut_sweep_fail_memory(error);
	ABUT_THEN(status, make_table(&contents, folder, table, error));
	abut_sweep_contents_free(&contents);
	if (status != ABUT_OK) {
		abut_sweep_table_destroy(table);
		return status;
	}
	*out = table;
	return ABUT_OK;
}

void abut_sweep_table_destroy(AbutSweepTable *table)
{
	if (!table) {
		return;
	}
	for (long i = 0; i < table->n_lines; i++) {
		free(table->lines[i]);
	}
	free(table->lines);
	free(table->names);
	free(table->fields);
	free(table);
}

long abut_sweep_table_rows(const AbutSweepTable *table)
{
	return table->n_rows;
}

int abut_sweep_table_column(const AbutSweepTable *table, const char *name)
{
	return abut_text_index(name, table->names, table->n_columns);
}

const char *abut_sweep_table_text(const AbutSweepTable *table, long row, int column)
{
	return column >= 0 ? table->fields[row * table->n_columns + column] : "";
}

double abut_sweep_table_number(const AbutSweepTable *table, long row, int column)
{
	const char *text = abut_sweep_table_text(table, row, column);
	char *end = NULL;
	const double value = strtod(text, &end);
	return end != text && *end == '\0' ? value : (double)NAN;
}
