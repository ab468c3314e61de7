/* Reads a model of URDF or MJCF, writes it as a scene and makes the model of the scene; for the tests of imports. */
#pragma once

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/abut.h"
#include "io/import/import.h"
#include "io/import/write.h"

/* A model that was read, written as a scene and made. */
typedef struct Imported {
	AbutImport *import;
	AbutScene *scene;
	AbutModel *model;
	char *text;
} Imported;

static inline void open_import_with(Imported *imported, const char *path, const AbutImportOptions *options)
{
	AbutError error = {0};
	size_t length = 0;
	memset(imported, 0, sizeof *imported);
	cr_assert_eq(abut_import_read(path, options, &imported->import, &error), ABUT_OK, "%s:%d: %s: %s", error.file,
	             error.line, error.where, error.message);
	FILE *stream = open_memstream(&imported->text, &length);
	cr_assert_eq(abut_import_write(imported->import, NULL, stream, &error), ABUT_OK, "%s", error.message);
	fclose(stream);
	cr_assert_eq(abut_scene_parse(imported->text, length, "s.json", 0, NULL, &imported->scene, &error), ABUT_OK,
	             "%s: %s\n%s", error.where, error.message, imported->text);
	cr_assert_eq(abut_model_create(abut_scene_def(imported->scene), &imported->model, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
}

static inline void open_import(Imported *imported, const char *path)
{
	open_import_with(imported, path, NULL);
}

static inline void close_import(Imported *imported)
{
	abut_model_destroy(imported->model);
	abut_scene_destroy(imported->scene);
	abut_import_free(imported->import);
	free(imported->text);
}

static inline const AbutBodyDef *find(const Imported *imported, const char *name)
{
	const AbutSceneDef *def = abut_scene_def(imported->scene);
	for (int i = 0; i < def->n_bodies; i++) {
		if (strcmp(def->bodies[i].name, name) == 0) {
			return &def->bodies[i];
		}
	}
	cr_assert_fail("no body %s in\n%s", name, imported->text);
	return NULL;
}

/* Writes the text as a file in a new folder; `path` has room for 64 bytes. */
static inline void write_model(const char *text, char *path)
{
	char folder[] = "/tmp/abut-test-XXXXXX";
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, 64, "%s/m.xml", folder);
	FILE *file = fopen(path, "w");
	cr_assert_not_null(file);
	fputs(text, file);
	fclose(file);
}

static inline void remove_model(char *path)
{
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
}

static inline void open_text_with(Imported *imported, const char *text, const AbutImportOptions *options)
{
	char path[64];
	write_model(text, path);
	open_import_with(imported, path, options);
	remove_model(path);
}

static inline void open_text(Imported *imported, const char *text)
{
	open_text_with(imported, text, NULL);
}

/* Returns the index of the joint of this name. */
static inline int joint_index(const Imported *imported, const char *name)
{
	const AbutSceneDef *def = abut_scene_def(imported->scene);
	for (int i = 0; i < def->n_joints; i++) {
		if (strcmp(def->joints[i].name, name) == 0) {
			return i;
		}
	}
	cr_assert_fail("no joint %s in\n%s", name, imported->text);
	return -1;
}

static inline const AbutJointDef *joint_of(const Imported *imported, const char *name)
{
	return &abut_scene_def(imported->scene)->joints[joint_index(imported, name)];
}

/* Returns the coordinates of a joint after some steps. */
static inline AbutJointState joint_after(const Imported *imported, const char *name, int steps)
{
	AbutJointState out;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutStepInfo info = {.row = 0};
	AbutError error = {0};
	cr_assert_eq(abut_state_create(imported->model, &state, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_workspace_create(imported->model, &workspace, &error), ABUT_OK, "%s", error.message);
	for (int i = 0; i < steps; i++) {
		cr_assert_eq(abut_step(imported->model, state, workspace, &info), ABUT_OK);
	}
	abut_joint_get(imported->model, state, joint_index(imported, name), &out);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	return out;
}

static inline void expect_near(double a, double b)
{
	cr_expect_float_eq(a, b, 1e-12 * (1.0 + fabs(b)), "%.17g, not %.17g", a, b);
}

static inline bool has_note(const Imported *imported, const char *part, int line)
{
	for (int i = 0; abut_import_note(imported->import, i); i++) {
		const AbutImportNote *note = abut_import_note(imported->import, i);
		if (strstr(note->text, part) && note->line == line) {
			return true;
		}
	}
	return false;
}

static inline void expect_vector(const double *a, const double *b, int n, double tolerance)
{
	for (int i = 0; i < n; i++) {
		cr_expect_float_eq(a[i], b[i], tolerance, "entry %d: %.17g, not %.17g", i, a[i], b[i]);
	}
}
