/* Numbers and strings as text, the same under every locale. */
#ifndef IO_TEXT_NUMBER_H
#define IO_TEXT_NUMBER_H

#include <stdbool.h>
#include <stdio.h>

enum { ABUT_NUMBER_SIZE = 40 };

/* `value` as %.17g, which reads back to the same bits. Returns `out`. */
const char *abut_number_text(double value, char out[ABUT_NUMBER_SIZE]);

/* The same in as few digits as read back to the same bits. */
const char *abut_number_short(double value, char out[ABUT_NUMBER_SIZE]);

/* The number that all of `text` is, `nan` and `inf` among them; false when it is none. */
bool abut_number_parse(const char *text, double *out);

/* A JSON number in few digits (null when not finite) and a JSON string with its quotes. */
void abut_json_write_number(FILE *file, double value);
void abut_json_write_string(FILE *file, const char *string);

#endif
