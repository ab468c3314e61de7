/* Reads overrides and distributions of a spec. */
#include "experiments/sweep/spec_overrides.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "experiments/sweep/text.h"
#include "io/json/path.h"
#include "io/text/words.h"

bool abut_sweep_add_override(AbutSweepOverrides *overrides, char *text, char *place)
{
	if (!text || !place ||
	    !abut_grow(&overrides->items, &overrides->capacity, overrides->count + 1, sizeof *overrides->items)) {
		free(text);
		free(place);
		return false;
	}
	overrides->items[overrides->count++] = (AbutSweepOverride){text, place};
	return true;
}

void abut_sweep_free_overrides(AbutSweepOverrides *overrides)
{
	for (int i = 0; i < overrides->count; i++) {
		free(overrides->items[i].text);
		free(overrides->items[i].place);
	}
	free(overrides->items);
}

bool abut_sweep_check_object(const AbutNode *node, const char *expected)
{
	if (abut_node_ok(node) && abut_json_type(node->value) != ABUT_JSON_OBJECT) {
		abut_node_fail_expected(node, expected);
	}
	AbutNode member;
	for (bool more = abut_node_first(node, &member); more; more = abut_node_next(&member)) {
		if (abut_json_get(node->value, member.key) != member.value) {
			abut_node_fail_key(&member, 2, ABUT_ERROR_PARSE, "this key occurs twice");
		}
	}
	return abut_node_ok(node);
}

/* Checks the path of an override. The method may only be set by its own axis; otherwise the labels of that axis would
 * be wrong. */
bool abut_sweep_check_path(const AbutNode *node, const char *path)
{
	AbutPathStep steps[ABUT_PATH_MAX_STEPS];
	const int n = abut_path_parse(path, strlen(path), steps);
	if (!abut_node_ok(node)) {
		return false;
	}
	if (n <= 0) {
		abut_node_fail_key(node, 1, ABUT_ERROR_PARSE,
		                   "the path is malformed; examples are timestep and bodies[1].mass");
	} else if (strcmp(steps[0].key, "solver") == 0 && n == 1) {
		abut_node_fail_key(node, 1, ABUT_ERROR_PARSE,
		                   "this is an object; set one of its members, such as solver.kappa");
	} else if (strcmp(steps[0].key, "solver") == 0 && strcmp(steps[1].key, "method") == 0) {
		abut_node_fail_key(node, 1, ABUT_ERROR_PARSE, "set methods with the key \"methods\"");
	}
	return abut_node_ok(node);
}

void abut_sweep_override(const AbutNode *node, const char *path, AbutSweepOverrides *overrides)
{
	char place[ABUT_NODE_PATH_SIZE];
	char *const value = abut_text_of_json(node->value);
	abut_node_path(node, place);
	if (!value || !abut_sweep_add_override(overrides, abut_text_format("%s=%s", path, value),
	                                       abut_text_format("%s", place))) {
		abut_node_fail_memory(node);
	}
	free(value);
}

void abut_sweep_read_overrides(const AbutNode *object, AbutSweepOverrides *overrides)
{
	AbutNode member;
	abut_sweep_check_object(object, "an object of paths and values");
	for (bool more = abut_node_first(object, &member); more; more = abut_node_next(&member)) {
		if (abut_sweep_check_path(&member, member.key)) {
			abut_sweep_override(&member, member.key, overrides);
		}
	}
}

void abut_sweep_read_random(const AbutNode *object, AbutSweepDraws *draws)
{
	AbutNode member;
	abut_sweep_check_object(object, "an object of paths and distributions");
	for (bool more = abut_node_first(object, &member); more; more = abut_node_next(&member)) {
		abut_sweep_check_path(&member, member.key);
	}
	abut_sweep_read_draws(object, draws);
}
