/* Loads a sweep: reads its spec, checks its scenes and reports its axes and runs. */
#include "experiments/sweep/load.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/spec_axes.h"
#include "experiments/sweep/spec_overrides.h"
#include "experiments/sweep/text.h"
#include "io/json/locate.h"
#include "io/json/read.h"
#include "io/text/file_text.h"
#include "io/text/words.h"

enum { MAX_BYTES = 64 << 20 };

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

const AbutKeySet abut_sweep_keys = {
    "a sweep",
    KEYS("$schema", "abut_sweep", "name", "scenes", "methods", "set", "settings", "parameters", "joined", "random",
         "seeds", "stands_within"),
};
const AbutKeySet abut_sweep_keys_seeds = {"seeds", KEYS("first", "count")};

static void read_name(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode node;
	const char *name = NULL;
	char *stem = NULL;
	if (abut_node_get(root, "name", &node)) {
		abut_node_name(&node, &name);
	} else {
		name = stem = abut_text_stem(sweep->source.name);
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
			if (abut_node_ok(&first) && !(start >= 0.0 && start <= 0x1p53 - 1.0 && start == floor(start))) {
				abut_node_fail_expected(&first, "an integer from 0 to 2^53 - 1");
				start = 0.0;
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
		abut_node_fail(root, ABUT_ERROR_PARSE, "the grid has %.6g runs; at most %d are allowed", runs,
		               (int)ABUT_SWEEP_MAX_RUNS);
	}
	sweep->run_count = abut_node_ok(root) ? (long)runs : 0;
}

static void read_root(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode node;
	if (!abut_node_check_keys(root, &abut_sweep_keys)) {
		return;
	}
	abut_node_require_version(root, "abut_sweep", "", "sweep format");
	read_name(sweep, root);
	abut_sweep_read_axes(sweep, root);
	if (abut_node_get(root, "set", &node)) {
		abut_sweep_read_overrides(&node, &sweep->overrides);
	}
	if (abut_node_get(root, "random", &node)) {
		abut_sweep_read_random(&node, &sweep->random);
	}
	read_seeds(sweep, root);
	abut_read_number(root, "stands_within", ABUT_POSITIVE, &sweep->stands_within);
	count_runs(sweep, root);
}

/* --- check --- */

/* Errors of a spec are reported before the first run. One axis at a time, each scene is made with each value of that
 * axis, because a path of one scene may be missing in another (test: errors_of_any_scene in spec). A scene that the
 * reader refuses is an error of the spec. An unsupported scene or an impossible body is an outcome of its runs. */
/* Sets the place of an override's error in the spec. Before, its file is "--set" and its message quotes the override.
 */
static void place_error(const AbutSweep *sweep, const AbutSweepPoint *point, AbutError *error)
{
	if (strcmp(error->file, "--set") != 0) {
		return;
	}
	for (int i = point->count - 1; i >= 0; i--) {
		char quoted[ABUT_QUOTE_SIZE];
		if (!strstr(error->message, abut_text_quote(point->texts[i], quoted))) {
			continue;
		}
		char message[sizeof error->where + sizeof error->message + 2];
		snprintf(message, sizeof message, "%s%s%s", error->where, error->where[0] ? ": " : "", error->message);
		abut_error_set(error, error->status, point->places[i], "%s", message);
		snprintf(error->file, sizeof error->file, "%s", sweep->source.name);
		abut_json_locate(sweep->source.text, sweep->source.length, error->where, false, 1, &error->line,
		                 &error->column);
		return;
	}
}

static AbutStatus check_point(const AbutSweep *sweep, const int *values, AbutError *error)
{
	AbutSweepPoint point;
	AbutScene *scene = NULL;
	ABUT_TRY(abut_sweep_point_make(sweep, values, sweep->first_seed, &point, error));
	AbutStatus status = abut_sweep_point_scene(&point, &scene, error);
	if (status == ABUT_ERROR_UNSUPPORTED) {
		status = ABUT_OK;
	} else if (status != ABUT_OK) {
		place_error(sweep, &point, error);
	}
	abut_scene_destroy(scene);
	abut_sweep_point_free(&point);
	return status;
}

/* Checks one scene with every value of every axis, while the other axes have their first value. */
static AbutStatus check_scene(const AbutSweep *sweep, int scene, int *values, AbutError *error)
{
	values[ABUT_SWEEP_SCENE_AXIS] = scene;
	AbutStatus status = check_point(sweep, values, error);
	for (int i = ABUT_SWEEP_METHOD_AXIS; status == ABUT_OK && i < sweep->n_axes; i++) {
		for (int j = 1; status == ABUT_OK && j < sweep->axes[i].count; j++) {
			values[i] = j;
			status = check_point(sweep, values, error);
		}
		values[i] = 0;
	}
	return status;
}

/* Checks all scenes. This needs fewer scenes than the grid has runs: m + n - 1 instead of m n, for two axes with m and
 * n values. */
static AbutStatus check_scenes(const AbutSweep *sweep, AbutError *error)
{
	int *values = calloc((size_t)sweep->n_axes, sizeof *values);
	if (!values) {
		return abut_sweep_fail_memory(error);
	}
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < sweep->n_scenes; i++) {
		status = check_scene(sweep, i, values, error);
	}
	free(values);
	return status;
}

