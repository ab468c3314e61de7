/* Numbers and strings as text. */
#include "io/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* printf writes the locale's decimal point, which may be several bytes. */
static const char *use_point(char *out)
{
	const char *point = localeconv()->decimal_point;
	char *const at = strcmp(point, ".") != 0 ? strstr(out, point) : NULL;
	if (at) {
		const size_t n = strlen(point);
		*at = '.';
		memmove(at + 1, at + n, strlen(at + n) + 1);
	}
	return out;
}

const char *abut_number_text(double value, char out[ABUT_NUMBER_SIZE])
{
	snprintf(out, ABUT_NUMBER_SIZE, "%.17g", value);
	return use_point(out);
}

const char *abut_number_short(double value, char out[ABUT_NUMBER_SIZE])
{
	/* A decimal of up to 15 digits survives the way to a double and back, so that none of fewer digits is missed.
	 */
	for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		snprintf(out, ABUT_NUMBER_SIZE, "%.*g", digits, value);
		if (strtod(out, NULL) == value) {
			break;
		}
	}
	return use_point(out);
}

void abut_json_write_number(FILE *file, double value)
{
	char text[ABUT_NUMBER_SIZE];
	fputs(isfinite(value) ? abut_number_short(value, text) : "null", file);
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
