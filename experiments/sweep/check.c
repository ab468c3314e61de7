/* What is wrong with a spec is said before the first run: each scene is made with each value of each other axis, one at
 * a time: a path that one scene has, another may lack (test: errors_of_any_scene in spec). A scene that the reader
 * refuses then is a mistake of the spec; one that the version cannot do, or a body that cannot be, is an outcome of its
 * runs. */
#include "experiments/sweep/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/sweep/grid.h"
#include "io/json/locate.h"
#include "io/text/words.h"

/* An error of an override (its file is "--set", its message quotes the override) gets the place in the spec. */
static void place_error(const AbutSweep *sweep, const AbutSweepPoint *point, AbutError *error)
{
	if (strcmp(error->file, "--set") != 0) {
		return;
	}
	for (int i = point->count - 1; i >= 0; i--) {
		char quoted[ABUT_QUOTE_SIZE];
		if (!strstr(error->message, abut_text_quote(point->texts[i], quoted))) {
			continue;
		}
		char message[sizeof error->where + sizeof error->message + 2];
		snprintf(message, sizeof message, "%s%s%s", error->where, error->where[0] ? ": " : "", error->message);
		abut_error_set(error, error->status, point->places[i], "%s", message);
		snprintf(error->file, sizeof error->file, "%s", sweep->source.name);
		abut_json_locate(sweep->source.text, sweep->source.length, error->where, false, 1, &error->line,
		                 &error->column);
		return;
	}
}

static AbutStatus check_point(const AbutSweep *sweep, const int *values, AbutError *error)
{
	AbutSweepPoint point;
	AbutScene *scene = NULL;
	AbutStatus status = abut_sweep_point_make(sweep, values, sweep->first_seed, &point, error);
	if (status != ABUT_OK) {
		return status;
	}
	status = abut_sweep_point_scene(&point, &scene, error);
	if (status == ABUT_ERROR_UNSUPPORTED) {
		status = ABUT_OK;
	} else if (status != ABUT_OK) {
		place_error(sweep, &point, error);
	}
	abut_scene_destroy(scene);
	abut_sweep_point_free(&point);
	return status;
}

/* Of one scene: every value of every axis, the others at their first. */
static AbutStatus check_scene(const AbutSweep *sweep, int scene, int *values, AbutError *error)
{
	values[ABUT_SWEEP_SCENE_AXIS] = scene;
	AbutStatus status = check_point(sweep, values, error);
	for (int i = ABUT_SWEEP_METHOD_AXIS; status == ABUT_OK && i < sweep->n_axes; i++) {
		for (int j = 1; status == ABUT_OK && j < sweep->axes[i].count; j++) {
			values[i] = j;
			status = check_point(sweep, values, error);
		}
		values[i] = 0;
	}
	return status;
}

/* Fewer scenes are made than the grid has runs: of two axes with m and n values, m + n - 1 where it has m n. */
AbutStatus abut_sweep_check(const AbutSweep *sweep, AbutError *error)
{
	int *values = calloc((size_t)sweep->n_axes, sizeof *values);
	if (!values) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory checking the sweep");
	}
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < sweep->n_scenes; i++) {
		status = check_scene(sweep, i, values, error);
	}
	free(values);
	return status;
}
