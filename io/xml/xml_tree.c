/* Builds trees of XML with expat. */
#include "io/xml/xml_tree.h"

#include <expat.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/text/file_text.h"

enum { BYTES_MAX = 64 << 20, DEPTH_MAX = 200, ELEMENTS_MAX = 1000000 };

typedef struct Reading {
	XML_Parser parser;
	const char *file;
	AbutXml *root, *open; /* root element; innermost open element */
	int depth, n_elements;
	const char *refusal; /* why parsing was stopped; NULL: it was not */
	bool no_memory;
} Reading;

static void stop(Reading *reading, const char *refusal)
{
	reading->refusal = reading->refusal ? reading->refusal : refusal;
	XML_StopParser(reading->parser, XML_FALSE);
}

static void stop_memory(Reading *reading)
{
	reading->no_memory = true;
	XML_StopParser(reading->parser, XML_FALSE);
}

/* Copies the attributes, a NULL-terminated list of alternating names and values. */
static bool copy_attributes(AbutXml *element, const XML_Char **attributes)
{
	int n = 0;
	while (attributes[2 * n]) {
		n++;
	}
	element->attributes = n > 0 ? calloc((size_t)n, sizeof *element->attributes) : NULL;
	for (int i = 0; i < n && element->attributes; i++) {
		AbutXmlAttribute *to = &element->attributes[element->n_attributes++];
		to->name = strdup(attributes[2 * i]);
		to->value = strdup(attributes[2 * i + 1]);
		if (!to->name || !to->value) {
			return false;
		}
	}
	return n == element->n_attributes;
}

static void link_child(AbutXml *parent, AbutXml *child)
{
	child->parent = parent;
	if (parent->last_child) {
		parent->last_child->next = child;
	} else {
		parent->child = child;
	}
	parent->last_child = child;
}

static void XMLCALL on_start(void *context, const XML_Char *name, const XML_Char **attributes)
{
	Reading *reading = context;
	if (reading->refusal || reading->no_memory) {
		return;
	}
	if (reading->depth == DEPTH_MAX) {
		stop(reading, "elements are nested more than 200 deep");
		return;
	}
	if (++reading->n_elements > ELEMENTS_MAX) {
		stop(reading, "there are more than 1000000 elements");
		return;
	}
	AbutXml *const element = calloc(1, sizeof *element);
	if (!element) {
		stop_memory(reading);
		return;
	}
	if (reading->open) {
		link_child(reading->open, element);
	} else {
		reading->root = element;
	}
	element->file = reading->file;
	element->line = (int)XML_GetCurrentLineNumber(reading->parser);
	element->column = (int)XML_GetCurrentColumnNumber(reading->parser) + 1;
	element->name = strdup(name);
	reading->open = element;
	reading->depth++;
	if (!element->name || !copy_attributes(element, attributes)) {
		stop_memory(reading);
	}
}

static void XMLCALL on_end(void *context, const XML_Char *name)
{
	Reading *reading = context;
	(void)name;
	if (!reading->refusal && !reading->no_memory) {
		reading->open = reading->open->parent;
		reading->depth--;
	}
}

static void XMLCALL on_entity(void *context, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                              const XML_Char *base, const XML_Char *system, const XML_Char *public,
                              const XML_Char *notation)
{
	(void)name, (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public,
	    (void)notation;
	stop(context, "declares an entity, which is not supported; write its text where it is used");
}

static AbutStatus fail_at(const Reading *reading, AbutError *error, const char *reason)
{
	const AbutStatus status = reading->no_memory ? ABUT_ERROR_MEMORY : ABUT_ERROR_PARSE;
	abut_file_fail(error, reading->file, status, "%s", reading->no_memory ? "out of memory" : reason);
	if (error && !reading->no_memory) {
		snprintf(error->where, sizeof error->where, "XML");
		error->line = (int)XML_GetCurrentLineNumber(reading->parser);
		error->column = (int)XML_GetCurrentColumnNumber(reading->parser) + 1;
	}
	return status;
}

/* Refuses files of other formats, which are often given instead of XML. */
static AbutStatus refuse_others(const char *text, const char *path, const char *what, AbutError *error)
{
	static const struct {
		const char *start, *is;
	} others[] = {
	    {"{", "is JSON; a scene needs no import: `abut run` reads it"},
	    {"#usda", "is USD, which is not supported; export the robot as URDF or MJCF"},
	    {"PXR-USDC", "is USD, which is not supported; export the robot as URDF or MJCF"},
	    {"PK\x03\x04", "is an archive, such as USDZ; unpack it, or export the robot as URDF or MJCF"},
	};
	text += strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	text += strspn(text, " \t\r\n");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (strncmp(text, others[i].start, strlen(others[i].start)) == 0) {
			return abut_file_fail(error, path, ABUT_ERROR_PARSE, "the %s must be XML, but the file %s",
			                      what, others[i].is);
		}
	}
	return ABUT_OK;
}

