/* A JSON tree as text again. */
#ifndef IO_JSON_WRITE_H
#define IO_JSON_WRITE_H

#include <stdio.h>

#include "io/json/tree.h"

/* On one line, keys in their order, numbers in as few digits as read back to the same bits: the same tree gives the
 * same text. A number past the range of a double is null. */
void abut_json_write(FILE *file, const AbutJson *value);

#endif
