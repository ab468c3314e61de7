/* Writes the snapshots of a run. */
#include "io/run/save.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/run/point.h"
#include "io/run/snapshot_file.h"
#include "io/text/file_text.h"
#include "io/text/folder.h"
#include "io/text/number.h"
#include "io/text/output_target.h"

struct AbutSaver {
	char *folder; /* path of the snapshots; owned */
	AbutOutput *output;
	long every;
	long last; /* step of the last snapshot; -1: none */
};

void abut_saver_destroy(AbutSaver *saver)
{
	if (saver) {
		free(saver->folder);
		free(saver);
	}
}

/* --- what the run had counted --- */

static void write_progress(FILE *file, const AbutModel *model, const AbutRunSummary *summary,
                           const long sizes[ABUT_OUTPUT_TABLES])
{
	char text[ABUT_NUMBER_SIZE];
	fputs("{\n  \"abut_progress\": 1", file);
#define ABUT_X(member) fprintf(file, ",\n  \"" #member "\": %ld", (long)summary->member);
	ABUT_RUN_COUNTS(ABUT_X)
#undef ABUT_X
#define ABUT_X(member) fprintf(file, ",\n  \"" #member "\": %s", abut_number_short(summary->member, text));
	ABUT_RUN_NUMBERS(ABUT_X)
	if (abut_model_joint_count(model) > 0) {
		ABUT_RUN_JOINT_NUMBERS(ABUT_X)
	}
#undef ABUT_X
	fputs(",\n  \"failure\": ", file);
	abut_json_write_string(file, summary->failure);
	fputs(",\n  \"tables\": [", file);
	for (int i = 0; i < ABUT_OUTPUT_TABLES; i++) {
		if (abut_output_has_table(model, i)) {
			fprintf(file, "%s%ld", i > 0 ? ", " : "", sizes[i]);
		}
	}
	fputs("]\n}\n", file);
}

static AbutStatus save_progress(const char *folder, const AbutModel *model, const AbutRunSummary *summary,
                                const long sizes[ABUT_OUTPUT_TABLES], AbutError *error)
{
	AbutTarget target = {NULL};
	char name[ABUT_SNAPSHOT_NAME];
	abut_snapshot_name(summary->steps, "json", name);
	AbutStatus status = abut_target_open(&target, folder, name, error);
	if (status == ABUT_OK) {
		write_progress(target.file, model, summary, sizes);
	}
	return abut_target_end_synced(&target, status, error);
}

/* --- the folder --- */

static void remove_snapshot(const char *folder, long step)
{
	static const char *const endings[] = {"json", "abut"}; /* in this order: see io/run/save.h */
	for (int i = 0; i < 2; i++) {
		char name[ABUT_SNAPSHOT_NAME];
		abut_snapshot_name(step, endings[i], name);
		char *const path = abut_path_join(folder, name);
		if (path) {
			remove(path);
		}
		free(path);
	}
}

/* Removes snapshots later than the last one, also on the disk. One that stayed could be resumed from, with the settings
 * of this run. */
static AbutStatus remove_later(const AbutSaver *saver, AbutError *error)
{
	abut_target_sweep(saver->folder);
	DIR *const directory = opendir(saver->folder);
	const struct dirent *entry = NULL;
	bool removed = directory != NULL;
	errno = directory ? 0 : errno;
	while (removed && (entry = readdir(directory))) {
		long step = 0;
		if (abut_snapshot_step(entry->d_name, &step) && step > saver->last) {
			removed = unlinkat(dirfd(directory), entry->d_name, 0) == 0;
		}
	}
	AbutStatus status = ABUT_OK;
	if (!removed || errno != 0) {
		status = abut_file_fail(error, saver->folder, abut_path_status(errno),
		                        "cannot remove %s of an earlier run: %s; remove it, or choose another --out",
		                        entry ? entry->d_name : "the snapshots", strerror(errno));
	}
	if (directory) {
		closedir(directory);
	}
	return ABUT_THEN(status, abut_folder_sync(saver->folder, error));
}

/* Creates the folder and removes files later than the last snapshot. They come from another run, or this run was killed
 * while writing them. */
static AbutStatus clear(const AbutSaver *saver, AbutError *error)
{
	AbutFolder folder = {NULL, 0};
	struct stat info;
	if (lstat(saver->folder, &info) == 0 && S_ISLNK(info.st_mode)) {
		return abut_file_fail(error, saver->folder, ABUT_ERROR_ARGUMENT,
		                      "is a link; snapshots are written and removed only in a folder of the run's own: "
		                      "remove the link, or choose another --out");
	}
	const AbutStatus status = abut_folder_make(&folder, saver->folder, "snapshot", error);
	abut_folder_keep(&folder);
	abut_folder_drop(&folder);
	return status == ABUT_OK ? remove_later(saver, error) : status;
}

AbutStatus abut_saver_open(const char *folder, long every, long from, AbutOutput *output, AbutSaver **out,
                           AbutError *error)
{
	AbutSaver *saver = calloc(1, sizeof *saver);
	*out = NULL;
	if (!saver) {
		return abut_fail_memory(error, "the snapshots");
	}
	*saver = (AbutSaver){abut_path_join(folder, ABUT_SNAPSHOTS), output, every, from};
	const AbutStatus status = saver->folder ? clear(saver, error) : abut_fail_memory(error, "the snapshots");
	if (status != ABUT_OK) {
		abut_saver_destroy(saver);
		return status;
	}
	*out = saver;
	return ABUT_OK;
}

static AbutStatus save(AbutSaver *saver, const AbutModel *model, const AbutState *state, const AbutRunSummary *summary,
                       AbutError *error)
{
	long sizes[ABUT_OUTPUT_TABLES] = {0};
	char name[ABUT_SNAPSHOT_NAME];
	abut_snapshot_name(summary->steps, "abut", name);
	AbutStatus status = abut_output_sync(saver->output, sizes, error);
	ABUT_THEN(status, abut_snapshot_write_in(saver->folder, name, model, state, error));
	ABUT_THEN(status, save_progress(saver->folder, model, summary, sizes, error));
	ABUT_THEN(status, abut_folder_sync(saver->folder, error));
	if (status != ABUT_OK) {
		return status;
	}
	/* Keep only regular snapshots: the one of a run that ended between two regular ones is now superseded. */
	const bool regular = saver->every > 0 && saver->last % saver->every == 0;
	if (saver->last >= 0 && !regular && saver->last != summary->steps) {
		remove_snapshot(saver->folder, saver->last);
	}
	saver->last = summary->steps;
	return ABUT_OK;
}

/* --- in a run --- */

AbutStatus abut_saver_observe(void *context, const AbutRunView *view, AbutError *error)
{
	AbutSaver *saver = context;
	const bool failed = view->info && view->info->outcome == ABUT_OUTCOME_FAILED;
	const bool wanted = saver->every > 0 && view->step % saver->every == 0 && view->step != saver->last && !failed;
	return wanted ? save(saver, view->model, view->state, view->summary, error) : ABUT_OK;
}

AbutStatus abut_saver_end(AbutSaver *saver, const AbutRunReport *report, AbutError *error)
{
	const AbutRunSummary *summary = report->summary;
	return summary->ending[0] || summary->steps == saver->last
	           ? ABUT_OK
	           : save(saver, report->model, report->state, summary, error);
}
