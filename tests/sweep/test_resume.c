/* Tests that the rows of a sweep are the same however threads share its runs, and whatever a killed call has left. */
#include <math.h>
#include <unistd.h>

#include "effort.h"
#include "experiments/sweep/load.h"
#include "experiments/sweep/table.h"
#include "sweep/tumbles.h"

TestSuite(sweep_resume, .init = sweep_set_up, .fini = sweep_tear_down);

Test(sweep_resume, threads_change_no_byte)
{
	AbutSweep *sweep = sweep_tumbles();
	sweep_make(sweep, "one", &(AbutSweepOptions){.threads = 1});
	for (int threads = 2; threads <= 8; threads *= 2) {
		char name[16], runs[32], record[32];
		snprintf(name, sizeof name, "of%d", threads);
		snprintf(runs, sizeof runs, "%s/runs.csv", name);
		snprintf(record, sizeof record, "%s/sweep.json", name);
		sweep_make(sweep, name, &(AbutSweepOptions){.threads = threads});
		sweep_expect_same("one/runs.csv", runs);
		sweep_expect_same("one/sweep.json", record);
	}
	abut_sweep_destroy(sweep);
}

/* The file is cut off anywhere: in the middle of a line, in the first one, at its end. */
Test(sweep_resume, resumes_what_was_cut_off)
{
	AbutSweep *sweep = sweep_tumbles();
	sweep_make(sweep, "whole", &(AbutSweepOptions){.threads = 1});
	sweep_make(sweep, "cut", &(AbutSweepOptions){.threads = 1});
	const long size = (long)strlen(sweep_read("whole/runs.csv", 0));
	const long times_size = (long)strlen(sweep_read("whole/times.csv", 0));
	for (long cut = 0; cut <= size; cut += (cut < 600 ? 97 : 1013) * (4 / TEST_EFFORT(4))) {
		cr_assert_eq(truncate(sweep_path("cut/runs.csv"), cut), 0);
		cr_assert_eq(truncate(sweep_path("cut/times.csv"), cut < times_size ? cut : times_size), 0);
		sweep_make(sweep, "cut", &(AbutSweepOptions){.threads = 2, .resume = true});
		sweep_expect_same("whole/runs.csv", "cut/runs.csv");
		sweep_expect_same("whole/sweep.json", "cut/sweep.json");
		AbutSweepTable *table = sweep_table("cut");
		cr_expect_eq(abut_sweep_table_rows(table), 24, "cut at %ld", cut);
		abut_sweep_table_destroy(table);
	}
	abut_sweep_destroy(sweep);
}

/* Rows are in any order, some of them in the tables of killed processes. */
Test(sweep_resume, resumes_from_tables_of_ranks)
{
	AbutSweep *sweep = sweep_tumbles();
	sweep_make(sweep, "whole", &(AbutSweepOptions){.threads = 1});
	sweep_make(sweep, "ranks", &(AbutSweepOptions){.threads = 1});
	char own[1 << 17] = "", other[1 << 15] = "", copy[1 << 15];
	strcpy(copy, sweep_read("whole/runs.csv", 0));
	int i = 0;
	for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n"), i++) {
		if (i == 0 || i % 3 == 0) { /* the first line into both, backwards after it */
			const size_t at = i == 0 ? 0 : (size_t)(strchr(own, '\n') + 1 - own);
			char rest[1 << 15];
			strcpy(rest, own + at);
			snprintf(own + at, sizeof own - at, "%s\n%s", line, rest);
		}
		if (i == 0 || i % 3 == 1) {
			strcat(strcat(other, line), "\n");
		}
	}
	sweep_write("ranks/runs.csv", own);
	sweep_write("ranks/runs.3.csv", other);
	sweep_make(sweep, "ranks", &(AbutSweepOptions){.resume = true});
	sweep_expect_same("whole/runs.csv", "ranks/runs.csv");
	cr_expect(!sweep_exists("ranks/runs.3.csv"));
	abut_sweep_destroy(sweep);
}

/* Lost times are left empty, and times of a run that is missing are left out. */
Test(sweep_resume, times_may_be_lost)
{
	AbutSweep *sweep = sweep_tumbles();
	sweep_make(sweep, "out", &(AbutSweepOptions){0});
	sweep_write("out/times.csv", "run,step_time_us_median,step_time_us_mean,wall_time_s,setup_time_s\n3,1,2,3,4\n");
	sweep_make(sweep, "out", &(AbutSweepOptions){.resume = true});
	AbutSweepTable *table = sweep_table("out");
	cr_assert_eq(abut_sweep_table_rows(table), 24);
	for (long i = 0; i < 24; i++) {
		const double time = sweep_value(table, i, "step_time_us_mean");
		cr_expect(i == 3 ? time == 2.0 : isnan(time), "run %ld: %g", i, time);
	}
	abut_sweep_table_destroy(table);
	abut_sweep_destroy(sweep);
}

/* A call computes only the runs that the folder lacks. Existing rows are left as they are. */
Test(sweep_resume, resuming_repeats_no_run)
{
	AbutSweep *sweep = sweep_tumbles();
	sweep_make(sweep, "out", &(AbutSweepOptions){0});
	char before[1 << 15];
	strcpy(before, sweep_read("out/times.csv", 0));
	sweep_make(sweep, "out", &(AbutSweepOptions){.resume = true});
	cr_expect_str_eq(sweep_read("out/times.csv", 0), before);
	abut_sweep_destroy(sweep);
}
