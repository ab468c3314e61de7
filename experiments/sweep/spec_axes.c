/* Reads the axes of a spec: scenes, methods, parameters and joined axes. */
#include "experiments/sweep/spec_axes.h"

#include <stdlib.h>
#include <string.h>

#include "abut/scene.h"
#include "base/grow.h"
#include "experiments/sweep/rows.h"
#include "experiments/sweep/spec_overrides.h"
#include "experiments/sweep/text.h"
#include "io/json/read.h"
#include "io/scene/scene_parts.h"
#include "io/text/file_text.h"
#include "io/text/words.h"

static const char *const methods[] = {
#define ABUT_X(constant, name) name,
    ABUT_METHOD_LIST(ABUT_X) NULL
#undef ABUT_X
};

static const AbutKeySet methods_as_keys = {"settings, by method", methods};

const AbutKeySet abut_sweep_keys_scene = {
    "a scene of a sweep",
    (const char *const[]){"file", "name", "set", "random", NULL},
};

/* Checks that the node is a list of at least one element. */
static bool check_list(const AbutNode *node, const char *expected)
{
	if (abut_node_check_array(node, expected) && abut_json_count(node->value) < 1) {
		abut_node_fail_expected(node, expected);
	}
	return abut_node_ok(node);
}

/* Checks the name of an axis or the label of a value, which appear in tables. */
static bool check_label(const AbutNode *node, const char *label)
{
	for (const char *c = label; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			abut_node_fail_key(node, 1, ABUT_ERROR_PARSE, "the name must not contain control characters");
		}
	}
	return abut_node_ok(node);
}

/* Adds a value to the axis and returns it; it takes over the label. NULL after an error. */
static AbutSweepValue *add_value(const AbutNode *node, AbutSweepAxis *axis, char *label)
{
	if (!label || !abut_node_ok(node) ||
	    !abut_grow(&axis->values, &axis->capacity, axis->count + 1, sizeof *axis->values)) {
		free(label);
		abut_node_fail_memory(node);
		return NULL;
	}
	AbutSweepValue *value = &axis->values[axis->count++];
	*value = (AbutSweepValue){.label = label};
	for (int i = 0; i + 1 < axis->count; i++) {
		if (strcmp(axis->values[i].label, label) == 0) {
			abut_node_fail(node, ABUT_ERROR_PARSE, "\"%.80s\" is there twice on the axis \"%.80s\"", label,
			               axis->name);
			return NULL;
		}
	}
	return value;
}

/* Adds an axis and returns it; its name must not be that of a column. NULL after an error. */
static AbutSweepAxis *add_axis(const AbutNode *node, AbutSweep *sweep, const char *name)
{
	if (!abut_node_ok(node)) {
		return NULL;
	}
	for (int i = 0; i < sweep->n_axes; i++) {
		if (strcmp(sweep->axes[i].name, name) == 0) {
			abut_node_fail_key(node, 1, ABUT_ERROR_PARSE, "an axis of this name already exists");
			return NULL;
		}
	}
	if (abut_sweep_is_column(name)) {
		abut_node_fail_key(node, 1, ABUT_ERROR_PARSE,
		                   "this is the name of a column of the results; choose another one");
		return NULL;
	}
	char *const copy = check_label(node, name) ? abut_text_format("%s", name) : NULL;
	if (!copy || !abut_grow(&sweep->axes, &sweep->axis_capacity, sweep->n_axes + 1, sizeof *sweep->axes)) {
		free(copy);
		abut_node_fail_memory(node);
		return NULL;
	}
	AbutSweepAxis *axis = &sweep->axes[sweep->n_axes++];
	*axis = (AbutSweepAxis){.name = copy};
	return axis;
}

/* --- scenes --- */

/* Returns the path of `file` relative to the folder of the spec, unless it is absolute. */
static char *path_beside(const AbutSweep *sweep, const char *file)
{
	const char *slash = strrchr(sweep->source.name, '/');
	if (file[0] == '/' || !slash) {
		return abut_text_format("%s", file);
	}
	return abut_text_format("%.*s/%s", (int)(slash - sweep->source.name), sweep->source.name, file);
}

