/* Writing a JSON tree as text. */
#ifndef IO_JSON_WRITE_H
#define IO_JSON_WRITE_H

#include <stdio.h>

#include "io/json/tree.h"

/* Writes the tree on one line, keys in their order, numbers in as few digits as read back to the same bits: the same
 * tree gives the same text. A number beyond the range of a double becomes null. */
void abut_json_write(FILE *file, const AbutJson *value);

#endif
