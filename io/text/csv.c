/* Writes and splits fields of CSV. */
#include "io/text/csv.h"

#include <string.h>

#include "io/text/number.h"

void abut_csv_write_text(FILE *file, const char *text)
{
	if (!strpbrk(text, ",\"")) {
		fputs(text, file);
		return;
	}
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"') {
			fputc('"', file);
		}
		fputc(*text, file);
	}
	fputc('"', file);
}

void abut_csv_write_numbers(FILE *file, const double *values, int n)
{
	char text[ABUT_NUMBER_SIZE];
	for (int i = 0; i < n; i++) {
		fputc(',', file);
		fputs(abut_number_text(values[i], text), file);
	}
}

/* Ends the field at `out` with a NUL, and moves `*at` past it. `end`, which follows the field in the line, must be a
 * comma or the end of the line; otherwise returns NULL. */
static char *finish(char *field, char *out, const char *end, char **at)
{
	const char last = *end;
	if (last != ',' && last != '\0') {
		return NULL;
	}
	*at += end - *at + (last == ',');
	if (last == '\0') {
		*at = NULL;
	}
	*out = '\0';
	return field;
}

char *abut_csv_next(char **at)
{
	char *const start = *at;
	if (*start != '"') {
		char *const end = start + strcspn(start, ",");
		return finish(start, end, end, at);
	}
	char *out = start;
	const char *in = start + 1;
	for (; *in && (*in != '"' || in[1] == '"'); in++) {
		in += *in == '"';
		*out++ = *in;
	}
	return *in == '"' ? finish(start, out, in + 1, at) : NULL;
}
