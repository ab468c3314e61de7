/* Reads a small XML file into a tree of elements and attributes; text between elements is dropped. */
#pragma once

#include "abut/status.h"

typedef struct AbutXmlAttribute {
	char *name, *value;
} AbutXmlAttribute;

typedef struct AbutXml {
	char *name;
	const char *file; /* file of the element, for messages; valid as long as the tree */
	int line, column; /* position of its tag, from 1 */
	int n_attributes;
	AbutXmlAttribute *attributes;
	struct AbutXml *parent, *child, *next; /* parent, first child, next sibling; NULL: none */
	struct AbutXml *last_child;
	char *path; /* in a root: owns the text of `file`; otherwise NULL */
} AbutXml;

/* Reads the file `path` (at most 64 MiB, depth 200, a million elements); `what` is for messages, such as "model".
 * Refuses entity declarations, which could expand to more than the available memory or read other files. Returns
 * ABUT_ERROR_IO, ABUT_ERROR_PARSE with file, line and column, or ABUT_ERROR_MEMORY. */
AbutStatus abut_xml_read(const char *path, const char *what, AbutXml **out, AbutError *error);
void abut_xml_free(AbutXml *root); /* `root` may be NULL */

/* Returns the value of an attribute, or NULL if there is none. */
const char *abut_xml_get(const AbutXml *element, const char *attribute);
/* Returns the first child with the name, or NULL if there is none. */
AbutXml *abut_xml_child(const AbutXml *element, const char *name);
/* Returns the next sibling with the same name, or NULL if there is none. */
AbutXml *abut_xml_next(const AbutXml *element);
