/* Notes elements and attributes that a language of models does not have. */
#pragma once

#include "io/robot/model_parts.h"

/* An element of a language. Names are separated by spaces. */
typedef struct AbutKnown {
	const char *parents;    /* elements in which it may be */
	const char *tag;        /* its names */
	const char *attributes; /* NULL: neither its attributes nor the elements in it are checked */
} AbutKnown;

/* Notes each unknown element and attribute within `root` once, with the nearest known name. Names with a colon, of
 * other name spaces, are passed over, and so are unknown elements in those that `silent` lists, which others note. */
void abut_importer_check_known(AbutImporter *importer, const AbutXml *root, const AbutKnown *rows, int n_rows,
                               const char *language, const char *silent);
