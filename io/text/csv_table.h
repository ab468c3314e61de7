/* A table read from a CSV file, row by row, by the names of its columns: further columns and another order do no harm.
 */
#ifndef IO_TEXT_CSV_TABLE_H
#define IO_TEXT_CSV_TABLE_H

#include <stdbool.h>

#include "abut/status.h"

enum { ABUT_CSV_MAX_COLUMNS = 64 };

typedef struct AbutCsvTable {
	char *path, *text, *next; /* owned; the file's bytes, overwritten as rows are cut; the line after this one */
	long line;                /* number of the present line, from 1 */
	int n_fields, n_columns;  /* of the file; that were asked for */
	int column[ABUT_CSV_MAX_COLUMNS];          /* by field: which column that is, or -1 */
	const char *fields[ABUT_CSV_MAX_COLUMNS];  /* by column: of the present row, in `text` */
	const char *columns[ABUT_CSV_MAX_COLUMNS]; /* their names; not owned */
} AbutCsvTable;

/* Reads `folder/name`, or `name` when `folder` is NULL, and finds its `n` columns, whose names must outlive the table.
 * ABUT_ERROR_IO: it cannot be read; ABUT_ERROR_PARSE: a column is missing. The table is to be closed in any case. */
AbutStatus abut_csv_table_open(AbutCsvTable *table, const char *folder, const char *name, int n,
                               const char *const *columns, AbutError *error);
/* Reads the next row into `fields`; `*more` is false at the end. ABUT_ERROR_PARSE: the row has another number of
 * fields.
 */
AbutStatus abut_csv_table_next(AbutCsvTable *table, bool *more, AbutError *error);
void abut_csv_table_close(AbutCsvTable *table);

/* Reads `n` columns of the present row, from `column` on, as numbers; nan and inf are allowed. */
AbutStatus abut_csv_table_numbers(const AbutCsvTable *table, int column, int n, double *out, AbutError *error);
/* Reads one column as an integer from 0 to INT_MAX. */
AbutStatus abut_csv_table_integer(const AbutCsvTable *table, int column, int *out, AbutError *error);
/* Fails at the present row, with file and line: "COLUMN must be ALLOWED, is 'FIELD'". */
AbutStatus abut_csv_table_fail(const AbutCsvTable *table, int column, const char *allowed, AbutError *error);

#endif
