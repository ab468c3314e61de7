/* Tests a sweep in shards, and joining them. */
#include <unistd.h>

#include "experiments/sweep/load.h"
#include "experiments/sweep/merge.h"
#include "experiments/sweep/record.h"
#include "experiments/sweep/table.h"
#include "sweep/tumbles.h"

TestSuite(sweep_shards, .init = sweep_set_up, .fini = sweep_tear_down);

static void write_shards(const AbutSweep *sweep, int n)
{
	for (int i = 1; i <= n; i++) {
		char name[16];
		snprintf(name, sizeof name, "shard%d", i);
		sweep_make(sweep, name, &(AbutSweepOptions){.shard = i, .shards = n});
		AbutSweepTable *table = sweep_table(name);
		cr_expect_leq(labs(2 * abut_sweep_table_rows(table) - 48 / n), 2);
		abut_sweep_table_destroy(table);
	}
}

Test(sweep_shards, shards_join_to_the_whole)
{
	AbutSweep *sweep = sweep_tumbles();
	AbutSweepCounts counts;
	AbutError error = {0};
	write_shards(sweep, 5);
	sweep_make(sweep, "whole", &(AbutSweepOptions){0});
	const char *const folders[] = {sweep_path("shard4"), sweep_path("shard1"), sweep_path("shard5")};
	char paths[5][128];
	const char *all[5];
	cr_expect_eq(abut_sweep_merge(3, folders, "/nowhere", &counts, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.message,
	                 "9 of 24 runs are missing, of the shards 2, 3 of 5: 1, 2, 6, 7, 11, 12, 18, 19, 23");
	for (int i = 0; i < 5; i++) {
		snprintf(paths[i], sizeof paths[i], "%s/shard%d", sweep_folder, 5 - i);
		all[i] = paths[i];
	}
	cr_assert_eq(abut_sweep_merge(5, all, sweep_path("merged"), &counts, &error), ABUT_OK, "%s", error.message);
	cr_expect_eq(counts.runs, 24);
	sweep_expect_same("whole/runs.csv", "merged/runs.csv");
	sweep_expect_same("whole/sweep.json", "merged/sweep.json");
	cr_expect_eq(abut_sweep_merge(5, all, sweep_path("merged"), &counts, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "already contains a sweep"), "%s", error.message);

	/* A plain sweep that is not finished waits for being resumed: no merge replaces it. */
	AbutSweepRecord record;
	bool found = false;
	cr_assert_eq(abut_sweep_record_read(sweep_path("merged"), &record, &found, &error), ABUT_OK);
	record.complete = false;
	cr_assert_eq(abut_sweep_record_write(&record, sweep_path("merged"), &error), ABUT_OK);
	cr_expect_eq(abut_sweep_merge(5, all, sweep_path("merged"), &counts, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "already contains a sweep"), "%s", error.message);

	/* A merge that was killed: the record says so, and a table is missing. It can be repeated. */
	record.merging = true;
	cr_assert_eq(abut_sweep_record_write(&record, sweep_path("merged"), &error), ABUT_OK);
	abut_sweep_record_free(&record);
	cr_assert_eq(unlink(sweep_path("merged/runs.csv")), 0);
	cr_assert_eq(abut_sweep_merge(5, all, sweep_path("merged"), &counts, &error), ABUT_OK, "%s", error.message);
	sweep_expect_same("whole/runs.csv", "merged/runs.csv");
	sweep_expect_same("whole/sweep.json", "merged/sweep.json");

	const unsigned long long seed = 1;
	AbutSweep *other = NULL;
	cr_assert_eq(abut_sweep_load(sweep_path("tumbles.json"), &seed, &other, &error), ABUT_OK);
	sweep_make(other, "other", &(AbutSweepOptions){.shard = 1, .shards = 5});
	all[4] = sweep_path("other");
	cr_expect_eq(abut_sweep_merge(5, all, sweep_path("merged2"), &counts, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "another sweep"), "%s", error.message);
	cr_expect(!sweep_exists("merged2"));
	abut_sweep_destroy(other);
	abut_sweep_destroy(sweep);
}

/* Two shards with different results of one run, as from two machines, are not joined. */
Test(sweep_shards, shards_that_differ_are_refused)
{
	AbutSweep *sweep = sweep_tumbles();
	AbutError error = {0};
	write_shards(sweep, 2);
	char copy[1 << 15];
	strcpy(copy, sweep_read("shard2/runs.csv", 0));
	char row[1024];
	const char *first = strchr(sweep_read("shard1/runs.csv", 1), '\n') + 1;
	snprintf(row, sizeof row, "%.*s", (int)(strchr(first, '\n') + 1 - first), first);
	*strstr(row, "done") = 'D';
	strcat(copy, row);
	sweep_write("shard2/runs.csv", copy);
	const char *const folders[] = {sweep_path("shard1"), sweep_path("shard2")};
	cr_expect_eq(abut_sweep_merge(2, folders, sweep_path("merged"), NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "has other results of run"), "%s", error.message);
	abut_sweep_destroy(sweep);
}