/* Loads the file that the spec names at `node`. */
static void load_scene(const AbutNode *node, const AbutSweep *sweep, AbutSweepScene *scene)
{
	const char *file = NULL;
	abut_node_name(node, &file);
	if (!abut_node_ok(node)) {
		return;
	}
	AbutError error = {0};
	scene->path = path_beside(sweep, file);
	if (!scene->path) {
		abut_node_fail_memory(node);
	} else if (abut_file_read(scene->path, "scene", ABUT_SCENE_MAX_BYTES, &scene->text, &scene->length, &error) !=
	           ABUT_OK) {
		abut_node_fail(node, error.status, "%s: %s", scene->path, error.message);
	}
}

static void read_scene(const AbutNode *node, AbutSweep *sweep)
{
	AbutNode file = *node, member;
	const bool is_object = abut_json_type(node->value) == ABUT_JSON_OBJECT;
	const char *name = NULL;
	if (is_object) {
		abut_node_check_keys(node, &abut_sweep_keys_scene);
		abut_node_require(node, "file", &file);
	}
	if (!abut_node_ok(node) ||
	    !abut_grow(&sweep->scenes, &sweep->scene_capacity, sweep->n_scenes + 1, sizeof *sweep->scenes)) {
		abut_node_fail_memory(node);
		return;
	}
	AbutSweepScene *scene = &sweep->scenes[sweep->n_scenes++];
	*scene = (AbutSweepScene){.path = NULL};
	load_scene(&file, sweep, scene);
	if (is_object && abut_node_get(node, "name", &member)) {
		abut_node_name(&member, &name);
	}
	if (!abut_node_ok(node)) {
		return;
	}
	AbutSweepValue *value =
	    add_value(node, &sweep->axes[ABUT_SWEEP_SCENE_AXIS],
	              name ? abut_text_format("%s", name) : abut_text_stem(abut_json_string(file.value)));
	if (value && is_object && abut_node_get(node, "set", &member)) {
		abut_sweep_read_overrides(&member, &value->overrides);
	}
	if (value && is_object && abut_node_get(node, "random", &member)) {
		abut_sweep_read_random(&member, &scene->random);
	}
}

static void read_scenes(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode list, node;
	if (!add_axis(root, sweep, "scene") || !abut_node_require(root, "scenes", &list)) {
		return;
	}
	check_list(&list, "a list of at least one scene");
	for (bool more = abut_node_first(&list, &node); more; more = abut_node_next(&node)) {
		read_scene(&node, sweep);
	}
}

/* --- methods --- */

static void add_method(const AbutNode *node, AbutSweep *sweep, const char *name)
{
	AbutSweepValue *value = add_value(node, &sweep->axes[ABUT_SWEEP_METHOD_AXIS], abut_text_format("%s", name));
	char place[ABUT_NODE_PATH_SIZE];
	abut_node_path(node, place);
	if (value && !abut_sweep_add_override(&value->overrides, abut_text_format("solver.method=\"%s\"", name),
	                                      abut_text_format("%s", place))) {
		abut_node_fail_memory(node);
	}
}

static void read_methods(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode list, node;
	int choice = 0;
	if (!add_axis(root, sweep, "method")) {
		return;
	}
	if (!abut_node_get(root, "methods", &list)) {
		add_method(root, sweep, methods[ABUT_METHOD_SINGLE_LEVEL]);
		return;
	}
	check_list(&list, "a list of at least one method");
	for (bool more = abut_node_first(&list, &node); more; more = abut_node_next(&node)) {
		abut_node_choice(&node, methods, ABUT_METHOD_COUNT, &choice);
		if (abut_node_ok(&node)) {
			add_method(&node, sweep, methods[choice]);
		}
	}
}

