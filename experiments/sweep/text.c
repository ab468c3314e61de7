/* Makes strings of formats, JSON values and file names. */
#include "experiments/sweep/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json/write.h"

char *abut_text_format(const char *format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	const int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	char *const out = length >= 0 ? malloc((size_t)length + 1) : NULL;
	if (out) {
		vsnprintf(out, (size_t)length + 1, format, again);
	}
	va_end(again);
	return out;
}

char *abut_text_of_json(const AbutJson *value)
{
	char *text = NULL;
	size_t length = 0;
	FILE *file = open_memstream(&text, &length);
	if (!file) {
		return NULL;
	}
	abut_json_write(file, value);
	if (fclose(file) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

char *abut_text_of_label(const AbutJson *value)
{
	if (abut_json_type(value) == ABUT_JSON_STRING) {
		const char *string = abut_json_string(value), *c = string;
		while (*c && (unsigned char)*c >= 0x20 && *c != 0x7f) {
			c++;
		}
		if (*c == '\0') {
			return abut_text_format("%s", string);
		}
	}
	return abut_text_of_json(value);
}

char *abut_text_stem(const char *file)
{
	const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file;
	const char *dot = strrchr(start, '.');
	return abut_text_format("%.*s", (int)(dot && dot > start ? (size_t)(dot - start) : strlen(start)), start);
}
