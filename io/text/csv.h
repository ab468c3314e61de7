/* Writes and splits fields of CSV (RFC 4180) without line feeds in them. */
#pragma once

#include <stdio.h>

/* Writes a field, in quotes if necessary. */
void abut_csv_write_text(FILE *file, const char *text);
/* Writes a comma before each number. */
void abut_csv_write_numbers(FILE *file, const double *values, int n);

/* Splits the next field off the line `*at`, which ends with NUL and is overwritten. Moves `*at` past the field, or to
 * NULL after the last one. Returns NULL if a quote is out of place. */
char *abut_csv_next(char **at);
