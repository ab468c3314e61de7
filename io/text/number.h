/* Writes and parses numbers and strings in the same way under every locale. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { ABUT_NUMBER_SIZE = 40 };

/* Writes `value` as %.17g, which reads back to the same bits. Returns `out`. */
const char *abut_number_text(double value, char out[ABUT_NUMBER_SIZE]);

/* Writes `value` with the fewest digits that read back to the same bits. Returns `out`. */
const char *abut_number_short(double value, char out[ABUT_NUMBER_SIZE]);

/* Parses all of `text` as a number, which may be `nan` or `inf`. Returns false if it is none. */
bool abut_number_parse(const char *text, double *out);

/* Writes a JSON number with the fewest digits (null if not finite); below, an array of `n` of them with `comma` (which
 * may have a space) in between, and a JSON string with its quotes. */
void abut_json_write_number(FILE *file, double value);
void abut_json_write_numbers(FILE *file, const char *comma, const double *values, int n);
void abut_json_write_string(FILE *file, const char *string);
