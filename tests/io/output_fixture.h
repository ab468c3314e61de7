/* A run that is written into a folder, for tests of its files. */
#pragma once

#include "io/fixture.h"
#include "io/run/output.h"

/* Prepares a box on a floor for three steps. */
static inline void set_up(Fixture *fixture)
{
	static const char text[] = "{\"abut\": 1, \"name\": \"a \\\"name\\\"\", \"duration\": 0.03, \"bodies\": "
	                           "[{\"name\": \"floor\", \"static\": true, "
	                           "\"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}}, "
	                           "{\"name\": \"a, \\\"b\\\"\", \"mass\": 1, "
	                           "\"position\": [0.1, 0.2, 0.5], \"linear_velocity\": [1, 0, 0], \"shape\": "
	                           "{\"type\": \"box\", \"half_extents\": [0.5, "
	                           "0.5, 0.5]}}]}";
	set_up_scene(fixture, text, 0, NULL);
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
