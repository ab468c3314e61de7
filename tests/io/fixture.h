/* A scene with a new folder to write into, for tests of files. */
#pragma once

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "io/run/run.h"

/* The folder is below a new one and does not exist yet. */
typedef struct Fixture {
	char root[64], folder[96];
	AbutScene *scene;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutRunSummary summary;
} Fixture;

/* Makes the model of a scene with `n` overrides, and a folder. */
static inline void set_up_scene(Fixture *fixture, const char *text, int n, const char *const *overrides)
{
	AbutError error = {0};
	memset(fixture, 0, sizeof *fixture);
	strcpy(fixture->root, "/tmp/abut-test-XXXXXX");
	cr_assert_not_null(mkdtemp(fixture->root));
	snprintf(fixture->folder, sizeof fixture->folder, "%s/a/b/", fixture->root);
	cr_assert_eq(abut_scene_parse(text, strlen(text), "test.json", n, overrides, &fixture->scene, &error), ABUT_OK,
	             "%s: %s", error.where, error.message);
	cr_assert_eq(abut_model_create(abut_scene_def(fixture->scene), &fixture->model, &error), ABUT_OK);
	cr_assert_eq(abut_state_create(fixture->model, &fixture->state, &error), ABUT_OK);
	cr_assert_eq(abut_workspace_create(fixture->model, &fixture->workspace, &error), ABUT_OK);
}

static inline void tear_down(Fixture *fixture)
{
	abut_workspace_destroy(fixture->workspace);
	abut_state_destroy(fixture->state);
	abut_model_destroy(fixture->model);
	abut_scene_destroy(fixture->scene);
	char command[128];
	snprintf(command, sizeof command, "rm -r '%s'", fixture->root);
	cr_expect_eq(system(command), 0);
}

static inline int count_entries(const char *folder)
{
	int n = 0;
	DIR *directory = opendir(folder);
	if (!directory) {
		return -1;
	}
	for (struct dirent *entry; (entry = readdir(directory));) {
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	}
	closedir(directory);
	return n;
}
