/* Pieces of text. */
#ifndef IO_TEXT_WORDS_H
#define IO_TEXT_WORDS_H

#include <stddef.h>
#include <stdio.h>

/* Returns the length of the UTF-8 character at `text` with `length` bytes left, 0 if it is malformed. */
size_t abut_utf8_length(const char *text, size_t length);

/* Returns a formatted string; the caller frees it. NULL: out of memory. */
__attribute__((format(printf, 1, 2))) char *abut_text_format(const char *format, ...);
/* Returns the name of a file without folder and ending; the caller frees it. NULL: out of memory. */
char *abut_text_stem(const char *file);

enum { ABUT_QUOTE_SIZE = 64 };

/* Writes `string` in double quotes, cut off after some 40 bytes, with '?' for control characters, so that it fits one
 * line of a message. Returns `out`. */
const char *abut_text_quote(const char *string, char out[ABUT_QUOTE_SIZE]);

/* Writes `text` as a word for a shell, in single quotes. */
void abut_text_write_quoted(FILE *file, const char *text);

/* Returns the index of the name nearest to `word`, -1 if none is near enough to be a typing error. */
int abut_text_nearest(const char *word, const char *const *names, int n_names);

/* Joins the names by ", ", cut off with "..." if they do not fit `size` bytes. Returns `out`. */
const char *abut_text_join(const char *const *names, int n_names, char *out, size_t size);

#endif
