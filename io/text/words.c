/* Formats, quotes and joins texts for messages, and finds the nearest name. */
#include "io/text/words.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t abut_utf8_length(const char *text, size_t length)
{
	const unsigned char *u = (const unsigned char *)text;
	const size_t n = length == 0 ? 0 : u[0] < 0x80 ? 1 : u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
	if (n == 0 || n > length || u[0] > 0xf4) {
		return 0;
	}
	for (size_t i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80) {
			return 0;
		}
	}
	/* The second byte reveals overlong forms, surrogates and values past U+10FFFF. */
	const bool bad = (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] >= 0xa0) ||
	                 (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] >= 0x90);
	return bad ? 0 : n;
}

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

char *abut_text_stem(const char *file)
{
	const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file;
	const char *dot = strrchr(start, '.');
	return abut_text_format("%.*s", (int)(dot && dot > start ? (size_t)(dot - start) : strlen(start)), start);
}

const char *abut_text_quote(const char *string, char out[ABUT_QUOTE_SIZE])
{
	const size_t length = strlen(string), limit = ABUT_QUOTE_SIZE - 16;
	size_t n = 0, i = 0;
	out[n++] = '"';
	while (i < length && n < limit) {
		const size_t step = abut_utf8_length(string + i, length - i);
		if (step > 1) {
			memcpy(out + n, string + i, step);
			n += step;
		} else {
			const unsigned char c = (unsigned char)string[i];
			out[n++] = (char)(c < 0x20 || c >= 0x7f ? '?' : c);
		}
		i += step > 1 ? step : 1;
	}
	memcpy(out + n, i < length ? "...\"" : "\"", i < length ? 5 : 2);
	return out;
}

enum { MAX_WORD = 31 };

/* Returns the edit distance, where swapping neighbours counts once (optimal string alignment). Words may have at most
 * MAX_WORD characters. */
static int distance(const char *a, const char *b)
{
	const int n = (int)strlen(a), m = (int)strlen(b);
	int rows[3][MAX_WORD + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2];
	for (int j = 0; j <= m; j++) {
		last[j] = j;
		before[j] = j;
	}
	for (int i = 1; i <= n; i++) {
		row[0] = i;
		for (int j = 1; j <= m; j++) {
			int best = last[j - 1] + (a[i - 1] != b[j - 1]);
			best = last[j] + 1 < best ? last[j] + 1 : best;
			best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < best) {
				best = before[j - 2] + 1;
			}
			row[j] = best;
		}
		int *const free_row = before;
		before = last;
		last = row;
		row = free_row;
	}
	return last[m];
}

const char *abut_text_nearest(const char *word, const char *const *names, int n_names)
{
	const size_t length = strlen(word);
	const char *best = NULL;
	int best_distance = 0;
	for (int i = 0; i < n_names; i++) {
		const size_t other = strlen(names[i]);
		if (length > MAX_WORD || other > MAX_WORD) {
			continue;
		}
		const int d = distance(word, names[i]);
		const int allowed = (int)(length > other ? length : other) / 3;
		if (d <= allowed && (!best || d < best_distance)) {
			best = names[i];
			best_distance = d;
		}
	}
	return best;
}

int abut_text_index(const char *word, const char *const *names, int n_names)
{
	for (int i = 0; i < n_names; i++) {
		if (strcmp(word, names[i]) == 0) {
			return i;
		}
	}
	return -1;
}

const char *abut_text_join(const char *const *names, int n_names, char *out, size_t size)
{
	size_t n = 0;
	out[0] = '\0';
	for (int i = 0; i < n_names; i++) {
		const size_t length = strlen(names[i]);
		if (n + length + sizeof ", ..." >= size) {
			snprintf(out + n, size - n, "%s", "...");
			break;
		}
		n += (size_t)snprintf(out + n, size - n, "%s%s", names[i], i + 1 < n_names ? ", " : "");
	}
	return out;
}

void abut_text_write_quoted(FILE *file, const char *text)
{
	fputc('\'', file);
	for (; *text; text++) {
		if (*text == '\'') {
			fputs("'\\''", file);
		} else {
			fputc(*text, file);
		}
	}
	fputc('\'', file);
}
