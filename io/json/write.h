/* Writes a JSON tree as text. */
#pragma once

#include <stdio.h>

#include "io/json/tree.h"

/* Writes the tree on one line, with keys in their order, so that the same tree gives the same text. Numbers have the
 * fewest digits that read back to the same bits. A number beyond the range of a double becomes null. */
void abut_json_write(FILE *file, const AbutJson *value);
