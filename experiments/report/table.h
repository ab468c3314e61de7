/* Builds a table of results: columns with names, and cells row by row. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct AbutColumn {
	const char *name;    /* name in files: lower case, with the unit if there is one */
	const char *heading; /* name on the page */
	int digits; /* significant digits on the page (files have all of them); ABUT_COLUMN_OF_FILES: not on the page */
} AbutColumn;

enum { ABUT_COLUMN_OF_FILES = -1 };

typedef struct AbutCell {
	char *text;    /* owned; NULL: the cell is a number */
	double number; /* NaN: an empty cell */
} AbutCell;

typedef struct AbutTable {
	char *name, *title; /* owned; `name` is the name of the file too */
	bool data;          /* only for files and figures: too long for the page */
	AbutColumn *columns;
	int n_columns, column_capacity;
	AbutCell *cells; /* (n_cells) in rows of n_columns */
	int n_cells, cell_capacity;
	char **notes; /* each owned: sentences under the table */
	int n_notes, note_capacity;
	bool failed; /* out of memory: the last additions are missing */
} AbutTable;

AbutTable *abut_table_create(const char *name, const char *title, bool data); /* NULL: out of memory */
void abut_table_destroy(AbutTable *table);                                    /* NULL is allowed */

/* Additions to a NULL table, whose creation failed, are ignored. Add all columns before the first cell. */
void abut_table_column(AbutTable *table, const char *name, const char *heading, int digits);
void abut_table_columns(AbutTable *table, int n, const AbutColumn *columns);
void abut_table_number(AbutTable *table, double value);
void abut_table_numbers(AbutTable *table, int n, const double *values);
/* Adds all the numbers given, or all columns of an array. */
#define ABUT_NUMBERS(table, ...)                                                                                       \
	abut_table_numbers(table, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__})
#define ABUT_COLUMNS(table, columns) abut_table_columns(table, sizeof(columns) / sizeof *(columns), columns)
void abut_table_text(AbutTable *table, const char *text);
__attribute__((format(printf, 2, 3))) void abut_table_format(AbutTable *table, const char *format, ...);

__attribute__((format(printf, 2, 3))) void abut_table_note(AbutTable *table, const char *format, ...);

int abut_table_rows(const AbutTable *table);
const AbutCell *abut_table_cell(const AbutTable *table, int row, int column);

/* Size of a cell as the page shows it. */
enum { ABUT_CELL_SIZE = 128 };
const char *abut_table_show(const AbutTable *table, int row, int column, char out[ABUT_CELL_SIZE]);
