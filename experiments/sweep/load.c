/* A sweep from its file, and what others may ask of it. */
#include "experiments/sweep/load.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "experiments/sweep/axis.h"
#include "experiments/sweep/check.h"
#include "experiments/sweep/digest.h"
#include "experiments/sweep/text.h"
#include "io/text/file_text.h"
#include "io/text/words.h"

enum { MAX_BYTES = 64 << 20 };

/* Of the values of the spec, the bytes of its scenes and the seeds: what decides the results, and not how it is laid
 * out. */
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
	AbutStatus status = abut_source_parse(&sweep->source, "sweep", &sweep->root, error);
	if (status != ABUT_OK) {
		return status;
	}
	AbutReader reader = {.source = &sweep->source, .error = error};
	const AbutNode root = {&reader, NULL, sweep->root, NULL, 0};
	abut_sweep_read(sweep, &root);
	if (reader.status != ABUT_OK) {
		return reader.status;
	}
	sweep->first_seed = first_seed ? *first_seed : sweep->first_seed;
	status = abut_sweep_check(sweep, error);
	if (status == ABUT_OK && !make_digest(sweep)) {
		status = abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory reading the sweep");
	}
	return status;
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
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory reading the sweep");
	}
	sweep->source.name = name;
	AbutStatus status = abut_file_read(path, "sweep", MAX_BYTES, &sweep->source.text, &sweep->source.length, error);
	if (status == ABUT_OK) {
		status = read_spec(sweep, first_seed, error);
	}
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
	abut_sweep_free_parts(sweep);
	abut_json_destroy(sweep->root);
	abut_source_free(&sweep->source);
	free(sweep);
}

const char *abut_sweep_name(const AbutSweep *sweep)
{
	return sweep->name;
}

long abut_sweep_run_count(const AbutSweep *sweep)
{
	return sweep->run_count;
}

int abut_sweep_axis_count(const AbutSweep *sweep)
{
	return sweep->n_axes;
}

const char *abut_sweep_axis_name(const AbutSweep *sweep, int axis)
{
	return sweep->axes[axis].name;
}

int abut_sweep_axis_size(const AbutSweep *sweep, int axis)
{
	return sweep->axes[axis].count;
}

const char *abut_sweep_axis_label(const AbutSweep *sweep, int axis, int value)
{
	return sweep->axes[axis].values[value].label;
}

unsigned long long abut_sweep_first_seed(const AbutSweep *sweep)
{
	return sweep->first_seed;
}

long abut_sweep_seed_count(const AbutSweep *sweep)
{
	return sweep->seed_count;
}
