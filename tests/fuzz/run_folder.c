/* Fuzzes the folder of a run: reading, every export, the replay page, and resuming. */
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "io/export/export.h"
#include "io/run/folder.h"
#include "io/run/read.h"
#include "io/view/view.h"

enum { BODIES_MAX = 12 };

/* Exports in every format, and csv with each of its tables. */
static void export_all(const AbutRunRecord *record)
{
	for (int i = 0; i < ABUT_EXPORT_COUNT + 1; i++) {
		const AbutExportTable table = i < ABUT_EXPORT_COUNT ? ABUT_EXPORT_BODIES : ABUT_EXPORT_JOINTS;
		AbutError error = {0};
		FILE *const file = fopen(fuzz_path("export"), "wb");
		FUZZ_CHECK(file);
		fuzz_result(abut_export(record, (AbutExportFormat)(i % ABUT_EXPORT_COUNT), table, file, &error),
		            &error);
		FUZZ_CHECK(fclose(file) == 0);
	}
}

static void view(const char *folder)
{
	static const char bundle[] = "<html><!-- abut: runs --></html>";
	static bool written;
	AbutViewOptions options = {.n_runs = 1, .folders = {folder}, .every = 1};
	AbutError error = {0};
	if (!written) {
		fuzz_write("bundle.html", bundle, strlen(bundle));
		written = true;
	}
	options.bundle = fuzz_path("bundle.html");
	options.out = fuzz_path("page.html");
	fuzz_result(abut_view_write(&options, NULL, &error), &error);
}

void fuzz_run_folder(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"scene.json", "summary.json", "trajectory.csv", "contacts.csv",
	                                    "steps.csv"};
	AbutRunRecord record = {0};
	AbutError error = {0};
	fuzz_write_several(data, size, sizeof names / sizeof *names, names);
	if (fuzz_result(abut_run_read(fuzz_path(""), &record, &error), &error)) {
		export_all(&record);
		view(fuzz_path(""));
		abut_run_record_free(&record);
	}
}

/* Resumes the run and takes a step. */
static void resume(const AbutRunSettings *settings, const AbutScene *scene, FuzzWorld *world)
{
	const AbutRunFolderOptions options = {.folder = fuzz_path("")};
	AbutRunFolder run = {0};
	AbutError error = {0};
	if (fuzz_result(abut_run_folder_resume(&options, settings, scene, world->model, world->state, &run, &error),
	                &error)) {
		fuzz_world_step(world, 1);
	}
	abut_run_folder_close(&run);
}

void fuzz_resume(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"run.json",
	                                    "inputs.csv",
	                                    "summary.json",
	                                    "trajectory.csv",
	                                    "contacts.csv",
	                                    "steps.csv",
	                                    "snapshots/step_2.abut",
	                                    "snapshots/step_2.json",
	                                    "snapshots/step_4.abut",
	                                    "snapshots/step_4.json"};
	AbutRunSettings settings = {0};
	AbutScene *scene = NULL;
	AbutError error = {0};
	FuzzWorld world;
	mkdir(fuzz_path("snapshots"), 0700);
	fuzz_write_several(data, size, sizeof names / sizeof *names, names);
	if (fuzz_result(abut_run_settings_read(fuzz_path(""), &settings, &error), &error) &&
	    fuzz_result(abut_run_settings_scene(&settings, NULL, &scene, &error), &error) &&
	    abut_scene_def(scene)->n_bodies <= BODIES_MAX && fuzz_world_make(&world, abut_scene_def(scene))) {
		resume(&settings, scene, &world);
		fuzz_world_free(&world);
	}
	abut_scene_destroy(scene);
	abut_run_settings_free(&settings);
}
