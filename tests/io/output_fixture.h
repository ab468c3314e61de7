/* A run that is written into a folder, for tests of its files. */
#pragma once

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "io/run/output.h"

/* A box on a floor for three steps, written into a folder below a new one. */
typedef struct Fixture {
	char root[64], folder[96];
	AbutScene *scene;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutRunSummary summary;
} Fixture;

static inline void set_up(Fixture *fixture)
{
	static const char text[] = "{\"abut\": 1, \"name\": \"a \\\"name\\\"\", \"duration\": 0.03, \"bodies\": "
	                           "[{\"name\": \"floor\", \"static\": true, "
	                           "\"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}}, "
	                           "{\"name\": \"a, \\\"b\\\"\", \"mass\": 1, "
	                           "\"position\": [0.1, 0.2, 0.5], \"linear_velocity\": [1, 0, 0], \"shape\": "
	                           "{\"type\": \"box\", \"half_extents\": [0.5, "
	                           "0.5, 0.5]}}]}";
	AbutError error = {0};
	memset(fixture, 0, sizeof *fixture);
	strcpy(fixture->root, "/tmp/abut-test-XXXXXX");
	cr_assert_not_null(mkdtemp(fixture->root));
	snprintf(fixture->folder, sizeof fixture->folder, "%s/a/b/", fixture->root);
	cr_assert_eq(abut_scene_parse(text, sizeof text - 1, "test.json", 0, NULL, &fixture->scene, &error), ABUT_OK,
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

static inline void read_file(const Fixture *fixture, const char *name, char *out, size_t size)
{
	char path[160];
	snprintf(path, sizeof path, "%s%s", fixture->folder, name);
	FILE *file = fopen(path, "rb");
	cr_assert_not_null(file, "%s", path);
	const size_t n = fread(out, 1, size - 1, file);
	out[n] = '\0';
	fclose(file);
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

static inline void run(Fixture *fixture, AbutOutput *output)
{
	AbutError error = {0};
	const AbutRunObserver observer = {abut_output_observe, output, true};
	const AbutSceneDef *def = abut_scene_def(fixture->scene);
	cr_assert_eq(abut_run_steps(def), 3);
	cr_assert_eq(abut_run(fixture->model, fixture->state, fixture->workspace, 3, &observer, output ? 1 : 0,
	                      &fixture->summary, &error),
	             ABUT_OK, "%s", error.message);
}

static inline AbutStatus commit(Fixture *fixture, AbutOutput *output, AbutError *error)
{
	const AbutRunReport report = {
	    abut_scene_def(fixture->scene), fixture->model, fixture->state, &fixture->summary, 42, 0, NULL};
	return abut_output_commit(output, &report, error);
}
