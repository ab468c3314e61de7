/* Quoting, joining and the nearest name, for messages. */
#include "io/json/text.h"

#include <stdio.h>
#include <string.h>

#include "io/json/scan.h"

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

/* Edit distance with swaps of neighbours (optimal string alignment), of words of at most MAX_WORD characters. */
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

int abut_text_nearest(const char *word, const char *const *names, int n_names)
{
	const size_t length = strlen(word);
	int best = -1, best_distance = 0;
	for (int i = 0; i < n_names; i++) {
		const size_t other = strlen(names[i]);
		if (length > MAX_WORD || other > MAX_WORD) {
			continue;
		}
		const int d = distance(word, names[i]);
		const int allowed = (int)(length > other ? length : other) / 3;
		if (d <= allowed && (best < 0 || d < best_distance)) {
			best = i;
			best_distance = d;
		}
	}
	return best;
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
