/* Numbers and strings as text. */
#include "io/number.h"

#include <locale.h>
#include <math.h>
#include <string.h>

const char *abut_number_text(double value, char out[ABUT_NUMBER_SIZE])
{
	snprintf(out, ABUT_NUMBER_SIZE, "%.17g", value);
	/* printf writes the locale's decimal point, which may be several bytes. */
	const char *point = localeconv()->decimal_point;
	char *const at = strcmp(point, ".") != 0 ? strstr(out, point) : NULL;
	if (at) {
		const size_t n = strlen(point);
		*at = '.';
		memmove(at + 1, at + n, strlen(at + n) + 1);
	}
	return out;
}

void abut_json_write_number(FILE *file, double value)
{
	char text[ABUT_NUMBER_SIZE];
	fputs(isfinite(value) ? abut_number_text(value, text) : "null", file);
}

void abut_json_write_string(FILE *file, const char *string)
{
	fputc('"', file);
	for (const char *c = string; *c; c++) {
		if (*c == '"' || *c == '\\') {
			fputc('\\', file);
			fputc(*c, file);
		} else if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			fprintf(file, "\\u%04x", (unsigned)*c);
		} else {
			fputc(*c, file);
		}
	}
	fputc('"', file);
}
