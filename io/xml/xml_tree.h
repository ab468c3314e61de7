/* A small XML file as a tree of elements and attributes; text between elements is not kept. */
#ifndef IO_XML_XML_TREE_H
#define IO_XML_XML_TREE_H

#include <stddef.h>

#include "abut/status.h"

typedef struct AbutXmlAttribute {
	char *name, *value;
} AbutXmlAttribute;

typedef struct AbutXml {
	char *name;
	const char *file; /* of the element, for messages; lives as long as the tree */
	int line, column; /* of its tag, from 1 */
	int n_attributes;
	AbutXmlAttribute *attributes;
	struct AbutXml *parent, *child, *next; /* first child; next sibling; NULL: none */
	struct AbutXml *last_child;
	char *path; /* owner of `file`, of a root; else NULL */
} AbutXml;

/* Reads the file `path` (at most 64 MiB, 200 elements deep, a million elements); `what` is such as "model", for
 * messages. Nothing else is read: a document that declares entities, of which it could be made larger than memory, or
 * that names other files, is refused. ABUT_ERROR_IO, ABUT_ERROR_PARSE with file, line and column, ABUT_ERROR_MEMORY. */
AbutStatus abut_xml_read(const char *path, const char *what, AbutXml **out, AbutError *error);
void abut_xml_free(AbutXml *root); /* NULL is fine */

/* Returns the value of an attribute, NULL if there is none. */
const char *abut_xml_get(const AbutXml *element, const char *attribute);
/* Returns the first child of the name, NULL if there is none. */
AbutXml *abut_xml_child(const AbutXml *element, const char *name);
/* Returns the next sibling of the same name, NULL if there is none. */
AbutXml *abut_xml_next(const AbutXml *element);

/* Fails with ABUT_ERROR_PARSE at the element. */
__attribute__((format(printf, 3, 4))) AbutStatus abut_xml_fail(const AbutXml *element, AbutError *error,
                                                               const char *format, ...);

#endif
