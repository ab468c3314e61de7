/* From the tree of a spec to axes. */
#include "experiments/sweep/spec.h"

#include <stdlib.h>
#include <string.h>

#include "abut/scene.h"
#include "base/grow.h"
#include "experiments/sweep/axis.h"
#include "experiments/sweep/text.h"
#include "io/file_text.h"
#include "io/scene_internal.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

const AbutKeySet abut_sweep_keys = {
    "a sweep",
    KEYS("$schema", "abut_sweep", "name", "scenes", "methods", "set", "settings", "parameters", "joined", "random",
         "seeds", "stands_within"),
    KEYS(NULL),
};
const AbutKeySet abut_sweep_keys_scene = {"a scene of a sweep", KEYS("file", "name", "set", "random"), KEYS(NULL)};
const AbutKeySet abut_sweep_keys_seeds = {"seeds", KEYS("first", "count"), KEYS(NULL)};

static const char *const methods[] = {
#define ABUT_X(constant, name) name,
    ABUT_METHOD_LIST(ABUT_X) NULL
#undef ABUT_X
};

static const AbutKeySet methods_as_keys = {"settings, by method", methods, KEYS(NULL)};

/* An object with keys of the user's own, none twice. */
static bool check_object(const AbutNode *node, const char *expected)
{
	if (abut_node_ok(node) && abut_json_type(node->value) != ABUT_JSON_OBJECT) {
		abut_node_fail_expected(node, expected);
	}
	AbutNode member;
	for (bool more = abut_node_first(node, &member); more; more = abut_node_next(&member)) {
		if (abut_json_get(node->value, member.key) != member.value) {
			abut_node_fail_key(&member, 2, ABUT_ERROR_PARSE, "this key stands twice");
		}
	}
	return abut_node_ok(node);
}

/* A list of at least one element. */
static bool check_list(const AbutNode *node, const char *expected)
{
	if (abut_node_check_array(node, expected) && abut_json_count(node->value) < 1) {
		abut_node_fail_expected(node, expected);
	}
	return abut_node_ok(node);
}

/* The path of an override. Methods are the sweep's own axis, whose labels would not tell the truth otherwise. */
static bool check_path(const AbutNode *node, const char *path)
{
	AbutPathStep steps[ABUT_PATH_MAX_STEPS];
	const int n = abut_path_parse(path, strlen(path), steps);
	if (!abut_node_ok(node)) {
		return false;
	}
	if (n <= 0) {
		abut_node_fail_key(node, 1, ABUT_ERROR_PARSE,
		                   "the path is malformed; it must be such as timestep or bodies[1].mass");
	} else if (strcmp(steps[0].key, "solver") == 0 && n == 1) {
		abut_node_fail_key(node, 1, ABUT_ERROR_PARSE,
		                   "this is an object: set what is in it, such as solver.kappa");
	} else if (strcmp(steps[0].key, "solver") == 0 && strcmp(steps[1].key, "method") == 0) {
		abut_node_fail_key(node, 1, ABUT_ERROR_PARSE, "methods are named in \"methods\"");
	}
	return abut_node_ok(node);
}

/* Adds the override of `path` with the value of `node`. */
static void add_override(const AbutNode *node, const char *path, AbutSweepOverrides *overrides)
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

/* {"path": value, ...} */
static void read_overrides(const AbutNode *object, AbutSweepOverrides *overrides)
{
	AbutNode member;
	check_object(object, "an object of paths and values");
	for (bool more = abut_node_first(object, &member); more; more = abut_node_next(&member)) {
		if (check_path(&member, member.key)) {
			add_override(&member, member.key, overrides);
		}
	}
}

static void read_random(const AbutNode *object, AbutSweepDraws *draws)
{
	AbutNode member;
	check_object(object, "an object of paths and distributions");
	for (bool more = abut_node_first(object, &member); more; more = abut_node_next(&member)) {
		check_path(&member, member.key);
	}
	abut_sweep_read_draws(object, draws);
}

/* A name of an axis or of a value on it, which stands in tables. */
static bool check_label(const AbutNode *node, const char *label)
{
	for (const char *c = label; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			abut_node_fail_key(node, 1, ABUT_ERROR_PARSE, "a name without control characters is needed");
		}
	}
	return abut_node_ok(node);
}

