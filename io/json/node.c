/* Finds members and elements of a JSON tree and records errors at them. */
#include "io/json/node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/json/path.h"
#include "io/text/words.h"

bool abut_node_ok(const AbutNode *node)
{
	return node->reader->status == ABUT_OK;
}

void abut_node_path(const AbutNode *node, char path[ABUT_NODE_PATH_SIZE])
{
	if (!node->parent) {
		path[0] = '\0';
		return;
	}
	abut_node_path(node->parent, path);
	if (node->key) {
		abut_path_append_key(path, ABUT_NODE_PATH_SIZE, node->key, strlen(node->key));
	} else {
		abut_path_append_index(path, ABUT_NODE_PATH_SIZE, node->index);
	}
}

__attribute__((format(printf, 5, 0))) static void fail_at(const AbutNode *node, bool at_key, int occurrence,
                                                          AbutStatus status, const char *format, va_list arguments)
{
	AbutReader *reader = node->reader;
	if (reader->status != ABUT_OK) {
		return;
	}
	char path[ABUT_NODE_PATH_SIZE], message[sizeof reader->error->message];
	abut_node_path(node, path);
	vsnprintf(message, sizeof message, format, arguments);
	reader->status = abut_error_set(reader->error, status, path, "%s", message);
	abut_source_locate(reader->source, at_key, occurrence, reader->error);
}

void abut_node_fail(const AbutNode *node, AbutStatus status, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fail_at(node, false, 1, status, format, arguments);
	va_end(arguments);
}

void abut_node_fail_key(const AbutNode *node, int occurrence, AbutStatus status, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fail_at(node, true, occurrence, status, format, arguments);
	va_end(arguments);
}

void abut_node_warn(const AbutNode *node, const char *format, ...)
{
	AbutError note = {0};
	va_list arguments;
	if (!node->reader->notes) {
		return;
	}
	va_start(arguments, format);
	vsnprintf(note.message, sizeof note.message, format, arguments);
	va_end(arguments);
	abut_node_path(node, note.where);
	abut_source_locate(node->reader->source, false, 1, &note);
	abut_notes_add(node->reader->notes, &note);
}

void abut_node_fail_memory(const AbutNode *node)
{
	if (abut_node_ok(node)) {
		node->reader->status =
		    abut_error_set(node->reader->error, ABUT_ERROR_MEMORY, NULL, "out of memory reading the scene");
	}
}

/* Describes a value in words for a message. */
static void describe(const AbutJson *value, char *out, size_t size)
{
	char quoted[ABUT_QUOTE_SIZE];
	switch (abut_json_type(value)) {
	case ABUT_JSON_NULL:
		snprintf(out, size, "null");
		break;
	case ABUT_JSON_BOOL:
		snprintf(out, size, "%s", abut_json_bool(value) ? "true" : "false");
		break;
	case ABUT_JSON_NUMBER:
		if (abut_json_number(value) - abut_json_number(value) == 0.0) {
			snprintf(out, size, "%.9g", abut_json_number(value));
		} else {
			snprintf(out, size, "past the range of a double");
		}
		break;
	case ABUT_JSON_STRING:
		snprintf(out, size, "the string %s", abut_text_quote(abut_json_string(value), quoted));
		break;
	case ABUT_JSON_ARRAY:
		snprintf(out, size, "an array of length %d", abut_json_count(value));
		break;
	case ABUT_JSON_OBJECT:
		snprintf(out, size, "an object");
		break;
	}
}

void abut_node_fail_expected(const AbutNode *node, const char *expected)
{
	char actual[ABUT_QUOTE_SIZE + 16];
	describe(node->value, actual, sizeof actual);
	abut_node_fail(node, ABUT_ERROR_PARSE, "must be %s, is %s", expected, actual);
}

bool abut_node_get(const AbutNode *object, const char *key, AbutNode *member)
{
	if (!abut_node_ok(object)) {
		return false;
	}
	const AbutJson *value = abut_json_get(object->value, key);
	*member = (AbutNode){object->reader, object, value, key, 0};
	return value != NULL;
}

bool abut_node_require(const AbutNode *object, const char *key, AbutNode *member)
{
	if (abut_node_get(object, key, member)) {
		return true;
	}
	if (abut_node_ok(object)) {
		abut_node_fail(member, ABUT_ERROR_PARSE, "required key \"%s\" is missing", key);
	}
	return false;
}

bool abut_node_first(const AbutNode *container, AbutNode *child)
{
	const AbutJson *value = abut_node_ok(container) ? abut_json_first(container->value) : NULL;
	*child = (AbutNode){container->reader, container, value, value ? abut_json_key(value) : NULL, 0};
	return value != NULL;
}

bool abut_node_next(AbutNode *child)
{
	child->value = abut_node_ok(child) ? abut_json_next(child->value) : NULL;
	child->key = child->value ? abut_json_key(child->value) : NULL;
	child->index++;
	return child->value != NULL;
}

static int find(const char *const *names, const char *key)
{
	for (int i = 0; names[i]; i++) {
		if (strcmp(names[i], key) == 0) {
			return i;
		}
	}
	return -1;
}

static void fail_unknown_key(const AbutNode *member, const AbutKeySet *keys)
{
	char quoted[ABUT_QUOTE_SIZE];
	int n = 0;
	while (keys->names[n]) {
		n++;
	}
	abut_text_quote(member->key, quoted);
	const char *nearest = abut_text_nearest(member->key, keys->names, n);
	if (nearest) {
		abut_node_fail_key(member, 1, ABUT_ERROR_PARSE, "unknown key %s in %s; did you mean \"%s\"?", quoted,
		                   keys->what, nearest);
	} else {
		char allowed[300];
		abut_node_fail_key(member, 1, ABUT_ERROR_PARSE, "unknown key %s in %s; allowed: %s", quoted, keys->what,
		                   abut_text_join(keys->names, n, allowed, sizeof allowed));
	}
}

bool abut_node_check_keys(const AbutNode *node, const AbutKeySet *keys)
{
	AbutNode member;
	abut_node_check_type(node, ABUT_JSON_OBJECT, "an object");
	unsigned long seen = 0; /* one bit per key; no set has more than 32 keys */
	for (bool more = abut_node_first(node, &member); more; more = abut_node_next(&member)) {
		const int i = find(keys->names, member.key);
		if (i < 0) {
			fail_unknown_key(&member, keys);
		} else if (seen & 1ul << i) {
			abut_node_fail_key(&member, 2, ABUT_ERROR_PARSE, "the key \"%s\" is given twice in %s",
			                   member.key, keys->what);
		} else {
			seen |= 1ul << i;
		}
	}
	return abut_node_ok(node);
}

bool abut_node_check_type(const AbutNode *node, AbutJsonType type, const char *expected)
{
	if (abut_node_ok(node) && abut_json_type(node->value) != type) {
		abut_node_fail_expected(node, expected);
	}
	return abut_node_ok(node);
}

bool abut_node_check_array(const AbutNode *node, const char *expected)
{
	return abut_node_check_type(node, ABUT_JSON_ARRAY, expected);
}

bool abut_node_check_count(const AbutNode *node, int n, const char *expected)
{
	if (abut_node_check_array(node, expected) && abut_json_count(node->value) != n) {
		abut_node_fail_expected(node, expected);
	}
	return abut_node_ok(node);
}
