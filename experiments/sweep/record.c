/* Writes, reads and compares the record of a folder, sweep.json. */
#include "experiments/sweep/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "abut/version.h"
#include "base/error.h"
#include "experiments/sweep/text.h"
#include "io/json/read.h"
#include "io/text/file_text.h"
#include "io/text/folder.h"
#include "io/text/number.h"
#include "io/text/output_target.h"
#include "io/text/words.h"

enum { MAX_BYTES = 128 << 20 };

static const char file_name[] = "sweep.json";

AbutStatus abut_sweep_record_make(const AbutSweep *sweep, int shard, int shards, AbutSweepRecord *record,
                                  AbutError *error)
{
	*record = (AbutSweepRecord){
	    .first_seed = (double)sweep->first_seed, .runs = (int)sweep->run_count, .shard = shard, .shards = shards};
	snprintf(record->name, sizeof record->name, "%s", sweep->name);
	snprintf(record->digest, sizeof record->digest, "%s", sweep->digest);
	snprintf(record->version, sizeof record->version, "%s", abut_version());
	record->spec = abut_text_of_json(sweep->root);
	return record->spec ? ABUT_OK : abut_sweep_fail_memory(error);
}

void abut_sweep_record_free(AbutSweepRecord *record)
{
	free(record->spec);
	record->spec = NULL;
}

static void print(const AbutSweepRecord *record, FILE *file)
{
	fputs("{\n  \"name\": ", file);
	abut_json_write_string(file, record->name);
	fprintf(file, ",\n  \"version\": \"%s\",\n  \"digest\": \"%s\",\n  \"first_seed\": ", record->version,
	        record->digest);
	abut_json_write_number(file, record->first_seed);
	fprintf(file, ",\n  \"runs\": %d", record->runs);
	if (record->shards > 0) {
		fprintf(file, ",\n  \"shard\": [%d, %d]", record->shard, record->shards);
	}
	fprintf(file, ",\n  \"complete\": %s", record->complete ? "true" : "false");
	if (record->merging) {
		fputs(",\n  \"merging\": true", file);
	}
	if (record->complete) {
		fprintf(file, ",\n  \"done\": %ld,\n  \"failed\": %ld,\n  \"refused\": %ld", record->counts.done,
		        record->counts.failed, record->counts.refused);
	}
	fprintf(file, ",\n  \"spec\": %s\n}\n", record->spec);
}

AbutStatus abut_sweep_record_write(const AbutSweepRecord *record, const char *folder, AbutError *error)
{
	AbutTarget target = {NULL};
	AbutStatus status = abut_target_open(&target, folder, file_name, error);
	if (status == ABUT_OK) {
		print(record, target.file);
	}
	status = abut_target_end_synced(&target, status, error);
	return ABUT_THEN(status, abut_folder_sync(folder, error));
}

static void read_text(const AbutNode *root, const char *key, char *out, size_t size)
{
	const char *text = "";
	abut_require_name(root, key, &text);
	snprintf(out, size, "%s", text);
}

static void read_members(const AbutNode *root, AbutSweepRecord *record)
{
	AbutNode node;
	double shard[2] = {0.0, 0.0};
	read_text(root, "name", record->name, sizeof record->name);
	read_text(root, "version", record->version, sizeof record->version);
	read_text(root, "digest", record->digest, sizeof record->digest);
	abut_read_number(root, "first_seed", ABUT_NONNEGATIVE, &record->first_seed);
	abut_require_integer(root, "runs", 1, ABUT_SWEEP_MAX_RUNS, &record->runs);
	if (abut_read_vector(root, "shard", 2, ABUT_POSITIVE, shard)) {
		const bool fit = shard[0] <= shard[1] && shard[1] <= ABUT_SWEEP_MAX_RUNS;
		if (!fit) {
			abut_node_fail(root, ABUT_ERROR_PARSE,
			               "shard: must be [part, parts], part at most parts, is [%g, %g]", shard[0],
			               shard[1]);
		}
		record->shard = fit ? (int)shard[0] : 0;
		record->shards = fit ? (int)shard[1] : 0;
	}
	abut_read_bool(root, "complete", &record->complete);
	abut_read_bool(root, "merging", &record->merging);
	if (abut_node_require(root, "spec", &node)) {
		record->spec = abut_text_of_json(node.value);
		if (!record->spec) {
			abut_node_fail_memory(root);
		}
	}
}

static AbutStatus parse(AbutSource *source, AbutSweepRecord *record, AbutError *error)
{
	AbutJson *tree = NULL;
	AbutStatus status = abut_file_read(source->name, "sweep", MAX_BYTES, &source->text, &source->length, error);
	ABUT_THEN(status, abut_source_parse(source, "sweep", &tree, error));
	if (status == ABUT_OK) {
		AbutReader reader = {.source = source, .error = error};
		const AbutNode root = {&reader, NULL, tree, NULL, 0};
		read_members(&root, record);
		status = reader.status;
	}
	abut_json_destroy(tree);
	return status;
}

AbutStatus abut_sweep_record_read(const char *folder, AbutSweepRecord *record, bool *found, AbutError *error)
{
	struct stat info;
	*record = (AbutSweepRecord){.spec = NULL};
	AbutSource source = {.name = abut_text_format("%s/%s", folder, file_name)};
	if (!source.name) {
		return abut_sweep_fail_memory(error);
	}
	AbutStatus status = ABUT_OK;
	*found = stat(source.name, &info) == 0 || errno != ENOENT;
	if (*found) {
		status = parse(&source, record, error);
	}
	if (status != ABUT_OK) {
		abut_sweep_record_free(record);
	}
	abut_source_free(&source);
	return status;
}

AbutStatus abut_sweep_record_compare(const AbutSweepRecord *record, const AbutSweepRecord *other, const char *folder,
                                     AbutError *error)
{
	if (strcmp(record->digest, other->digest) != 0 || record->runs != other->runs) {
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT,
		                      "the folder contains another sweep, \"%.80s\", with digest %s instead of %s: the "
		                      "spec, a scene or the seed has changed",
		                      other->name, other->digest, record->digest);
	}
	if (strcmp(record->version, other->version) != 0) {
		return abut_file_fail(error, folder, ABUT_ERROR_ARGUMENT,
		                      "the sweep was started by version %s, whose results may differ from those of %s",
		                      other->version, record->version);
	}
	return ABUT_OK;
}
