/* Reads a table from a CSV file row by row. Columns are found by name; their order and additional columns do not
 * matter. */
#pragma once

#include <stdbool.h>

#include "abut/status.h"

enum { ABUT_CSV_MAX_COLUMNS = 64 };

typedef struct AbutCsvTable {
	char *path, *text,
	    *next; /* path, and bytes of the file (overwritten by splitting), owned; start of the next line */
	long line; /* number of the current line, from 1 */
	int n_fields, n_columns;                   /* columns of the file; columns requested */
	int column[ABUT_CSV_MAX_COLUMNS];          /* for each field of the file, its requested column, or -1 */
	const char *fields[ABUT_CSV_MAX_COLUMNS];  /* fields of the current row by requested column, in `text` */
	const char *columns[ABUT_CSV_MAX_COLUMNS]; /* names of the requested columns; not owned */
} AbutCsvTable;

/* Reads `folder/name`, or `name` if `folder` is NULL, and finds its `n` columns. The column names must outlive the
 * table. Returns ABUT_ERROR_IO if the file cannot be read, ABUT_ERROR_PARSE if a column is missing. The table must be
 * closed also on failure. */
AbutStatus abut_csv_table_open(AbutCsvTable *table, const char *folder, const char *name, int n,
                               const char *const *columns, AbutError *error);
/* Opens a table like abut_csv_table_open, but columns may be missing. */
AbutStatus abut_csv_table_open_any(AbutCsvTable *table, const char *name, int n, const char *const *columns,
                                   AbutError *error);
/* Returns whether the file has the column. The `fields` of a missing column are NULL. */
bool abut_csv_table_has(const AbutCsvTable *table, int column);
/* Returns ABUT_ERROR_PARSE if one of `n` columns, starting with `column`, is missing. */
AbutStatus abut_csv_table_require(AbutCsvTable *table, int column, int n, AbutError *error);
/* Returns ABUT_ERROR_PARSE if both columns are missing. */
AbutStatus abut_csv_table_require_one(AbutCsvTable *table, int column, int other, AbutError *error);
/* Reads the next row into `fields`; `*more` is false at the end. Returns ABUT_ERROR_PARSE if the number of fields
 * differs from the header. */
AbutStatus abut_csv_table_next(AbutCsvTable *table, bool *more, AbutError *error);
void abut_csv_table_close(AbutCsvTable *table);

/* Reads `n` columns of the current row, starting with `column`, as numbers; nan and inf are allowed. */
AbutStatus abut_csv_table_numbers(const AbutCsvTable *table, int column, int n, double *out, AbutError *error);
/* Reads a column of the current row as an integer from 0 to INT_MAX. */
AbutStatus abut_csv_table_integer(const AbutCsvTable *table, int column, int *out, AbutError *error);
/* Reports an error in the current row, with file and line: "must be ALLOWED, is FIELD". The error names the column. */
AbutStatus abut_csv_table_fail(const AbutCsvTable *table, int column, const char *allowed, AbutError *error);