/* --- load --- */

/* Computes a digest of everything that determines the results: the values of the spec, but not its layout, the bytes of
 * its scenes, and the seeds. */
static bool make_digest(AbutSweep *sweep)
{
	char *const spec = abut_text_of_json(sweep->root);
	if (!spec) {
		return false;
	}
	uint64_t digest = abut_digest_text(ABUT_HASH_START, spec);
	free(spec);
	for (int i = 0; i < sweep->n_scenes; i++) {
		digest = abut_hash_bytes(digest, sweep->scenes[i].text, sweep->scenes[i].length + 1);
	}
	digest = abut_hash_bytes(digest, &sweep->first_seed, sizeof sweep->first_seed);
	snprintf(sweep->digest, sizeof sweep->digest, "%016" PRIx64, digest);
	return true;
}

static AbutStatus read_spec(AbutSweep *sweep, const unsigned long long *first_seed, AbutError *error)
{
	ABUT_TRY(abut_source_parse(&sweep->source, "sweep", &sweep->root, error));
	AbutReader reader = {.source = &sweep->source, .error = error};
	const AbutNode root = {&reader, NULL, sweep->root, NULL, 0};
	read_root(sweep, &root);
	if (reader.status != ABUT_OK) {
		return reader.status;
	}
	sweep->first_seed = first_seed ? *first_seed : sweep->first_seed;
	ABUT_TRY(check_scenes(sweep, error));
	return make_digest(sweep) ? ABUT_OK : abut_sweep_fail_memory(error);
}

AbutStatus abut_sweep_load(const char *path, const unsigned long long *first_seed, AbutSweep **out, AbutError *error)
{
	AbutError local = {0};
	error = error ? error : &local;
	*out = NULL;
	AbutSweep *sweep = calloc(1, sizeof *sweep);
	char *const name = abut_text_format("%s", path);
	if (!sweep || !name) {
		free(sweep);
		free(name);
		return abut_sweep_fail_memory(error);
	}
	sweep->source.name = name;
	AbutStatus status = abut_file_read(path, "sweep", MAX_BYTES, &sweep->source.text, &sweep->source.length, error);
	ABUT_THEN(status, read_spec(sweep, first_seed, error));
	if (status != ABUT_OK) {
		abut_sweep_destroy(sweep);
		return status;
	}
	*out = sweep;
	return ABUT_OK;
}

void abut_sweep_destroy(AbutSweep *sweep)
{
	if (!sweep) {
		return;
	}
	abut_sweep_free_axes(sweep);
	abut_sweep_free_overrides(&sweep->overrides);
	abut_sweep_free_draws(&sweep->random);
	abut_json_destroy(sweep->root);
	abut_source_free(&sweep->source);
	free(sweep);
}
