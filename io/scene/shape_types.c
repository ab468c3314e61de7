/* Registers shape types and reads the keys of their objects. */
#include "io/scene/shape_types.h"
#include "io/json/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/text/words.h"

AbutStatus abut_shape_types_create(AbutShapeTypes **out, AbutError *error)
{
	if (!out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "out",
		                      "out is NULL; it must point to where the registry goes");
	}
	*out = calloc(1, sizeof **out);
	return *out ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a registry of shapes");
}

void abut_shape_types_destroy(AbutShapeTypes *types)
{
	for (int i = 0; types && i < types->count; i++) {
		free(types->types[i]);
	}
	free(types);
}

void abut_shape_types_set_stop(AbutShapeTypes *types, const AbutStop *stop)
{
	types->stop = stop ? *stop : (AbutStop){NULL, NULL};
}

/* --- what may be added --- */

static AbutStatus check_word(const char *word, const char *what, AbutError *error)
{
	if (!word || word[0] == '\0' || strlen(word) >= ABUT_TYPE_NAME_SIZE) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "name",
		                      "the name of a %s is %s; it must have 1 to %d bytes", what,
		                      !word     ? "NULL"
		                      : word[0] ? "longer"
		                                : "empty",
		                      ABUT_TYPE_NAME_SIZE - 1);
	}
	return ABUT_OK;
}

static AbutStatus check_name(const AbutShapeTypes *types, const char *name, AbutError *error)
{
	for (int i = 0; i < ABUT_TYPE_COUNT; i++) {
		if (strcmp(name, abut_scene_type(i)) == 0) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "name",
			                      "\"%s\" is a built-in type; choose another name", name);
		}
	}
	for (int i = 0; i < types->count; i++) {
		if (strcmp(name, types->types[i]->name) == 0) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "name", "\"%s\" is registered already", name);
		}
	}
	return ABUT_OK;
}

static AbutStatus check_key(const AbutShapeType *type, int index, AbutError *error)
{
	static const char *const common[] = {"type", "position", "orientation"};
	const AbutShapeKey *key = &type->keys[index];
	ABUT_TRY(check_word(key->name, "key", error));
	bool taken = abut_text_index(key->name, common, 3) >= 0;
	for (int i = 0; i < index; i++) {
		taken = taken || strcmp(key->name, type->keys[i].name) == 0;
	}
	if (taken) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "keys",
		                      "the key \"%s\" of \"%s\" is listed twice, or is a key of every shape", key->name,
		                      type->name);
	}
	if (!(key->low <= key->high) || key->least < 0 || key->most < key->least) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "keys",
		    "the key \"%s\" of \"%s\" allows numbers from %g to %g, %d to %d of them; no value "
		    "satisfies this",
		    key->name, type->name, key->low, key->high, key->least, key->most);
	}
	return ABUT_OK;
}

static AbutStatus check_type(const AbutShapeTypes *types, const AbutShapeType *type, AbutError *error)
{
	AbutStatus status = check_word(type->name, "shape type", error);
	ABUT_THEN(status, check_name(types, type->name, error));
	if (status == ABUT_OK && (!type->create || type->n_keys < 0 || type->n_keys > ABUT_SHAPE_KEYS_MAX ||
	                          (type->n_keys > 0 && !type->keys))) {
		status =
		    abut_error_set(error, ABUT_ERROR_ARGUMENT, "keys",
		                   "\"%s\" has %d keys and %s constructor; it needs a constructor and 0 to %d keys",
		                   type->name, type->n_keys, type->create ? "a" : "no", ABUT_SHAPE_KEYS_MAX);
	}
	for (int i = 0; type->keys && i < type->n_keys && status == ABUT_OK; i++) {
		status = check_key(type, i, error);
	}
	if (status == ABUT_OK && types->count == ABUT_SHAPE_TYPES_MAX) {
		status = abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                        "a registry holds at most %d types; \"%s\" is one too many",
		                        ABUT_SHAPE_TYPES_MAX, type->name);
	}
	return status;
}

static void copy_type(const AbutShapeType *type, AbutRegisteredType *out)
{
	snprintf(out->name, sizeof out->name, "%s", type->name);
	snprintf(out->what, sizeof out->what, "a shape \"%s\"", type->name);
	out->n_keys = type->n_keys;
	out->create = type->create;
	out->data = type->data;
	int n = 0;
	out->all_names[n++] = "type";
	for (int i = 0; i < type->n_keys; i++) {
		out->keys[i] = type->keys[i];
		snprintf(out->key_names[i], sizeof out->key_names[i], "%s", type->keys[i].name);
		out->keys[i].name = out->all_names[n++] = out->key_names[i];
	}
	out->all_names[n++] = "position";
	out->all_names[n++] = "orientation";
	out->set = (AbutKeySet){out->what, out->all_names};
}