/* A new value of the axis; its label, which is taken over, tells it from those before. NULL after an error. */
static AbutSweepValue *add_value(const AbutNode *node, AbutSweepAxis *axis, char *label)
{
	AbutSweepValue *value = label && abut_node_ok(node) ? abut_sweep_add_value(axis, label) : NULL;
	if (!value) {
		free(label);
		abut_node_fail_memory(node);
		return NULL;
	}
	for (int i = 0; i + 1 < axis->count; i++) {
		if (strcmp(axis->values[i].label, label) == 0) {
			abut_node_fail(node, ABUT_ERROR_PARSE, "\"%.80s\" stands twice on the axis \"%.80s\"", label,
			               axis->name);
			return NULL;
		}
	}
	return value;
}

/* A new axis; names of columns are taken. NULL after an error. */
static AbutSweepAxis *add_axis(const AbutNode *node, AbutSweep *sweep, const char *name)
{
	if (!abut_node_ok(node)) {
		return NULL;
	}
	for (int i = 0; i < sweep->n_axes; i++) {
		if (strcmp(sweep->axes[i].name, name) == 0) {
			abut_node_fail_key(node, 1, ABUT_ERROR_PARSE, "there is an axis of this name already");
			return NULL;
		}
	}
	if (abut_sweep_is_column(name)) {
		abut_node_fail_key(node, 1, ABUT_ERROR_PARSE,
		                   "this is the name of a column of the results; another is needed");
		return NULL;
	}
	AbutSweepAxis *axis = check_label(node, name) ? abut_sweep_add_axis(sweep, name) : NULL;
	if (!axis) {
		abut_node_fail_memory(node);
	}
	return axis;
}

/* --- scenes --- */

/* `file` beside the spec, unless it is absolute. */
static char *path_beside(const AbutSweep *sweep, const char *file)
{
	const char *slash = strrchr(sweep->source.name, '/');
	if (file[0] == '/' || !slash) {
		return abut_text_format("%s", file);
	}
	return abut_text_format("%.*s/%s", (int)(slash - sweep->source.name), sweep->source.name, file);
}

/* The file's name without folder and ending. */
static char *stem_of(const char *file)
{
	const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file;
	const char *dot = strrchr(start, '.');
	return abut_text_format("%.*s", (int)(dot && dot > start ? (size_t)(dot - start) : strlen(start)), start);
}

