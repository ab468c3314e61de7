/* Writes and reads run.json. */
#include "io/run/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/version.h"
#include "base/error.h"
#include "io/json/read.h"
#include "io/scene/scene_parts.h"
#include "io/text/file_text.h"
#include "io/text/folder.h"
#include "io/text/number.h"
#include "io/text/output_target.h"

enum { MOST_BYTES = 512 << 20 }; /* limit of run.json: fits the largest scene with every byte escaped */

static const char name[] = "run.json";

void abut_run_settings_free(AbutRunSettings *settings)
{
	free(settings->overrides);
	free(settings->path);
	abut_json_destroy(settings->root);
	memset(settings, 0, sizeof *settings);
}

AbutStatus abut_run_settings_of(const AbutScene *scene, unsigned long long seed, long save_every, uint64_t inputs,
                                AbutRunSettings *out, AbutError *error)
{
	const AbutSource *source = &scene->source;
	*out = (AbutRunSettings){.seed = seed,
	                         .save_every = save_every,
	                         .inputs = inputs,
	                         .file = source->name,
	                         .scene = source->text,
	                         .n_overrides = source->n_overrides};
	out->overrides = malloc(((size_t)source->n_overrides + 1) * sizeof *out->overrides);
	if (!out->overrides) {
		return abut_fail_memory(error, "the settings of the run");
	}
	for (int i = 0; i < source->n_overrides; i++) {
		out->overrides[i] = source->overrides[i].text;
	}
	/* A pipe has no absolute path. */
	errno = ENOENT;
	out->path = strncmp(source->name, "/dev/", 5) == 0 ? NULL : realpath(source->name, NULL);
	out->file = out->path ? out->path : source->name;
	if (!out->path && abut_is_of_system(abut_read_status(errno))) {
		return abut_file_fail(error, source->name, abut_read_status(errno), "cannot find the path: %s",
		                      strerror(errno));
	}
	return ABUT_OK;
}

/* --- out --- */

static void write_settings(FILE *file, const AbutRunSettings *settings)
{
	fputs("{\n  \"abut_run\": 1,\n  \"version\": ", file);
	abut_json_write_string(file, abut_version());
	fprintf(file, ",\n  \"seed\": %llu,\n  \"save_every\": %ld,\n  \"inputs\": \"%016" PRIx64 "\",\n  \"file\": ",
	        settings->seed, settings->save_every, settings->inputs);
	abut_json_write_string(file, settings->file);
	fputs(",\n  \"overrides\": [", file);
	for (int i = 0; i < settings->n_overrides; i++) {
		fputs(i > 0 ? ", " : "", file);
		abut_json_write_string(file, settings->overrides[i]);
	}
	fputs("],\n  \"scene\": ", file);
	abut_json_write_string(file, settings->scene);
	fputs("\n}\n", file);
}

AbutStatus abut_run_settings_write(const AbutRunSettings *settings, const char *folder, AbutError *error)
{
	AbutTarget target = {NULL};
	AbutStatus status = abut_target_open(&target, folder, name, error);
	if (status == ABUT_OK) {
		write_settings(target.file, settings);
	}
	status = abut_target_end_synced(&target, status, error);
	return ABUT_THEN(status, abut_folder_sync(folder, error));
}

/* --- in --- */

static const AbutKeySet keys = {
    "the settings of a run",
    (const char *const[]){"abut_run", "version", "seed", "save_every", "inputs", "file", "overrides", "scene", NULL}};

static void read_settings(const AbutNode *root, AbutRunSettings *out)
{
	char *end = NULL;
	abut_node_require_version(root, "abut_run", "", "format");
	abut_node_check_keys(root, &keys);
	out->seed = (unsigned long long)abut_node_require_whole(root, "seed", 0x1p53 - 1.0);
	out->save_every = (long)abut_node_require_whole(root, "save_every", 0x1p53 - 1.0);
	out->inputs = strtoull(abut_node_require_string(root, "inputs"), &end, 16);
	out->file = abut_node_require_string(root, "file");
	out->scene = abut_node_require_string(root, "scene");
	out->overrides =
	    abut_node_require_strings(root, "overrides", "a string, as --set takes it", 0, &out->n_overrides);
}

AbutStatus abut_run_settings_read(const char *folder, AbutRunSettings *out, AbutError *error)
{
	AbutError local = {0};
	AbutSource source = {0};
	char *const path = abut_path_join(folder, name);
	error = error ? error : &local;
	*out = (AbutRunSettings){0};
	AbutStatus status = path ? abut_source_load(&source, path, "settings of the run", MOST_BYTES, &out->root, error)
	                         : abut_fail_memory(error, "the settings of the run");
	free(path);
	if (status == ABUT_OK) {
		AbutReader reader = {.source = &source, .error = error};
		const AbutNode root = {&reader, NULL, out->root, NULL, 0};
		read_settings(&root, out);
		status = reader.status;
	}
	abut_source_free(&source);
	if (status != ABUT_OK) {
		abut_run_settings_free(out);
	}
	return status;
}

/* --- the scene --- */

AbutStatus abut_run_settings_scene(const AbutRunSettings *settings, const char *duration, AbutScene **out,
                                   AbutError *error)
{
	static const char path[] = "duration=";
	const char **const all = malloc(((size_t)settings->n_overrides + 1) * sizeof *all);
	int n = 0;
	*out = NULL;
	if (!all) {
		return abut_fail_memory(error, "the settings of the run");
	}
	for (int i = 0; i < settings->n_overrides; i++) {
		if (!duration || strncmp(settings->overrides[i], path, sizeof path - 1) != 0) {
			all[n++] = settings->overrides[i];
		}
	}
	if (duration) {
		all[n++] = duration;
	}
	const AbutStatus status =
	    abut_scene_parse(settings->scene, strlen(settings->scene), settings->file, n, all, out, error);
	free(all);
	return status;
}