AbutStatus abut_shape_types_add(AbutShapeTypes *types, const AbutShapeType *type, AbutError *error)
{
	if (!types || !type) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "types and type must not be NULL");
	}
	ABUT_TRY(check_type(types, type, error));
	AbutRegisteredType *own = calloc(1, sizeof *own);
	if (!own) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the shape type \"%s\"",
		                      type->name);
	}
	copy_type(type, own);
	types->types[types->count++] = own;
	return ABUT_OK;
}

/* --- reading --- */

static void read_number(const AbutNode *node, const AbutShapeKey *key, double *out)
{
	abut_node_number(node, ABUT_ANY, out);
	if (abut_node_ok(node) && !(*out >= key->low && *out <= key->high)) {
		char allowed[80];
		if (isinf(key->high)) {
			snprintf(allowed, sizeof allowed, "a number of at least %g", key->low);
		} else if (isinf(key->low)) {
			snprintf(allowed, sizeof allowed, "a number of at most %g", key->high);
		} else {
			snprintf(allowed, sizeof allowed, "a number from %g to %g", key->low, key->high);
		}
		abut_node_fail_expected(node, allowed);
	}
}

static bool check_count(const AbutNode *member, const AbutShapeKey *key, int count)
{
	const int least = key->least > 1 ? key->least : 1;
	if (count >= least && (key->most == 0 || count <= key->most)) {
		return true;
	}
	char allowed[80];
	if (key->most == 0) {
		snprintf(allowed, sizeof allowed, "an array of at least %d", least);
	} else if (key->most == least) {
		snprintf(allowed, sizeof allowed, "an array of length %d", least);
	} else {
		snprintf(allowed, sizeof allowed, "an array of length %d to %d", least, key->most);
	}
	abut_node_fail_expected(member, allowed);
	return false;
}

/* Reads the numbers of a key; the caller frees them. NULL after an error. */
static double *read_key(const AbutNode *member, const AbutShapeKey *key, int *count)
{
	const bool array = key->kind != ABUT_SHAPE_KEY_NUMBER;
	const int width = key->kind == ABUT_SHAPE_KEY_POINTS ? 3 : 1;
	*count = 1;
	if (array) {
		if (!abut_node_check_array(member, "an array")) {
			return NULL;
		}
		*count = abut_json_count(member->value);
		if (!check_count(member, key, *count)) {
			return NULL;
		}
	}
	double *numbers = malloc((size_t)*count * (size_t)width * sizeof *numbers);
	if (!numbers) {
		abut_node_fail_memory(member);
		return NULL;
	}
	AbutNode row, entry;
	if (!array) {
		read_number(member, key, numbers);
	}
	for (bool more = array && abut_node_first(member, &row); more; more = abut_node_next(&row)) {
		double *out = &numbers[row.index * width];
		if (width == 1) {
			read_number(&row, key, out);
			continue;
		}
		abut_node_vector(&row, 3, ABUT_ANY, out);
		for (bool next = abut_node_first(&row, &entry); next; next = abut_node_next(&entry)) {
			read_number(&entry, key, &out[entry.index]);
		}
	}
	return numbers;
}

AbutStatus abut_registered_read(const AbutRegisteredType *type, const AbutNode *node, AbutShape **out, AbutError *error)
{
	AbutShapeValue values[ABUT_SHAPE_KEYS_MAX] = {{0, NULL}};
	double *numbers[ABUT_SHAPE_KEYS_MAX] = {NULL};
	for (int i = 0; i < type->n_keys; i++) {
		const AbutShapeKey *key = &type->keys[i];
		AbutNode member;
		const bool there = key->optional ? abut_node_get(node, key->name, &member)
		                                 : abut_node_require(node, key->name, &member);
		if (there) {
			numbers[i] = read_key(&member, key, &values[i].count);
			values[i].numbers = numbers[i];
		}
	}
	AbutStatus status = ABUT_OK;
	if (abut_node_ok(node)) {
		status = type->create(type->data, values, out, error);
		if (status == ABUT_OK && !*out) {
			status = abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
			                        "the constructor of \"%s\" returned neither a shape nor an error",
			                        type->name);
		}
	}
	for (int i = 0; i < type->n_keys; i++) {
		free(numbers[i]);
	}
	return status;
}