/* The file that the spec names at `node`. */
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
	AbutSweepScene *scene = abut_node_ok(node) ? abut_sweep_add_scene(sweep) : NULL;
	if (!scene) {
		abut_node_fail_memory(node);
		return;
	}
	load_scene(&file, sweep, scene);
	if (is_object && abut_node_get(node, "name", &member)) {
		abut_node_name(&member, &name);
	}
	if (!abut_node_ok(node)) {
		return;
	}
	AbutSweepValue *value = add_value(node, &sweep->axes[ABUT_SWEEP_SCENE_AXIS],
	                                  name ? abut_text_format("%s", name) : stem_of(abut_json_string(file.value)));
	if (value && is_object && abut_node_get(node, "set", &member)) {
		read_overrides(&member, &value->overrides);
	}
	if (value && is_object && abut_node_get(node, "random", &member)) {
		read_random(&member, &scene->random);
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

/* {"method": {"path": value, ...}, ...}; those of a method that is not swept wait for when it is. */
static void read_settings(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode settings, member;
	if (!abut_node_get(root, "settings", &settings) || !abut_node_check_keys(&settings, &methods_as_keys)) {
		return;
	}
	for (bool more = abut_node_first(&settings, &member); more; more = abut_node_next(&member)) {
		AbutSweepOverrides unused = {0, 0, NULL};
		AbutSweepValue *value = abut_sweep_find_value(&sweep->axes[ABUT_SWEEP_METHOD_AXIS], member.key);
		read_overrides(&member, value ? &value->overrides : &unused);
		abut_sweep_free_overrides(&unused);
	}
}

/* --- parameters --- */

/* {"path": [values], ...}: an axis each. */
static void read_parameters(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode parameters, list, node;
	if (!abut_node_get(root, "parameters", &parameters) ||
	    !check_object(&parameters, "an object of paths and lists of values")) {
		return;
	}
	for (bool more = abut_node_first(&parameters, &list); more; more = abut_node_next(&list)) {
		AbutSweepAxis *axis = check_path(&list, list.key) ? add_axis(&list, sweep, list.key) : NULL;
		if (!axis || !check_list(&list, "a list of at least one value")) {
			return;
		}
		for (bool next = abut_node_first(&list, &node); next; next = abut_node_next(&node)) {
			AbutSweepValue *value = add_value(&node, axis, abut_text_of_label(node.value));
			if (value) {
				add_override(&node, list.key, &value->overrides);
			}
		}
	}
}

/* {"axis": {"label": {"path": value, ...}, ...}, ...}: an axis each, whose values change several paths together. */
static void read_joined(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode joined, labels, node;
	if (!abut_node_get(root, "joined", &joined) || !check_object(&joined, "an object of axes")) {
		return;
	}
	for (bool more = abut_node_first(&joined, &labels); more; more = abut_node_next(&labels)) {
		AbutSweepAxis *axis =
		    check_object(&labels, "an object of labels") ? add_axis(&labels, sweep, labels.key) : NULL;
		if (axis && abut_json_count(labels.value) < 1) {
			abut_node_fail_expected(&labels, "an object of at least one label");
		}
		for (bool next = axis && abut_node_first(&labels, &node); next; next = abut_node_next(&node)) {
			AbutSweepValue *value = check_label(&node, node.key)
			                            ? add_value(&node, axis, abut_text_format("%s", node.key))
			                            : NULL;
			if (value) {
				read_overrides(&node, &value->overrides);
			}
		}
	}
}

/* --- the rest --- */

static void read_version(const AbutNode *root)
{
	AbutNode version;
	double value = 0.0;
	if (abut_node_require(root, "abut_sweep", &version)) {
		abut_node_number(&version, ABUT_ANY, &value);
	}
	if (abut_node_ok(root) && value != 1.0) {
		abut_node_fail(&version, ABUT_ERROR_UNSUPPORTED, "must be 1, the version of the sweep format, is %.9g",
		               value);
	}
}

static void read_name(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode node;
	const char *name = NULL;
	char *stem = NULL;
	if (abut_node_get(root, "name", &node)) {
		abut_node_name(&node, &name);
	} else {
		name = stem = stem_of(sweep->source.name);
	}
	if (name) {
		snprintf(sweep->name, sizeof sweep->name, "%s", name);
	} else {
		abut_node_fail_memory(root);
	}
	free(stem);
}

static void read_seeds(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode seeds, first;
	int count = 1;
	double start = 0.0;
	if (abut_node_get(root, "seeds", &seeds) && abut_node_check_keys(&seeds, &abut_sweep_keys_seeds)) {
		abut_read_integer(&seeds, "count", 1, ABUT_SWEEP_MAX_RUNS, &count);
		if (abut_node_get(&seeds, "first", &first)) {
			abut_node_number(&first, ABUT_ANY, &start);
			if (abut_node_ok(&first) &&
			    !(start >= 0.0 && start <= 0x1p53 - 1.0 && start == (double)(unsigned long long)start)) {
				abut_node_fail_expected(&first, "an integer from 0 to 2^53 - 1");
			}
		}
	}
	sweep->seed_count = count;
	sweep->first_seed = (unsigned long long)start;
}

static void count_runs(AbutSweep *sweep, const AbutNode *root)
{
	double runs = (double)sweep->seed_count;
	for (int i = 0; i < sweep->n_axes; i++) {
		runs *= sweep->axes[i].count;
	}
	if (abut_node_ok(root) && runs > ABUT_SWEEP_MAX_RUNS) {
		abut_node_fail(root, ABUT_ERROR_PARSE, "this is a grid of %.6g runs, more than %d, the most allowed",
		               runs, (int)ABUT_SWEEP_MAX_RUNS);
	}
	sweep->run_count = abut_node_ok(root) ? (long)runs : 0;
}

void abut_sweep_read(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode node;
	if (!abut_node_check_keys(root, &abut_sweep_keys)) {
		return;
	}
	read_version(root);
	read_name(sweep, root);
	read_scenes(sweep, root);
	read_methods(sweep, root);
	if (abut_node_get(root, "set", &node)) {
		read_overrides(&node, &sweep->overrides);
	}
	read_settings(sweep, root);
	read_parameters(sweep, root);
	read_joined(sweep, root);
	if (abut_node_get(root, "random", &node)) {
		read_random(&node, &sweep->random);
	}
	read_seeds(sweep, root);
	abut_read_number(root, "stands_within", ABUT_POSITIVE, &sweep->stands_within);
	count_runs(sweep, root);
}
