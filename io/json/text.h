/* Small work on text for messages. */
#ifndef IO_JSON_TEXT_H
#define IO_JSON_TEXT_H

#include <stddef.h>
#include <stdio.h>

enum { ABUT_QUOTE_SIZE = 64 };

/* `string` in double quotes, cut short between characters after some 40 bytes, control characters as '?', so that it
 * fits one line of a message. Returns `out`. */
const char *abut_text_quote(const char *string, char out[ABUT_QUOTE_SIZE]);

/* `text` as a word for a shell: in single quotes, in which it takes every other character as it is. */
void abut_text_write_quoted(FILE *file, const char *text);

/* Index of the name nearest to `word` when it is near enough to be a slip of the keyboard, otherwise -1. */
int abut_text_nearest(const char *word, const char *const *names, int n_names);

/* The names joined by ", ", cut short with "..." when they do not fit `size` bytes. Returns `out`. */
const char *abut_text_join(const char *const *names, int n_names, char *out, size_t size);

#endif
