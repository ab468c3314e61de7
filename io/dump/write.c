/* Writes dumps. */
#include "io/dump/write.h"

#include <stdlib.h>
#include <string.h>

#include "abut/version.h"
#include "base/error.h"
#include "io/dump/result.h"
#include "io/scene/scene_parts.h"
#include "io/text/file_text.h"
#include "io/text/folder.h"
#include "io/text/number.h"
#include "io/text/output_target.h"

struct AbutDumps {
	AbutDumpsOptions options;
	const AbutScene *scene;
	const AbutModel *model;
	AbutState *before; /* state before the step */
	AbutFolder folder;
	long written, left_out;
};

AbutStatus abut_dumps_open(const AbutDumpsOptions *options, const AbutScene *scene, const AbutModel *model,
                           AbutDumps **out, AbutError *error)
{
	*out = NULL;
	AbutDumps *dumps = calloc(1, sizeof *dumps);
	if (!dumps) {
		return abut_fail_memory(error, "a dump");
	}
	dumps->options = *options;
	dumps->scene = scene;
	dumps->model = model;
	AbutStatus status = abut_state_create(model, &dumps->before, error);
	ABUT_THEN(status, abut_folder_make(&dumps->folder, options->folder, "dump", error));
	if (status != ABUT_OK) {
		abut_dumps_destroy(dumps);
		return status;
	}
	*out = dumps;
	return ABUT_OK;
}

void abut_dumps_destroy(AbutDumps *dumps)
{
	if (dumps) {
		abut_state_destroy(dumps->before);
		abut_folder_drop(&dumps->folder);
		free(dumps);
	}
}

long abut_dumps_written(const AbutDumps *dumps)
{
	return dumps->written;
}

long abut_dumps_left_out(const AbutDumps *dumps)
{
	return dumps->left_out;
}

/* --- the file --- */

static void write_key(FILE *file, const char *key)
{
	fprintf(file, ",\n  \"%s\": ", key);
}

static void write_overrides(FILE *file, const AbutSource *source)
{
	fputc('[', file);
	for (int i = 0; i < source->n_overrides; i++) {
		fputs(i > 0 ? ", " : "", file);
		abut_json_write_string(file, source->overrides[i].text);
	}
	fputc(']', file);
}

static void write_state(FILE *file, size_t n, const double *values)
{
	enum { PER_LINE = 6 };
	fputc('[', file);
	for (size_t i = 0; i < n; i++) {
		fputs(i == 0 ? "\n    " : i % PER_LINE == 0 ? ",\n    " : ", ", file);
		abut_json_write_number(file, values[i]);
	}
	fputs("\n  ]", file);
}

/* Writes a dump. The scene is copied byte by byte from its file. */
static void write_dump(FILE *file, const AbutDumps *dumps, const AbutRunView *view, size_t n, const double *state)
{
	const AbutSource *source = &dumps->scene->source;
	const AbutDumpResult result = abut_dump_result_make(dumps->model, dumps->before, view->info);
	fputs("{\n  \"abut_dump\": 1", file);
	write_key(file, "version");
	abut_json_write_string(file, abut_version());
	write_key(file, "seed");
	fprintf(file, "%llu", dumps->options.seed);
	write_key(file, "name");
	abut_json_write_string(file, abut_scene_def(dumps->scene)->name);
	write_key(file, "step");
	fprintf(file, "%ld", view->step);
	write_key(file, "time");
	abut_json_write_number(file, abut_state_time(dumps->before));
	write_key(file, "result");
	abut_dump_result_write(file, &result);
	write_key(file, "overrides");
	write_overrides(file, source);
	write_key(file, "state");
	write_state(file, n, state);
	write_key(file, "scene");
	fputc('\n', file);
	fwrite(source->text, 1, source->length, file);
	fputs("\n}\n", file);
}

/* Makes the file name NAME_STEP.json. Characters of the scene's name that not every file system allows become '_'. */
static void make_name(const char *scene, long step, char out[ABUT_NAME_MAX + 32])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
	char stem[ABUT_NAME_MAX + 1];
	snprintf(stem, sizeof stem, "%s", scene);
	for (char *c = stem; *c; c++) {
		*c = (char)(strchr(plain, *c) && !(c == stem && *c == '.') ? *c : '_');
	}
	snprintf(out, ABUT_NAME_MAX + 32, "%s_%ld.json", stem, step);
}

static AbutStatus write_file(AbutDumps *dumps, const AbutRunView *view, size_t n, const double *state, AbutError *error)
{
	AbutTarget target = {NULL};
	char name[ABUT_NAME_MAX + 32];
	make_name(abut_scene_def(dumps->scene)->name, view->step, name);
	AbutStatus status = abut_target_open(&target, dumps->folder.path, name, error);
	if (status == ABUT_OK) {
		abut_folder_keep(&dumps->folder);
		write_dump(target.file, dumps, view, n, state);
	}
	return abut_target_end(&target, status, error);
}

static AbutStatus keep_step(AbutDumps *dumps, const AbutRunView *view, AbutError *error)
{
	if (dumps->written == ABUT_DUMPS_MAX) {
		dumps->left_out++;
		return ABUT_OK;
	}
	const size_t n = abut_state_snapshot_size(dumps->model, dumps->before);
	double *const state = malloc(n * sizeof *state);
	if (!state) {
		return abut_fail_memory(error, "a dump");
	}
	AbutStatus status = abut_state_snapshot(dumps->model, dumps->before, state);
	ABUT_THEN(status, write_file(dumps, view, n, state, error));
	dumps->written += status == ABUT_OK;
	free(state);
	return status;
}

static bool is_wanted(const AbutDumps *dumps, AbutOutcome outcome)
{
	return outcome == ABUT_OUTCOME_FAILED || outcome == ABUT_OUTCOME_RAISED_KAPPA ||
	       (dumps->options.relaxed && outcome == ABUT_OUTCOME_RELAXED);
}

AbutStatus abut_dumps_observe(void *context, const AbutRunView *view, AbutError *error)
{
	AbutDumps *dumps = context;
	AbutStatus status = ABUT_OK;
	if (view->info && is_wanted(dumps, view->info->outcome)) {
		status = keep_step(dumps, view, error);
	}
	if (status == ABUT_OK && abut_state_copy(view->model, view->state, dumps->before) != ABUT_OK) {
		status = abut_fail_memory(error, "a dump");
	}
	return status;
}
