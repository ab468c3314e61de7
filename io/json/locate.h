/* Finds the line and column of a path in a JSON text by scanning the text again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Finds the line and column (from 1; a tab or a UTF-8 character is one column) of a byte of the text. */
void abut_text_position(const char *text, size_t length, size_t offset, int *line, int *column);

/* Finds the position of the value at `path`, or of its key (`at_key`); `occurrence` (from 1) selects one of several
 * duplicates. If the path is not in the text, finds the nearest enclosing value. Keys are compared as written, so a key
 * written with escapes counts as absent. */
void abut_json_locate(const char *text, size_t length, const char *path, bool at_key, int occurrence, int *line,
                      int *column);
