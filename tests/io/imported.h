/* Reads a model of URDF or MJCF, writes it as a scene and makes the model of the scene; for the tests of imports. */
#pragma once

#include <criterion/criterion.h>
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

static inline void open_import(Imported *imported, const char *path)
{
	AbutError error = {0};
	size_t length = 0;
	memset(imported, 0, sizeof *imported);
	cr_assert_eq(abut_import_read(path, &imported->import, &error), ABUT_OK, "%s:%d: %s: %s", error.file,
	             error.line, error.where, error.message);
	FILE *stream = open_memstream(&imported->text, &length);
	cr_assert_eq(abut_import_write(imported->import, NULL, stream, &error), ABUT_OK, "%s", error.message);
	fclose(stream);
	cr_assert_eq(abut_scene_parse(imported->text, length, "s.json", 0, NULL, &imported->scene, &error), ABUT_OK,
	             "%s: %s\n%s", error.where, error.message, imported->text);
	cr_assert_eq(abut_model_create(abut_scene_def(imported->scene), &imported->model, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
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

static inline void open_text(Imported *imported, const char *text)
{
	char path[64];
	write_model(text, path);
	open_import(imported, path);
	remove_model(path);
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
