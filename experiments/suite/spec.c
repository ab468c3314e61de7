/* Reads the settings of an experiment. */
#include "experiments/suite/spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/json/read.h"
#include "io/text/file_text.h"
#include "io/text/words.h"

enum { MOST_BYTES = 1 << 20 };

AbutStatus abut_input_status(AbutStatus status)
{
	return status == ABUT_ERROR_IO ? ABUT_ERROR_ARGUMENT : status;
}

/* Checks that the spec is for this experiment, because another experiment may use the same keys. */
static void check_experiment(const AbutNode *root, const char *wanted)
{
	AbutNode member;
	const char *name = NULL;
	if (abut_node_get(root, "experiment", &member)) {
		abut_node_name(&member, &name);
		if (abut_node_ok(&member) && strcmp(name, wanted) != 0) {
			abut_node_fail(&member, ABUT_ERROR_PARSE, "is \"%s\", but this is the experiment \"%s\"", name,
			               wanted);
		}
	}
}

AbutStatus abut_spec_open(AbutSpec *spec, const char *path, const AbutKeySet *keys, AbutError *error)
{
	*spec = (AbutSpec){.tree = NULL};
	AbutStatus status =
	    abut_file_read(path, "experiment's spec", MOST_BYTES, &spec->source.text, &spec->source.length, error);
	if (status != ABUT_OK) {
		return abut_input_status(status);
	}
	spec->source.name = strdup(path);
	if (!spec->source.name) {
		return abut_file_fail(error, path, ABUT_ERROR_MEMORY, "out of memory reading the spec");
	}
	status = abut_source_parse(&spec->source, "spec", &spec->tree, error);
	if (status == ABUT_OK) {
		spec->reader = (AbutReader){.source = &spec->source, .error = error};
		spec->root = (AbutNode){&spec->reader, NULL, spec->tree, NULL, 0};
		abut_node_check_keys(&spec->root, keys);
		check_experiment(&spec->root, keys->what);
		status = spec->reader.status;
	}
	return status;
}

void abut_spec_close(AbutSpec *spec)
{
	abut_json_destroy(spec->tree);
	abut_source_free(&spec->source);
	*spec = (AbutSpec){.tree = NULL};
}

AbutStatus abut_spec_read(const char *path, const AbutKeySet *keys, void (*read)(const AbutNode *root, void *out),
                          void *out, AbutError *error)
{
	AbutSpec spec;
	AbutStatus status = abut_spec_open(&spec, path, keys, error);
	if (status == ABUT_OK) {
		read(&spec.root, out);
		status = spec.reader.status;
	}
	abut_spec_close(&spec);
	return status;
}

int abut_spec_numbers(const AbutNode *object, const char *key, int most, AbutRange range, double *out)
{
	AbutNode array, entry;
	int n = 0;
	if (!abut_node_require(object, key, &array) || !abut_node_check_array(&array, "an array of numbers")) {
		return 0;
	}
	for (bool more = abut_node_first(&array, &entry); more; more = abut_node_next(&entry)) {
		if (n == most) {
			abut_node_fail(&array, ABUT_ERROR_PARSE, "must have 1 to %d numbers, has more", most);
			return 0;
		}
		abut_node_number(&entry, range, &out[n++]);
	}
	if (n == 0) {
		abut_node_fail(&array, ABUT_ERROR_PARSE, "must have 1 to %d numbers, has 0", most);
	}
	return abut_node_ok(object) ? n : 0;
}

bool abut_spec_objects(const AbutNode *object, const char *key, const char *what, int low, int high, AbutNode *array)
{
	char expected[64];
	snprintf(expected, sizeof expected, "an array of %s", what);
	if (!abut_node_require(object, key, array) || !abut_node_check_array(array, expected)) {
		return false;
	}
	const int n = abut_json_count(array->value);
	if (n < low || n > high) {
		abut_node_fail(array, ABUT_ERROR_PARSE, "must have %d to %d %s, has %d", low, high, what, n);
	}
	return abut_node_ok(object);
}

void abut_spec_beside(const char *path, const char *file, char out[ABUT_SPEC_PATH])
{
	const char *slash = strrchr(path, '/');
	const int folder = slash && file[0] != '/' ? (int)(slash + 1 - path) : 0;
	snprintf(out, ABUT_SPEC_PATH, "%.*s%s", folder, path, file);
}

static void read_part(const AbutSpec *spec, const char *key, const char **out)
{
	AbutNode member;
	char path[ABUT_SPEC_PATH];
	if (!abut_node_get(&spec->root, key, &member)) {
		return;
	}
	abut_node_name(&member, out);
	if (abut_node_ok(&member)) {
		abut_spec_beside(spec->source.name, *out, path);
		if (access(path, R_OK) != 0) {
			abut_node_fail(&member, ABUT_ERROR_ARGUMENT, "cannot read %s: %s", path, strerror(errno));
		}
	}
}

AbutStatus abut_spec_parts(const AbutSpec *spec, int n, const char *const *keys, const char **out)
{
	bool any = false;
	for (int i = 0; i < n; i++) {
		out[i] = NULL;
		read_part(spec, keys[i], &out[i]);
		any = any || out[i];
	}
	if (!any) {
		char names[128];
		abut_node_fail(&spec->root, ABUT_ERROR_PARSE, "must name at least one part of the experiment: %s",
		               abut_text_join(keys, n, names, sizeof names));
	}
	return spec->reader.status;
}
