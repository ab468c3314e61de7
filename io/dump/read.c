/* Reads dumps. */
#include "io/dump/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/dump/result.h"
#include "io/json/read.h"
#include "io/json/scan.h"
#include "io/scene/scene.h"
#include "io/text/file_text.h"

enum { DUMP_MAX_BYTES = 256 << 20 }; /* limit for the largest scene with its state */

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const AbutKeySet keys_dump = {
    "a dump", KEYS("abut_dump", "version", "seed", "name", "step", "time", "result", "overrides", "state", "scene")};

static const AbutKeySet keys_result = {"a result", KEYS("outcome", "explanation", "exact", "retried", "halvings",
                                                        "tries", "iterations", "finish_iterations", "active_contacts",
                                                        "kappa", "residual", "complementarity", "max_penetration")};

void abut_dump_destroy(AbutDump *dump)
{
	if (dump) {
		abut_scene_destroy(dump->scene);
		abut_json_destroy(dump->root);
		abut_source_free(&dump->source);
		free(dump->state);
		free(dump);
	}
}

AbutStatus abut_dump_restore(const AbutDump *dump, const AbutModel *model, AbutState *state, bool cold,
                             AbutError *error)
{
	const AbutStatus status = cold ? abut_state_restore_motion(model, state, dump->n, dump->state, error)
	                               : abut_state_restore(model, state, dump->n, dump->state, error);
	if (status == ABUT_ERROR_ARGUMENT && error) {
		abut_source_locate(&dump->source, false, 1, error);
	}
	return status;
}

/* --- the keys --- */

/* Reads a number that must be present; null stands for NaN or infinity. */
static void require_number(const AbutNode *object, const char *key, double *out)
{
	AbutNode node;
	if (!abut_node_require(object, key, &node)) {
		return;
	}
	if (abut_json_type(node.value) == ABUT_JSON_NULL) {
		*out = (double)NAN;
	} else {
		abut_node_number(&node, ABUT_ANY, out);
	}
}

static void require_outcome(const AbutNode *object, AbutOutcome *out)
{
#define ABUT_X(constant, name) name,
	static const char *const names[] = {ABUT_OUTCOME_LIST(ABUT_X)};
#undef ABUT_X
	AbutNode node;
	int choice = 0;
	if (abut_node_require(object, "outcome", &node)) {
		abut_node_choice(&node, names, ABUT_OUTCOME_COUNT, &choice);
	}
	*out = (AbutOutcome)choice;
}

static void read_result(const AbutNode *root, AbutDumpResult *result)
{
	enum { MOST = 1000000000 };
	AbutNode node;
	AbutStepInfo *info = &result->info;
	if (!abut_node_require(root, "result", &node) || !abut_node_check_keys(&node, &keys_result)) {
		return;
	}
	require_outcome(&node, &info->outcome);
	snprintf(result->explanation, sizeof result->explanation, "%s", abut_node_require_string(&node, "explanation"));
	abut_require_bool(&node, "exact", &info->exact);
	abut_require_bool(&node, "retried", &info->retried);
#define ABUT_X(member) abut_require_integer(&node, #member, 0, MOST, &info->member);
	ABUT_DUMP_COUNTS(ABUT_X)
#undef ABUT_X
#define ABUT_X(member) require_number(&node, #member, &info->member);
	ABUT_DUMP_NUMBERS(ABUT_X)
#undef ABUT_X
}

static void read_state(const AbutNode *root, AbutDump *dump)
{
	AbutNode node, number;
	if (!abut_node_require(root, "state", &node) || !abut_node_check_array(&node, "an array of numbers")) {
		return;
	}
	dump->n = (size_t)abut_json_count(node.value);
	dump->state = malloc((dump->n + 1) * sizeof *dump->state);
	if (!dump->state) {
		abut_node_fail_memory(&node);
		return;
	}
	for (bool more = abut_node_first(&node, &number); more; more = abut_node_next(&number)) {
		abut_node_number(&number, ABUT_ANY, &dump->state[number.index]);
	}
}

static void read_version(const AbutNode *root)
{
	abut_node_check_type(root, ABUT_JSON_OBJECT, "an object");
	abut_node_require_version(root, "abut_dump",
	                          ": the file is not a dump; `abut run --dump-failures` writes dumps", "dump format");
}

