#include "experiments/suite/spec.h"

#include <stdlib.h>
#include <string.h>

#include "io/file_text.h"

enum { MOST_BYTES = 1 << 20 };

AbutStatus abut_input_status(AbutStatus status)
{
	return status == ABUT_ERROR_IO ? ABUT_ERROR_ARGUMENT : status;
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
		spec->reader = (AbutReader){&spec->source, ABUT_OK, error};
		spec->root = (AbutNode){&spec->reader, NULL, spec->tree, NULL, 0};
		abut_node_check_keys(&spec->root, keys);
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

AbutStatus abut_spec_status(const AbutSpec *spec)
{
	return spec->reader.status;
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
			abut_node_fail(&array, ABUT_ERROR_PARSE, "must have at most %d numbers", most);
			return 0;
		}
		abut_node_number(&entry, range, &out[n++]);
	}
	if (n == 0) {
		abut_node_fail(&array, ABUT_ERROR_PARSE, "must have a number at least");
	}
	return abut_node_ok(object) ? n : 0;
}

void abut_spec_number(const AbutNode *object, const char *key, AbutRange range, double *out)
{
	AbutNode member;
	if (abut_node_require(object, key, &member)) {
		abut_node_number(&member, range, out);
	}
}

void abut_spec_integer(const AbutNode *object, const char *key, int low, int high, int *out)
{
	AbutNode member;
	if (abut_node_require(object, key, &member)) {
		abut_node_integer(&member, low, high, out);
	}
}

void abut_spec_vector(const AbutNode *object, const char *key, int n, AbutRange range, double *out)
{
	AbutNode member;
	if (abut_node_require(object, key, &member)) {
		abut_node_vector(&member, n, range, out);
	}
}

const char *abut_spec_name(const AbutNode *object, const char *key)
{
	const char *name = NULL;
	AbutNode member;
	if (abut_node_get(object, key, &member)) {
		abut_node_name(&member, &name);
	}
	return abut_node_ok(object) ? name : NULL;
}
