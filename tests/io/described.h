/* Exports scenes as models and imports them again; for the tests of exports. */
#pragma once

#include "io/describe/mjcf_out.h"
#include "io/describe/urdf_out.h"
#include "io/imported.h"

/* The scenes and models of these tests. */
#define DESCRIBED(file) ABUT_SOURCE_DIR "/tests/io/described/" file

/* The notes of an export. */
typedef struct Kept {
	int n;
	AbutDescribeLoss loss[40];
	char text[40][300];
} Kept;

static inline void keep_note(void *context, const AbutDescribeNote *note)
{
	Kept *kept = context;
	cr_assert_lt(kept->n, 40);
	kept->loss[kept->n] = note->loss;
	snprintf(kept->text[kept->n++], sizeof *kept->text, "%s|%s|%s", note->element, note->name, note->text);
}

/* Compares the notes, in their order. */
static inline void expect_notes(const Kept *kept, int n, const char *const *expected)
{
	for (int i = 0; i < n || i < kept->n; i++) {
		cr_expect_str_eq(i < kept->n ? kept->text[i] : "", i < n ? expected[i] : "");
	}
	for (int i = 0; i < kept->n; i++) { /* the text has the word of its class */
		cr_expect(strstr(kept->text[i], kept->loss[i] == ABUT_LEFT_OUT ? "|left out: " : "|approximated: "),
		          "%s", kept->text[i]);
	}
}

static inline void open_scene(Imported *scene, const char *path)
{
	AbutError error = {0};
	memset(scene, 0, sizeof *scene);
	cr_assert_eq(abut_scene_load(path, 0, NULL, &scene->scene, &error), ABUT_OK, "%s: %s", error.where,
	             error.message);
	cr_assert_eq(abut_model_create(abut_scene_def(scene->scene), &scene->model, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
}

/* Returns the scene as a model of URDF, with meshes if their path is not NULL, or of MJCF; the caller frees it. */
static inline char *export_text(const Imported *scene, bool as_urdf, const char *meshes, Kept *notes)
{
	char *text = NULL;
	size_t length = 0;
	AbutError error = {0};
	const AbutDescribeNotes out = {notes, keep_note};
	const AbutSceneDef *def = abut_scene_def(scene->scene);
	notes->n = 0;
	FILE *stream = open_memstream(&text, &length);
	cr_assert_eq(as_urdf ? abut_describe_urdf(stream, scene->model, def, meshes, &out, &error)
	                     : abut_describe_mjcf(stream, scene->model, def, &out, &error),
	             ABUT_OK, "%s", error.message);
	fclose(stream);
	return text;
}

static inline void round_trip(const Imported *first, bool as_urdf, Imported *again, Kept *notes)
{
	char *text = export_text(first, as_urdf, NULL, notes);
	open_text(again, text);
	free(text);
}
