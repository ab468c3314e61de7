/* Writes and parses numbers, and writes JSON strings. */
#include "io/text/number.h"

#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "io/text/words.h"

/* Replaces the decimal point of the locale, which may have several bytes, by a dot. */
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
	/* Decimals of up to 15 digits survive conversion to double and back. Normal numbers can start with 15 digits:
	 * %g drops trailing zeros. */
	for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		snprintf(out, ABUT_NUMBER_SIZE, "%.*g", digits, value);
		if (strtod(out, NULL) == value) {
			break;
		}
	}
	return use_point(out);
}

bool abut_number_parse(const char *text, double *out)
{
	const char *const locale_point = localeconv()->decimal_point;
	char copy[2 * ABUT_NUMBER_SIZE];
	const char *const point = strcmp(locale_point, ".") != 0 ? strchr(text, '.') : NULL;
	if (point) {
		const int n =
		    snprintf(copy, sizeof copy, "%.*s%s%s", (int)(point - text), text, locale_point, point + 1);
		if (n < 0 || (size_t)n >= sizeof copy) {
			return false;
		}
		text = copy;
	}
	char *end = NULL;
	*out = strtod(text, &end);
	return end != text && *end == '\0' && !isspace((unsigned char)text[0]);
}

void abut_json_write_number(FILE *file, double value)
{
	char text[ABUT_NUMBER_SIZE];
	fputs(isfinite(value) ? abut_number_short(value, text) : "null", file);
}

void abut_json_write_numbers(FILE *file, const char *comma, const double *values, int n)
{
	fputc('[', file);
	for (int i = 0; i < n; i++) {
		fputs(i > 0 ? comma : "", file);
		abut_json_write_number(file, values[i]);
	}
	fputc(']', file);
}

/* A byte that is not valid UTF-8, which file names may contain, becomes the replacement character. */
void abut_json_write_string(FILE *file, const char *string)
{
	fputc('"', file);
	for (const char *c = string; *c; c++) {
		const size_t n = abut_utf8_length(c, strnlen(c, 4));
		if (n == 0) {
			fputs("\\ufffd", file);
		} else if (n > 1) {
			fwrite(c, 1, n, file);
			c += n - 1;
		} else if (*c == '"' || *c == '\\') {
			fputc('\\', file);
			fputc(*c, file);
		} else if (*c < 0x20 || *c == 0x7f) {
			fprintf(file, "\\u%04x", (unsigned)*c);
		} else {
			fputc(*c, file);
		}
	}
	fputc('"', file);
}
