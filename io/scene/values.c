/* Reads values used by several parts of a scene. */
#include "io/scene/values.h"

#include <stdlib.h>

#include "io/json/read.h"
#include "io/text/words.h"

double abut_scene_require_number(const AbutNode *node, const char *key, AbutRange range)
{
	double value = 0.0;
	abut_require_number(node, key, range, &value);
	return value;
}

double *abut_scene_read_rows(const AbutNode *node, const char *key, int width, int *n)
{
	AbutNode member, row;
	if (!abut_node_require(node, key, &member) || !abut_node_check_array(&member, "an array")) {
		return NULL;
	}
	*n = abut_json_count(member.value);
	if (*n == 0) {
		abut_node_fail_expected(&member, "an array that is not empty");
		return NULL;
	}
	double *const values = malloc((size_t)*n * (size_t)width * sizeof *values);
	if (!values) {
		abut_node_fail_memory(node);
		return NULL;
	}
	for (bool more = abut_node_first(&member, &row); more; more = abut_node_next(&row)) {
		double *const out = &values[(size_t)row.index * (size_t)width];
		if (width == 1) {
			abut_node_number(&row, ABUT_ANY, out);
		} else {
			abut_node_vector(&row, width, ABUT_ANY, out);
		}
	}
	if (!abut_node_ok(node)) {
		free(values);
		return NULL;
	}
	return values;
}

bool abut_scene_read_mass_properties(const AbutNode *node, AbutMassProperties *out)
{
	AbutNode given, inertia, row;
	if (!abut_node_get(node, "mass_properties", &given) ||
	    !abut_node_check_keys(&given, &abut_keys_mass_properties)) {
		return false;
	}
	out->volume = abut_scene_require_number(&given, "volume", ABUT_POSITIVE);
	abut_require_vector(&given, "centre_of_mass", 3, ABUT_ANY, out->centre_of_mass);
	if (abut_node_require(&given, "inertia", &inertia) &&
	    abut_node_check_count(&inertia, 3, "3 rows of 3 numbers")) {
		for (bool more = abut_node_first(&inertia, &row); more; more = abut_node_next(&row)) {
			abut_node_vector(&row, 3, ABUT_ANY, &out->inertia[3 * row.index]);
		}
	}
	return abut_node_ok(node);
}

void abut_scene_fail_unknown(const AbutNode *node, const char *what, const char *word, const AbutNames *known)
{
	enum { MAX_LISTED = 64 };
	const char *names[MAX_LISTED];
	char quoted[ABUT_QUOTE_SIZE], list[160];
	const int n = known->count < MAX_LISTED ? known->count : MAX_LISTED;
	for (int i = 0; i < n; i++) {
		names[i] = known->entries[i].name;
	}
	abut_text_quote(word, quoted);
	const char *nearest = abut_text_nearest(word, names, n);
	if (nearest) {
		abut_node_fail(node, ABUT_ERROR_PARSE, "unknown %s %s; did you mean \"%s\"?", what, quoted, nearest);
	} else if (known->count > 0) {
		abut_node_fail(node, ABUT_ERROR_PARSE, "unknown %s %s; the scene has %s", what, quoted,
		               abut_text_join(names, n, list, sizeof list));
	} else {
		abut_node_fail(node, ABUT_ERROR_PARSE, "unknown %s %s; the scene names no %s", what, quoted, what);
	}
}

int abut_scene_read_reference(const AbutNode *node, const char *what, const AbutNames *known)
{
	const int index = abut_names_find(known, abut_json_string(node->value));
	if (index < 0) {
		abut_scene_fail_unknown(node, what, abut_json_string(node->value), known);
	}
	return index;
}

void abut_scene_check_names(const AbutNode *list, const char *what, AbutNames *names)
{
	const int duplicate = abut_node_ok(list) ? abut_names_finish(names) : -1;
	if (duplicate < 0) {
		return;
	}
	AbutNode node, name;
	char quoted[ABUT_QUOTE_SIZE];
	abut_node_first(list, &node);
	while (node.index < duplicate) {
		abut_node_next(&node);
	}
	abut_node_get(&node, "name", &name);
	abut_node_fail(&name, ABUT_ERROR_PARSE, "two %s have the name %s; names must be unique", what,
	               abut_text_quote(abut_json_string(name.value), quoted));
}
