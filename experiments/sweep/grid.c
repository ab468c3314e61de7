/* Computes the points of the grid, their scenes, and the commands that repeat their runs. */
#include "experiments/sweep/grid.h"
#include "experiments/sweep/text.h"

#include <stdlib.h>

#include "base/error.h"
#include "io/text/words.h"

int abut_sweep_coordinate(const AbutSweep *sweep, long run, int axis)
{
	long left = run / sweep->seed_count;
	for (int i = sweep->n_axes - 1; i > axis; i--) {
		left /= sweep->axes[i].count;
	}
	return (int)(left % sweep->axes[axis].count);
}

unsigned long long abut_sweep_seed(const AbutSweep *sweep, long run)
{
	return sweep->first_seed + (unsigned long long)(run % sweep->seed_count);
}

static void take(AbutSweepPoint *point, const AbutSweepOverrides *overrides)
{
	for (int i = 0; i < overrides->count; i++) {
		point->texts[point->count] = overrides->items[i].text;
		point->places[point->count++] = overrides->items[i].place;
	}
}

static bool draw(AbutSweepPoint *point, const AbutSweepDraws *draws, unsigned long long seed)
{
	for (int i = 0; i < draws->count; i++) {
		char *const text = abut_sweep_draw(&draws->items[i], seed);
		if (!text) {
			return false;
		}
		point->drawn[point->n_drawn++] = text;
		point->texts[point->count] = text;
		point->places[point->count++] = draws->items[i].place;
	}
	return true;
}

AbutStatus abut_sweep_point_make(const AbutSweep *sweep, const int *values, unsigned long long seed,
                                 AbutSweepPoint *point, AbutError *error)
{
	const AbutSweepScene *scene = &sweep->scenes[values[ABUT_SWEEP_SCENE_AXIS]];
	const int n_draws = sweep->random.count + scene->random.count;
	int most = 1 + sweep->overrides.count + n_draws;
	for (int i = 0; i < sweep->n_axes; i++) {
		most += sweep->axes[i].values[values[i]].overrides.count;
	}
	*point = (AbutSweepPoint){.scene = scene};
	point->texts = calloc((size_t)most, sizeof *point->texts);
	point->places = calloc((size_t)most, sizeof *point->places);
	point->drawn = calloc((size_t)n_draws + 1, sizeof *point->drawn);
	bool good = point->texts && point->places && point->drawn;
	if (good) {
		take(point, &sweep->overrides);
		for (int i = 0; i < sweep->n_axes; i++) {
			take(point, &sweep->axes[i].values[values[i]].overrides);
		}
		good = draw(point, &sweep->random, seed) && draw(point, &scene->random, seed);
	}
	if (!good) {
		abut_sweep_point_free(point);
		return abut_sweep_fail_memory(error);
	}
	return ABUT_OK;
}

AbutStatus abut_sweep_point_of_run(const AbutSweep *sweep, long run, AbutSweepPoint *point, AbutError *error)
{
	int *values = calloc((size_t)sweep->n_axes, sizeof *values);
	if (!values) {
		return abut_sweep_fail_memory(error);
	}
	for (int i = 0; i < sweep->n_axes; i++) {
		values[i] = abut_sweep_coordinate(sweep, run, i);
	}
	const AbutStatus status = abut_sweep_point_make(sweep, values, abut_sweep_seed(sweep, run), point, error);
	free(values);
	return status;
}

void abut_sweep_point_free(AbutSweepPoint *point)
{
	for (int i = 0; point->drawn && i < point->n_drawn; i++) {
		free(point->drawn[i]);
	}
	free(point->drawn);
	free(point->texts);
	free(point->places);
	*point = (AbutSweepPoint){.scene = NULL};
}

AbutStatus abut_sweep_point_scene(const AbutSweepPoint *point, AbutScene **scene, AbutError *error)
{
	const AbutSweepScene *file = point->scene;
	return abut_scene_parse(file->text, file->length, file->path, point->count, point->texts, scene, error);
}

AbutStatus abut_sweep_write_call(const AbutSweep *sweep, long run, FILE *file, AbutError *error)
{
	AbutSweepPoint point;
	if (run < 0 || run >= sweep->run_count) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "there is no run %ld; allowed are 0 to %ld",
		                      run, sweep->run_count - 1);
	}
	ABUT_TRY(abut_sweep_point_of_run(sweep, run, &point, error));
	fputs("abut run ", file);
	abut_text_write_quoted(file, point.scene->path);
	for (int i = 0; i < point.count; i++) {
		fputs(" --set ", file);
		abut_text_write_quoted(file, point.texts[i]);
	}
	abut_sweep_point_free(&point);
	fprintf(file, " --seed %llu\n", abut_sweep_seed(sweep, run));
	return ABUT_OK;
}
