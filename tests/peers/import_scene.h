/* Imports models for comparisons with MuJoCo. */
#pragma once

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/import/import.h"
#include "io/import/write.h"

/* Returns the scene that `abut import` writes of a model. */
static inline AbutScene *import_scene(const char *path)
{
	AbutImport *import = NULL;
	AbutScene *scene = NULL;
	AbutError error = {0};
	char *text = NULL;
	size_t length = 0;
	cr_assert_eq(abut_import_read(path, NULL, &import, &error), ABUT_OK, "%s", error.message);
	FILE *stream = open_memstream(&text, &length);
	cr_assert_eq(abut_import_write(import, NULL, stream, &error), ABUT_OK, "%s", error.message);
	fclose(stream);
	cr_assert_eq(abut_scene_parse(text, length, "scene.json", 0, NULL, &scene, &error), ABUT_OK, "%s",
	             error.message);
	free(text);
	abut_import_free(import);
	return scene;
}
