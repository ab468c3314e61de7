/* Formats, quotes and joins texts. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Returns the length of the UTF-8 character at `text`, of which `length` bytes are left, or 0 if it is malformed. */
size_t abut_utf8_length(const char *text, size_t length);

/* Returns a formatted string; the caller frees it. NULL: out of memory. */
__attribute__((format(printf, 1, 2))) char *abut_text_format(const char *format, ...);
/* Returns the name of a file without folder and extension; the caller frees it. NULL: out of memory. */
char *abut_text_stem(const char *file);

enum { ABUT_QUOTE_SIZE = 64 };

/* Writes `string` in double quotes and returns `out`. The string is cut off after about 48 bytes; control characters
 * and invalid bytes become '?', so that it fits on one line of a message. */
const char *abut_text_quote(const char *string, char out[ABUT_QUOTE_SIZE]);

/* Writes `text` in single quotes as a shell word. */
void abut_text_write_quoted(FILE *file, const char *text);

/* Returns the index of the name that equals `word`, or -1. */
int abut_text_index(const char *word, const char *const *names, int n_names);
/* Returns the name nearest to `word`, or NULL if none is similar enough to be a typing error. */
const char *abut_text_nearest(const char *word, const char *const *names, int n_names);

/* Joins the names with ", "; ends with "..." if they do not fit into `size` bytes. Returns `out`. */
const char *abut_text_join(const char *const *names, int n_names, char *out, size_t size);
