#include "experiments/sweep/run.h"
#include "experiments/sweep/table.h"
#include "sweep/tumbles.h"

void sweep_make(const AbutSweep *sweep, const char *name, const AbutSweepOptions *options)
{
	AbutError error = {0};
	cr_assert_eq(abut_sweep_run(sweep, sweep_path(name), options, NULL, &error), ABUT_OK, "%s: %s", error.file,
	             error.message);
}

AbutSweepTable *sweep_table(const char *name)
{
	AbutSweepTable *table = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_sweep_table_read(sweep_path(name), &table, &error), ABUT_OK, "%s: %s", error.file,
	             error.message);
	return table;
}

double sweep_value(const AbutSweepTable *table, long row, const char *column)
{
	const int k = abut_sweep_table_column(table, column);
	cr_assert_geq(k, 0, "%s", column);
	return abut_sweep_table_number(table, row, k);
}

const char *sweep_text(const AbutSweepTable *table, long row, const char *column)
{
	const int k = abut_sweep_table_column(table, column);
	cr_assert_geq(k, 0, "%s", column);
	return abut_sweep_table_text(table, row, k);
}

const char sweep_boxes_text[] =
    "{\"abut\": 1, \"duration\": 0.4, \"shapes\": {\"b\": {\"type\": \"box\", \"half_extents\": [0.2, 0.15, 0.1]}},\n"
    " \"bodies\": [\n"
    " {\"name\": \"floor\", \"static\": true,\n"
    "  \"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}},\n"
    " {\"name\": \"a\", \"mass\": 1, \"position\": [0, 0, 0.4], \"shape\": \"b\"},\n"
    " {\"name\": \"b\", \"mass\": 2, \"position\": [0.1, 0, 0.9], \"shape\": \"b\"}]}\n";
static const char tumbles_text[] =
    "{\"abut_sweep\": 1, \"scenes\": [\"boxes.json\"], \"methods\": [\"single-level\", \"bilevel\"],\n"
    " \"parameters\": {\"timestep\": [0.02, 0.01]}, \"stands_within\": 0.2,\n"
    " \"random\": {\"bodies.a.orientation\": {\"rotation\": \"uniform\"},\n"
    "  \"bodies.b.orientation\": {\"rotation\": \"uniform\"},\n"
    "  \"bodies.b.angular_velocity\": {\"uniform\": [[-4, -4, -4], [4, 4, 4]]}},\n"
    " \"seeds\": {\"first\": 3, \"count\": 6}}\n";

AbutSweep *sweep_tumbles(void)
{
	sweep_write("boxes.json", sweep_boxes_text);
	sweep_write("tumbles.json", tumbles_text);
	return sweep_load("tumbles.json");
}