/* Reads everything except the scene and its overrides. The version is checked first, because in a file that is no dump
 * all keys are unknown. */
static void read_dump(AbutDump *dump, const AbutNode *root)
{
	read_version(root);
	abut_node_check_keys(root, &keys_dump);
	dump->version = abut_node_require_string(root, "version");
	dump->name = abut_node_require_string(root, "name");
	abut_require_integer(root, "step", 1, ABUT_SCENE_MAX_STEPS, &dump->step);
	require_number(root, "time", &dump->time);
	dump->seed = (unsigned long long)abut_node_require_whole(root, "seed", 0x1p53 - 1.0);
	read_result(root, &dump->result);
	read_state(root, dump);
}

/* --- the scene --- */

/* Returns the text with everything except the scene replaced by spaces, so that errors in the scene have the right line
 * and column. The caller frees it. NULL: out of memory. */
static char *text_of_scene(const AbutSource *source)
{
	AbutJsonScanner scanner;
	size_t start = 0, end = 0;
	abut_json_scan_init(&scanner, source->text, source->length);
	while (end == 0) {
		const AbutJsonEvent event = abut_json_scan_next(&scanner);
		const AbutJsonFrame *frame = &scanner.frames[0];
		const bool is_scene =
		    frame->key_end - frame->key_start == 5 && memcmp(source->text + frame->key_start, "scene", 5) == 0;
		if (event == ABUT_JSON_END || event == ABUT_JSON_ERROR) {
			break;
		}
		if (!is_scene || event == ABUT_JSON_KEY) {
			continue;
		}
		start = start == 0 ? scanner.start : start;
		if (scanner.depth == 1) { /* a string, number or word, or the end of a container */
			end = scanner.offset;
		}
	}
	char *const text = malloc(source->length + 1);
	for (size_t i = 0; text && i < source->length; i++) {
		const char c = source->text[i];
		text[i] = (char)((i >= start && i < end) || c == '\n' ? c : ' ');
	}
	if (text) {
		text[source->length] = '\0';
	}
	return text;
}

/* Reads the scene with the overrides of the dump, then those of the caller. */
static void read_scene(AbutDump *dump, const AbutNode *root, int n_overrides, const char *const *overrides)
{
	int own = 0;
	const char **const all =
	    abut_node_require_strings(root, "overrides", "a string, as --set takes it", n_overrides, &own);
	char *const text = text_of_scene(&dump->source);
	if (!text) {
		abut_node_fail_memory(root);
	}
	for (int i = 0; all && i < n_overrides; i++) {
		all[own + i] = overrides[i];
	}
	if (abut_node_ok(root)) {
		root->reader->status = abut_scene_from_text(text, dump->source.length, dump->source.name, NULL,
		                                            own + n_overrides, all, &dump->scene, root->reader->error);
	} else {
		free(text);
	}
	free(all);
}

/* --- the file --- */

static AbutStatus parse(AbutDump *dump, int n_overrides, const char *const *overrides, AbutError *error)
{
	AbutReader reader = {.source = &dump->source, .error = error};
	const AbutNode root = {&reader, NULL, dump->root, NULL, 0};
	AbutNode scene;
	read_dump(dump, &root);
	if (abut_node_require(&root, "scene", &scene)) {
		read_scene(dump, &root, n_overrides, overrides);
	}
	return reader.status;
}

AbutStatus abut_dump_load(const char *path, int n_overrides, const char *const *overrides, AbutDump **out,
                          AbutError *error)
{
	AbutError local = {0};
	error = error ? error : &local;
	*out = NULL;
	AbutDump *dump = calloc(1, sizeof *dump);
	if (!dump) {
		return abut_fail_memory(error, "the dump");
	}
	AbutStatus status = abut_source_load(&dump->source, path, "dump", DUMP_MAX_BYTES, &dump->root, error);
	ABUT_THEN(status, parse(dump, n_overrides, overrides, error));
	if (status != ABUT_OK) {
		abut_dump_destroy(dump);
		return status;
	}
	*out = dump;
	return ABUT_OK;
}