/* Returns the value with this label; NULL if there is none. */
static AbutSweepValue *find_value(const AbutSweepAxis *axis, const char *label)
{
	for (int i = 0; i < axis->count; i++) {
		if (strcmp(axis->values[i].label, label) == 0) {
			return &axis->values[i];
		}
	}
	return NULL;
}

/* Reads {"method": {"path": value, ...}, ...}; settings of methods that are not swept are only checked. */
static void read_settings(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode settings, member;
	if (!abut_node_get(root, "settings", &settings) || !abut_node_check_keys(&settings, &methods_as_keys)) {
		return;
	}
	for (bool more = abut_node_first(&settings, &member); more; more = abut_node_next(&member)) {
		AbutSweepOverrides unused = {0, 0, NULL};
		AbutSweepValue *value = find_value(&sweep->axes[ABUT_SWEEP_METHOD_AXIS], member.key);
		abut_sweep_read_overrides(&member, value ? &value->overrides : &unused);
		abut_sweep_free_overrides(&unused);
	}
}

/* --- parameters --- */

/* Reads {"path": [values], ...}; each path becomes an axis. */
static void read_parameters(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode parameters, list, node;
	if (!abut_node_get(root, "parameters", &parameters) ||
	    !abut_sweep_check_object(&parameters, "an object of paths and lists of values")) {
		return;
	}
	for (bool more = abut_node_first(&parameters, &list); more; more = abut_node_next(&list)) {
		AbutSweepAxis *axis = abut_sweep_check_path(&list, list.key) ? add_axis(&list, sweep, list.key) : NULL;
		if (!axis || !check_list(&list, "a list of at least one value")) {
			return;
		}
		for (bool next = abut_node_first(&list, &node); next; next = abut_node_next(&node)) {
			AbutSweepValue *value = add_value(&node, axis, abut_text_of_label(node.value));
			if (value) {
				abut_sweep_override(&node, list.key, &value->overrides);
			}
		}
	}
}

/* Reads {"axis": {"label": {"path": value, ...}, ...}, ...}. Each value of such an axis changes several paths together.
 */
static void read_joined(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode joined, labels, node;
	if (!abut_node_get(root, "joined", &joined) || !abut_sweep_check_object(&joined, "an object of axes")) {
		return;
	}
	for (bool more = abut_node_first(&joined, &labels); more; more = abut_node_next(&labels)) {
		AbutSweepAxis *axis = abut_sweep_check_object(&labels, "an object of labels")
		                          ? add_axis(&labels, sweep, labels.key)
		                          : NULL;
		if (axis && abut_json_count(labels.value) < 1) {
			abut_node_fail_expected(&labels, "an object of at least one label");
		}
		for (bool next = axis && abut_node_first(&labels, &node); next; next = abut_node_next(&node)) {
			AbutSweepValue *value = check_label(&node, node.key)
			                            ? add_value(&node, axis, abut_text_format("%s", node.key))
			                            : NULL;
			if (value) {
				abut_sweep_read_overrides(&node, &value->overrides);
			}
		}
	}
}

void abut_sweep_read_axes(AbutSweep *sweep, const AbutNode *root)
{
	read_scenes(sweep, root);
	read_methods(sweep, root);
	read_settings(sweep, root);
	read_parameters(sweep, root);
	read_joined(sweep, root);
}

void abut_sweep_free_axes(AbutSweep *sweep)
{
	for (int i = 0; i < sweep->n_axes; i++) {
		AbutSweepAxis *axis = &sweep->axes[i];
		for (int j = 0; j < axis->count; j++) {
			free(axis->values[j].label);
			abut_sweep_free_overrides(&axis->values[j].overrides);
		}
		free(axis->values);
		free(axis->name);
	}
	free(sweep->axes);
	for (int i = 0; i < sweep->n_scenes; i++) {
		free(sweep->scenes[i].path);
		free(sweep->scenes[i].text);
		abut_sweep_free_draws(&sweep->scenes[i].random);
	}
	free(sweep->scenes);
}
