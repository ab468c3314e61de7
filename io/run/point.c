/* Finds the snapshot from which a run is continued. */
#include "io/run/point.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "abut/snapshot.h"
#include "base/error.h"
#include "base/grow.h"
#include "io/json/read.h"
#include "io/text/file_text.h"

/* --- names --- */

void abut_snapshot_name(long step, const char *ending, char out[ABUT_SNAPSHOT_NAME])
{
	snprintf(out, ABUT_SNAPSHOT_NAME, "step_%ld.%s", step, ending);
}

bool abut_snapshot_step(const char *name, long *step)
{
	char ending[8], again[ABUT_SNAPSHOT_NAME];
	if (sscanf(name, "step_%15ld.%4s", step, ending) != 2 || *step < 0 ||
	    (strcmp(ending, "json") != 0 && strcmp(ending, "abut") != 0)) {
		return false;
	}
	abut_snapshot_name(*step, ending, again);
	return strcmp(name, again) == 0;
}

/* --- step_N.json --- */

static void read_members(const AbutNode *root, const AbutModel *model, AbutRunPoint *out)
{
	AbutNode node;
	double sizes[ABUT_OUTPUT_TABLES] = {0.0};
#define ABUT_X(member)                                                                                                 \
	out->summary.member = (__typeof__(out->summary.member))abut_node_require_whole(                                \
	    root, #member, sizeof out->summary.member == sizeof(int) ? INT_MAX : 0x1p53 - 1.0);
	ABUT_RUN_COUNTS(ABUT_X)
#undef ABUT_X
#define ABUT_X(member) abut_require_number(root, #member, ABUT_ANY, &out->summary.member);
	ABUT_RUN_NUMBERS(ABUT_X)
	if (abut_model_joint_count(model) > 0) {
		ABUT_RUN_JOINT_NUMBERS(ABUT_X)
	}
#undef ABUT_X
	if (abut_node_require(root, "failure", &node) && abut_json_type(node.value) == ABUT_JSON_STRING) {
		snprintf(out->summary.failure, sizeof out->summary.failure, "%s", abut_json_string(node.value));
	}
	int n = 0;
	for (int i = 0; i < ABUT_OUTPUT_TABLES; i++) {
		n += abut_output_has_table(model, i);
	}
	abut_require_vector(root, "tables", n, ABUT_NONNEGATIVE, sizes);
	for (int i = 0, k = 0; i < ABUT_OUTPUT_TABLES; i++) {
		const double size = abut_output_has_table(model, i) ? sizes[k++] : 0.0;
		out->sizes[i] = size >= 0.0 && size < 0x1p53 ? (long)size : 0;
	}
}

static AbutStatus read_progress(const char *path, const AbutModel *model, AbutRunPoint *out, AbutError *error)
{
	AbutSource source = {0};
	AbutJson *tree = NULL;
	AbutStatus status = abut_source_load(&source, path, "progress", 1 << 20, &tree, error);
	if (status == ABUT_OK) {
		AbutReader reader = {.source = &source, .error = error};
		const AbutNode root = {&reader, NULL, tree, NULL, 0};
		memset(out, 0, sizeof *out);
		read_members(&root, model, out);
		status = reader.status;
	}
	abut_json_destroy(tree);
	abut_source_free(&source);
	return status;
}

/* --- the last snapshot --- */

/* Finds whether the tables have the rows before the snapshot. */
static AbutStatus tables_reach(const char *folder, const AbutModel *model, const AbutRunPoint *point, bool *reach,
                               AbutError *error)
{
	AbutStatus status = ABUT_OK;
	*reach = true;
	for (int i = 0; status == ABUT_OK && i < ABUT_OUTPUT_TABLES; i++) {
		struct stat info;
		if (!abut_output_has_table(model, i)) {
			continue;
		}
		char *const path = abut_path_join(folder, abut_output_tables[i]);
		const bool known = path && stat(path, &info) == 0;
		if (!path || (!known && abut_is_of_system(abut_read_status(errno)))) {
			status = abut_file_fail(error, folder, abut_read_status(errno), "cannot read the tables: %s",
			                        strerror(errno));
		}
		*reach &= known && info.st_size >= point->sizes[i];
		free(path);
	}
	return status;
}

/* Tries to restore the snapshot of one step. Sets `*found` if all its files are complete. */
static AbutStatus try_step(const char *folder, const char *snapshots, long step, const AbutModel *model,
                           AbutState *state, AbutRunPoint *out, bool *found, AbutError *error)
{
	char name[ABUT_SNAPSHOT_NAME];
	abut_snapshot_name(step, "json", name);
	char *const progress = abut_path_join(snapshots, name);
	abut_snapshot_name(step, "abut", name);
	char *const path = abut_path_join(snapshots, name);
	AbutStatus status =
	    progress && path ? read_progress(progress, model, out, error) : abut_fail_memory(error, "the snapshots");
	*found = false;
	if (status == ABUT_OK && out->summary.steps == step) {
		status = tables_reach(folder, model, out, found, error);
	}
	if (status == ABUT_OK && *found) {
		status = abut_snapshot_read(model, state, path, error);
		*found = status == ABUT_OK;
	}
	free(progress);
	free(path);
	const bool passed_over = status == ABUT_ERROR_IO || status == ABUT_ERROR_PARSE;
	return passed_over ? ABUT_OK : status;
}

static int compare_down(const void *a, const void *b)
{
	const long x = *(const long *)a, y = *(const long *)b;
	return (x < y) - (x > y);
}

/* Lists the steps that have a step_N.json, latest first; the caller frees the list. A missing folder gives an empty
 * list. An unreadable folder is an error, because the run would otherwise start again and lose its results. */
static AbutStatus list_steps(const char *snapshots, long **steps, int *n, AbutError *error)
{
	DIR *const directory = opendir(snapshots);
	int reason = errno;
	int capacity = 0;
	long step = 0;
	bool has_room = true;
	*steps = NULL;
	*n = 0;
	if (!directory) {
		return reason == ENOENT ? ABUT_OK
		                        : abut_file_fail(error, snapshots, abut_path_status(reason),
		                                         "cannot read the folder: %s", strerror(reason));
	}
	errno = 0;
	for (const struct dirent *entry; has_room && (entry = readdir(directory));) {
		if (abut_snapshot_step(entry->d_name, &step) && strstr(entry->d_name, ".json")) {
			has_room = abut_grow(steps, &capacity, *n + 1, sizeof **steps);
			if (has_room) {
				(*steps)[(*n)++] = step;
			}
		}
	}
	reason = errno;
	closedir(directory);
	if (has_room && reason != 0) {
		return abut_file_fail(error, snapshots, abut_read_status(reason), "cannot read the folder: %s",
		                      strerror(reason));
	}
	if (*n > 0) {
		qsort(*steps, (size_t)*n, sizeof **steps, compare_down);
	}
	return has_room ? ABUT_OK : abut_fail_memory(error, "the snapshots");
}

AbutStatus abut_run_point_find(const char *folder, const AbutModel *model, AbutState *state, AbutRunPoint *out,
                               bool *found, AbutError *error)
{
	char *const snapshots = abut_path_join(folder, ABUT_SNAPSHOTS);
	long *steps = NULL;
	int n = 0;
	AbutStatus status =
	    snapshots ? list_steps(snapshots, &steps, &n, error) : abut_fail_memory(error, "the snapshots");
	*found = false;
	for (int i = 0; status == ABUT_OK && !*found && i < n; i++) {
		status = try_step(folder, snapshots, steps[i], model, state, out, found, error);
	}
	free(steps);
	free(snapshots);
	return status;
}