static AbutStatus parse(const char *text, size_t length, const char *path, AbutXml **out, AbutError *error)
{
	Reading reading = {.parser = XML_ParserCreate(NULL)};
	char *const file = strdup(path);
	AbutStatus status = ABUT_OK;
	*out = NULL;
	reading.file = file;
	if (!reading.parser || !file || length > INT_MAX) {
		status = abut_file_fail(error, path, ABUT_ERROR_MEMORY, "out of memory");
	} else {
		XML_SetUserData(reading.parser, &reading);
		XML_SetElementHandler(reading.parser, on_start, on_end);
		XML_SetEntityDeclHandler(reading.parser, on_entity);
		if (XML_Parse(reading.parser, text, (int)length, 1) != XML_STATUS_OK) {
			reading.no_memory =
			    reading.no_memory || XML_GetErrorCode(reading.parser) == XML_ERROR_NO_MEMORY;
			status = fail_at(&reading, error,
			                 reading.refusal ? reading.refusal
			                                 : XML_ErrorString(XML_GetErrorCode(reading.parser)));
		}
	}
	if (reading.root) {
		reading.root->path = file;
	} else {
		free(file);
	}
	if (reading.parser) {
		XML_ParserFree(reading.parser);
	}
	if (status != ABUT_OK) {
		abut_xml_free(reading.root);
	} else {
		*out = reading.root;
	}
	return status;
}

AbutStatus abut_xml_read(const char *path, const char *what, AbutXml **out, AbutError *error)
{
	char *text = NULL;
	size_t length = 0;
	*out = NULL;
	AbutStatus status = abut_file_read(path, what, BYTES_MAX, &text, &length, error);
	ABUT_THEN(status, refuse_others(text, path, what, error));
	ABUT_THEN(status, parse(text, length, path, out, error));
	free(text);
	return status;
}

/* Frees the tree from the leaves upwards, without recursion. */
void abut_xml_free(AbutXml *root)
{
	AbutXml *at = root;
	while (at) {
		if (at->child) {
			AbutXml *const child = at->child;
			at->child = child->next;
			at = child;
			continue;
		}
		AbutXml *const parent = at == root ? NULL : at->parent;
		for (int i = 0; i < at->n_attributes; i++) {
			free(at->attributes[i].name);
			free(at->attributes[i].value);
		}
		free(at->attributes);
		free(at->name);
		free(at->path);
		free(at);
		at = parent;
	}
}

const char *abut_xml_get(const AbutXml *element, const char *attribute)
{
	for (int i = 0; element && i < element->n_attributes; i++) {
		if (strcmp(element->attributes[i].name, attribute) == 0) {
			return element->attributes[i].value;
		}
	}
	return NULL;
}

static AbutXml *find_from(AbutXml *element, const char *name)
{
	while (element && strcmp(element->name, name) != 0) {
		element = element->next;
	}
	return element;
}

AbutXml *abut_xml_child(const AbutXml *element, const char *name)
{
	return element ? find_from(element->child, name) : NULL;
}

AbutXml *abut_xml_next(const AbutXml *element)
{
	return find_from(element->next, element->name);
}
