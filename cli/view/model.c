/* Exports a scene as a robot model. Tested in tests/cli/view/export.c. */
#include "cli/view/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/common/open.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "io/describe/mjcf_out.h"
#include "io/describe/urdf_out.h"
#include "io/text/output_target.h"

const char *const abut_model_formats[ABUT_MODEL_COUNT] = {"mjcf", "urdf"};

/* A kept note; the element is a constant. */
typedef struct Note {
	AbutDescribeLoss loss;
	const char *element;
	char *name, *text;
} Note;

typedef struct Notes {
	bool keep, quiet, full; /* full: memory ran out */
	int n, capacity;
	Note *notes;
} Notes;

/* Keeps a note for the JSON object, or reports it. */
static void take_note(void *context, const AbutDescribeNote *note)
{
	Notes *notes = context;
	if (!notes->keep) {
		if (!notes->quiet) {
			abut_report("%s", note->text);
		}
		return;
	}
	if (notes->full || !abut_grow(&notes->notes, &notes->capacity, notes->n + 1, sizeof *notes->notes)) {
		notes->full = true;
		return;
	}
	Note *own = &notes->notes[notes->n++];
	*own = (Note){note->loss, note->element, strdup(note->name), strdup(note->text)};
	notes->full = !own->name || !own->text;
}

static void free_notes(Notes *notes)
{
	for (int i = 0; i < notes->n; i++) {
		free(notes->notes[i].name);
		free(notes->notes[i].text);
	}
	free(notes->notes);
}

/* Prints the notes of one kind of loss. */
static void print_notes(const Notes *notes, const char *key, AbutDescribeLoss loss)
{
	int printed = 0;
	printf(", \"%s\": [", key);
	for (int i = 0; i < notes->n; i++) {
		const Note *note = &notes->notes[i];
		if (note->loss == loss) {
			fputs(printed++ > 0 ? ", " : "", stdout);
			abut_print_first("element", note->element);
			abut_print_text("name", note->name);
			abut_print_text("text", note->text);
			putchar('}');
		}
	}
	putchar(']');
}

/* Returns the path with which mesh files begin: that of the model without its ending. The caller frees it. NULL: none,
 * or out of memory. */
static char *mesh_path(const char *out)
{
	char *const path = strncmp(out, "/dev/", 5) == 0 ? NULL : strdup(out);
	char *const slash = path ? strrchr(path, '/') : NULL, *const dot = path ? strrchr(path, '.') : NULL;
	if (dot && dot != path && (!slash || dot > slash + 1)) {
		*dot = '\0';
	}
	return path;
}

static AbutStatus write_model(const AbutModel *model, const AbutScene *scene, AbutModelFormat format, const char *out,
                              Notes *kept, AbutError *error)
{
	AbutTarget target = {0};
	const AbutDescribeNotes notes = {kept, take_note};
	AbutStatus status = abut_target_open(&target, NULL, out, error);
	if (status == ABUT_OK && format == ABUT_MODEL_URDF) {
		char *const meshes = mesh_path(out);
		status = abut_describe_urdf(target.file, model, abut_scene_def(scene), meshes, &notes, error);
		free(meshes);
	} else if (status == ABUT_OK) {
		status = abut_describe_mjcf(target.file, model, abut_scene_def(scene), &notes, error);
	}
	return abut_target_end(&target, status, error);
}

int abut_export_model(const char *path, AbutModelFormat format, const char *out, bool json, bool quiet)
{
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutError error = {0};
	const AbutTextList unchanged = {0};
	Notes notes = {.keep = json, .quiet = quiet};
	const int opened = abut_open_scene(path, &unchanged, &scene, &model, &error);
	if (opened != ABUT_EXIT_DONE) {
		return abut_report_error(&error, opened);
	}
	const AbutStatus status = write_model(model, scene, format, out, &notes, &error);
	int exit_status = abut_report_output(status, &error);
	const int n = abut_model_body_count(model), joints = abut_model_joint_count(model);
	if (status == ABUT_OK && notes.full) {
		exit_status = abut_report_memory();
	} else if (status == ABUT_OK && json) {
		abut_print_first("file", out);
		abut_print_text("format", abut_model_formats[format]);
		printf(", \"bodies\": %d, \"joints\": %d", n, joints);
		print_notes(&notes, "approximated", ABUT_APPROXIMATED);
		print_notes(&notes, "left_out", ABUT_LEFT_OUT);
		puts("}");
	} else if (status == ABUT_OK && !quiet && strncmp(out, "/dev/", 5) != 0) {
		printf("%s: %d bod%s, %d joint%s\n", out, n, n == 1 ? "y" : "ies", joints, joints == 1 ? "" : "s");
	}
	free_notes(&notes);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return abut_finish_stdout(exit_status);
}
