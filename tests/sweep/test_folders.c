/* Tests folders of a sweep that belong to another one, are in use, or are on a full disk. */
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/sweep/load.h"
#include "experiments/sweep/merge.h"
#include "experiments/sweep/run.h"
#include "sweep/tumbles.h"

TestSuite(sweep_folders, .init = sweep_set_up, .fini = sweep_tear_down);

static void expect_refused(const AbutSweep *sweep, const char *name, const AbutSweepOptions *options,
                           const char *message)
{
	AbutError error = {0};
	cr_expect_eq(abut_sweep_run(sweep, sweep_path(name), options, NULL, &error), ABUT_ERROR_ARGUMENT, "%s",
	             message);
	cr_expect(strstr(error.message, message), "%s: %s", message, error.message);
}

static void expect_merge_refused(const char *from, const char *name)
{
	AbutError error = {0};
	cr_expect_eq(abut_sweep_merge(1, &from, sweep_path(name), NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "no sweep.json"), "%s", error.message);
	cr_expect_str_eq(error.file, sweep_path(name));
}

Test(sweep_folders, folders_of_others_are_refused)
{
	AbutSweep *sweep = sweep_tumbles();
	const unsigned long long seed = 99;
	AbutSweep *other = NULL;
	AbutError error;
	cr_assert_eq(abut_sweep_load(sweep_path("tumbles.json"), &seed, &other, &error), ABUT_OK);
	sweep_make(sweep, "out", &(AbutSweepOptions){0});
	char before[1 << 15];
	strcpy(before, sweep_read("out/runs.csv", 0));
	expect_refused(sweep, "out", &(AbutSweepOptions){0}, "already contains a sweep");
	expect_refused(other, "out", &(AbutSweepOptions){.resume = true}, "contains another sweep");
	expect_refused(sweep, "out", &(AbutSweepOptions){.resume = true, .shard = 1, .shards = 2},
	               "contains the whole sweep, not shard 1 of 2");
	sweep_make(sweep, "part", &(AbutSweepOptions){.shard = 1, .shards = 3});
	expect_refused(sweep, "part", &(AbutSweepOptions){.resume = true, .shard = 2, .shards = 3},
	               "contains shard 1 of 3, not shard 2 of 3");
	expect_refused(sweep, "part", &(AbutSweepOptions){.resume = true},
	               "contains shard 1 of 3, not the whole sweep");
	expect_refused(sweep, "none", &(AbutSweepOptions){.shard = 3, .shards = 2}, "no shard 3 of 2");
	cr_expect_str_eq(sweep_read("out/runs.csv", 0), before);
	cr_expect(!sweep_exists("none"));

	mkdir(sweep_path("foreign"), 0777);
	sweep_write("foreign/runs.csv", "my,own\n");
	expect_refused(sweep, "foreign", &(AbutSweepOptions){.resume = true}, "no sweep.json");
	expect_merge_refused(sweep_path("out"), "foreign");
	cr_expect_str_eq(sweep_read("foreign/runs.csv", 0), "my,own\n");
	mkdir(sweep_path("rank"), 0777); /* what a sweep would take for its own, and remove */
	sweep_write("rank/times.7.csv", "my,own\n");
	expect_refused(sweep, "rank", &(AbutSweepOptions){.resume = true}, "no sweep.json");
	expect_merge_refused(sweep_path("out"), "rank");
	cr_expect_str_eq(sweep_read("rank/times.7.csv", 0), "my,own\n");

	sweep_write("out/runs.csv", "run,scene\n0,x\n");
	expect_refused(sweep, "out", &(AbutSweepOptions){.resume = true}, "the columns are those of another sweep");
	abut_sweep_destroy(other);
	abut_sweep_destroy(sweep);
}

static long count_lines(const char *text)
{
	long n = 0;
	for (; *text; text++) {
		n += *text == '\n';
	}
	return n;
}

static void note_done(void *context, const AbutSweepProgress *progress)
{
	*(long *)context = progress->done;
}

/* If the row of one thread does not fit on the disk, threads in the middle of a run write no rows. Times are written
 * before results, so that another row would show in their table, which is far from full. */
Test(sweep_folders, nothing_is_written_after_the_first_error)
{
	AbutSweep *sweep = sweep_tumbles();
	for (rlim_t most = 2000; most <= 4400; most += 400) {
		char name[16], runs[32], times[32];
		AbutError error = {0};
		long done = 0;
		snprintf(name, sizeof name, "full%d", (int)most);
		snprintf(runs, sizeof runs, "%s/runs.csv", name);
		snprintf(times, sizeof times, "%s/times.csv", name);
		signal(SIGXFSZ, SIG_IGN);
		cr_assert_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, RLIM_INFINITY}), 0);
		const AbutSweepOptions options = {.threads = 8, .progress = note_done, .context = &done};
		cr_expect_eq(abut_sweep_run(sweep, sweep_path(name), &options, NULL, &error), ABUT_ERROR_IO);
		cr_assert_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}), 0);
		const long rows = count_lines(sweep_read(runs, 0)) - 1;
		cr_expect_eq(done, rows, "%d bytes: %ld runs told of, %ld rows", (int)most, done, rows);
		cr_expect_eq(count_lines(sweep_read(times, 1)) - 1, rows + 1, "%d bytes", (int)most);
		cr_expect_lt(rows, 16, "%d bytes: nothing was under way", (int)most);
	}
	abut_sweep_destroy(sweep);
}

/* Two calls at the same time would write each run twice. */
Test(sweep_folders, a_folder_in_use_is_refused)
{
	AbutSweep *sweep = sweep_tumbles();
	int ready[2], done[2];
	char byte = 0;
	cr_assert(pipe(ready) == 0 && pipe(done) == 0);
	mkdir(sweep_path("out"), 0777);
	const pid_t child = fork();
	if (child == 0) { /* holds the folder until told otherwise */
		const int held = open(sweep_path("out"), O_RDONLY | O_DIRECTORY);
		const bool good =
		    flock(held, LOCK_EX) == 0 && write(ready[1], "x", 1) == 1 && read(done[0], &byte, 1) == 1;
		_exit(good ? 0 : 1);
	}
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	expect_refused(sweep, "out", &(AbutSweepOptions){.resume = true}, "another process");
	cr_assert_eq(write(done[1], "\n", 1), 1);
	waitpid(child, NULL, 0);
	sweep_make(sweep, "out", &(AbutSweepOptions){.resume = true});
	abut_sweep_destroy(sweep);
}
