/* From a path inside a JSON text to the line and column where it stands, by scanning the text again. */
#ifndef IO_JSON_LOCATE_H
#define IO_JSON_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

/* Line and column (from 1; a tab or a UTF-8 character is one column) of a byte of the text. */
void abut_text_position(const char *text, size_t length, size_t offset, int *line, int *column);

/* Position of the value at `path`, or of its key (`at_key`); of its `occurrence`-th writing (from 1) when the key is
 * duplicated. When the path is not in the text, the position of the nearest enclosing value that is. Keys are compared
 * as they are written, so one written with escapes counts as absent. */
void abut_json_locate(const char *text, size_t length, const char *path, bool at_key, int occurrence, int *line,
                      int *column);

#endif
