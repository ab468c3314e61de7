/* Fuzzes sweeps: the spec with its grid, and the folder of a sweep. */
#include <string.h>

#include "experiments/sweep/folder.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/load.h"
#include "experiments/sweep/table.h"
#include "fuzz.h"

/* Loads a spec, whose scene is scene.json. */
static AbutStatus load(const void *text, size_t size, AbutSweep **out, AbutError *error)
{
	static bool written;
	if (!written) {
		fuzz_write("scene.json", fuzz_scene_text, strlen(fuzz_scene_text));
		written = true;
	}
	return abut_sweep_load(fuzz_write("spec.json", text, size), NULL, out, error);
}

void fuzz_sweep_spec(const uint8_t *data, size_t size)
{
	AbutSweep *sweep = NULL;
	AbutError error = {0};
	if (fuzz_result(load(data, size, &sweep, &error), &error)) {
		AbutSweepPoint point;
		AbutScene *scene = NULL;
		if (fuzz_result(abut_sweep_point_of_run(sweep, 0, &point, &error), &error)) {
			fuzz_result(abut_sweep_point_scene(&point, &scene, &error), &error);
			abut_scene_destroy(scene);
			abut_sweep_point_free(&point);
		}
	}
	abut_sweep_destroy(sweep);
}

static void read_table(const char *folder)
{
	AbutSweepTable *table = NULL;
	AbutError error = {0};
	if (fuzz_result(abut_sweep_table_read(folder, &table, &error), &error)) {
		for (long i = 0; i < abut_sweep_table_rows(table); i++) {
			const int column = abut_sweep_table_column(table, "outcome");
			FUZZ_CHECK(abut_sweep_table_text(table, i, column));
			abut_sweep_table_number(table, i, abut_sweep_table_column(table, "steps"));
		}
	}
	abut_sweep_table_destroy(table);
}

/* Reads the rows as --resume does. */
static void read_rows(const AbutSweep *sweep, const char *folder)
{
	enum { RUNS = 2 };
	AbutSweepContents contents;
	AbutSweepCounts counts;
	AbutError error = {0};
	if (abut_sweep_contents_init(&contents, RUNS, &error) == ABUT_OK) {
		if (fuzz_result(abut_sweep_contents_expect(&contents, sweep, &error), &error) &&
		    fuzz_result(abut_sweep_contents_read(&contents, folder, &error), &error)) {
			fuzz_result(abut_sweep_contents_count(&contents, &counts, &error), &error);
		}
		abut_sweep_contents_free(&contents);
	}
}

/* The sweep of the seeds has this spec. */
void fuzz_sweep_folder(const uint8_t *data, size_t size)
{
	static const char spec[] = "{\"abut_sweep\": 1, \"scenes\": [\"scene.json\"], \"methods\": [\"lcp\"],\n"
	                           "\"seeds\": {\"first\": 0, \"count\": 2}}\n";
	static const char *const names[] = {"runs.csv", "times.csv", "sweep.json"};
	static AbutSweep *sweep;
	AbutSweepRecord record = {0};
	AbutError error = {0};
	bool found = false;
	if (!sweep) {
		FUZZ_CHECK(load(spec, strlen(spec), &sweep, &error) == ABUT_OK);
	}
	fuzz_write_several(data, size, sizeof names / sizeof *names, names);
	const char *const folder = fuzz_path("");
	if (fuzz_result(abut_sweep_folder_examine(folder, &record, &found, &error), &error) && found) {
		AbutSweepRecord own = {0};
		if (abut_sweep_record_make(sweep, 0, 0, &own, &error) == ABUT_OK) {
			fuzz_result(abut_sweep_record_compare(&own, &record, folder, &error), &error);
			abut_sweep_record_free(&own);
		}
		abut_sweep_record_free(&record);
	}
	read_table(folder);
	read_rows(sweep, folder);
}
