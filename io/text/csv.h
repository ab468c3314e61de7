/* Fields of CSV (RFC 4180) without line feeds in them. */
#ifndef IO_TEXT_CSV_H
#define IO_TEXT_CSV_H

#include <stdio.h>

/* Writes a field, in quotes if necessary. */
void abut_csv_write_text(FILE *file, const char *text);

/* Cuts the next field out of the line at `*at` (NUL-terminated, overwritten) and moves `*at` past it, to NULL after the
 * last one. NULL when a quote is out of place. */
char *abut_csv_next(char **at);

#endif
