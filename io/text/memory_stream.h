/* Opens streams that write to memory. Unlike open_memstream of glibc 2.36, they lose nothing in silence when memory
 * runs out. */
#pragma once

#include <stdio.h>

#include "io/text/bytes.h"

/* Returns a stream whose output is appended to `bytes` until fclose, or NULL if memory runs out. Output for which there
 * is no memory sets bytes->failed; ask for it after fclose. */
FILE *abut_memory_stream(AbutBytes *bytes);
/* Closes `stream`, which may be NULL. Returns whether all of its output is in `bytes`. */
bool abut_memory_stream_close(FILE *stream, const AbutBytes *bytes);
/* Closes `stream`, which may be NULL, appends a NUL, returns the text, which the caller frees, and empties `bytes`.
 * NULL: memory ran out. */
char *abut_memory_stream_text(FILE *stream, AbutBytes *bytes);
