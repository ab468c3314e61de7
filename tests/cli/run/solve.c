/* Tests that failed steps are saved as files, and that `abut solve` solves them again with the same result. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "cli/call.h"
#include "effort.h"

/* A run that ends when the cube meets the floor, in a step that one iteration does not solve. */
#define FAILS                                                                                                          \
	"run " SCENES "cube_drop.json --set solver.retry=false --set solver.max_iterations=1 --set "                   \
	"solver.warm_start=false --set solver.finish=none "
/* 120 steps that no arithmetic solves to this tolerance, so that each is solved at a larger kappa. */
#define RAISES                                                                                                         \
	"run " SCENES "cube_drop.json --set bodies.cube.position=[0,0,0.5] --set solver.finish=none --set "            \
	"solver.tolerance=1e-300 "

TestSuite(solve, .init = set_up, .fini = tear_down);

static const cJSON *member(const cJSON *object, const char *key)
{
	const cJSON *out = cJSON_GetObjectItemCaseSensitive(object, key);
	cr_assert_not_null(out, "%s", key);
	return out;
}

/* Reads the row of a step in out/steps.csv: outcome, tries, iterations, finish_iterations, residual. */
static void step_row(long step, char outcome[32], int counts[3], double *residual)
{
	char path[96], text[1 << 16], start[32];
	snprintf(path, sizeof path, "%s/out/steps.csv", folder);
	read_file(path, text, sizeof text);
	snprintf(start, sizeof start, "\n%ld,", step);
	const char *row = strstr(text, start);
	cr_assert_not_null(row);
	cr_assert_eq(sscanf(row + 1, "%*d,%*f,%31[^,],%*d,%*d,%*d,%d,%d,%d,%*f,%lf", outcome, &counts[0], &counts[1],
	                    &counts[2], residual),
	             5, "%s", row);
}

/* `abut solve` reports the dump, with exit status `status`, as the run reported the step. */
static void assert_reproduced(const char *dump, long step, int status)
{
	static Call result;
	char arguments[128], outcome[32];
	int counts[3] = {0};
	double residual = 0.0;
	step_row(step, outcome, counts, &residual);
	snprintf(arguments, sizeof arguments, "solve '%s' --json", dump);
	call(&result, arguments);
	cr_assert_eq(result.status, status, "%s: %d: %s", dump, result.status, result.err);
	cr_expect_str_eq(result.err, "");
	cJSON *object = parse_json(result.out);
	const cJSON *now = member(object, "result"), *then = member(member(object, "dump"), "result");
	cr_expect(cJSON_IsTrue(member(object, "same")), "%s: %s", dump, result.out);
	cr_expect(cJSON_Compare(now, then, 1), "%s: %s", dump, result.out);
	cr_expect_eq(number(object, "step"), (double)step);
	cr_expect_str_eq(cJSON_GetStringValue(member(now, "outcome")), outcome);
	cr_expect_eq(number(now, "tries"), (double)counts[0]);
	cr_expect_eq(number(now, "iterations"), (double)counts[1]);
	cr_expect_eq(number(now, "finish_iterations"), (double)counts[2]);
	cr_expect(number(now, "residual") == residual, "%s: %.17g and %.17g", dump, number(now, "residual"), residual);
	cr_expect_geq(cJSON_GetArraySize(member(object, "log")), counts[1]); /* the log is of all islands */
	cJSON_Delete(object);
}

Test(solve, a_failed_step_fails_again_to_the_bit)
{
	static Call result;
	call(&result, FAILS "--out out --dump-failures kept/deep --seed 5");
	cr_expect_eq(result.status, 1, "%d: %s", result.status, result.err);
	cr_expect(strstr(result.out, "\n  1 steps saved in kept/deep\n"), "%s", result.out);
	cr_expect_eq(count_lines(result.err), 1, "%s", result.err);
	const char *from = strstr(result.err, "step ");
	const long step = from ? strtol(from + 5, NULL, 10) : 0;
	cr_assert_gt(step, 1, "%s", result.err);
	char dump[64], arguments[256];
	snprintf(dump, sizeof dump, "kept/deep/cube_drop_%ld.json", step);
	cr_assert(exists(dump), "%s", dump);
	assert_reproduced(dump, step, 1);

	/* The text has the sentence of the run, and a row for each iteration. */
	snprintf(arguments, sizeof arguments, "solve %s --log log.csv", dump);
	call(&result, arguments);
	cr_expect_eq(result.status, 1);
	cr_expect(strstr(result.out, "no convergence in 1 try and 1 iteration "), "%s", result.out);
	cr_expect(strstr(result.out, ": the same\n") && strstr(result.out, "\n          1  interior point "), "%s",
	          result.out);
	char path[96], text[1 << 12];
	snprintf(path, sizeof path, "%s/log.csv", folder);
	read_file(path, text, sizeof text);
	cr_expect_eq(count_lines(text), 2, "%s", text);
	cr_expect(strncmp(text, "step,iteration,phase,kappa,residual,complementarity,step_length\n", 64) == 0);
	cr_expect_eq(strtol(strchr(text, '\n') + 1, NULL, 10), step, "%s", text);

	/* With other options the step is solved, with contacts. */
	snprintf(arguments, sizeof arguments, "solve %s --set solver.max_iterations=30 --set solver.kappa=1e-8 --json",
	         dump);
	call(&result, arguments);
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	cr_expect(cJSON_IsFalse(member(object, "same")));
	cr_expect_eq(number(object, "seed"), 5.0);
	cr_expect_eq(number(member(object, "result"), "kappa"), 1e-8);
	cr_expect_eq(cJSON_GetArraySize(member(object, "contacts")), 1);
	cJSON_Delete(object);
	static const char *const sets[] = {"--set solver.linear_solver=dense", "--set solver.finish=exact",
	                                   "--cold --set solver.friction_cone=pyramid --set bodies.cube.mass=3",
	                                   "--set solver.warm_start=true"};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		snprintf(arguments, sizeof arguments, "solve %s --set solver.retry=true %s", dump, sets[i]);
		call(&result, arguments);
		cr_expect_eq(result.status, 0, "%s: %s", sets[i], result.err);
		cr_expect(strstr(result.out, ": overrides were given\n") && strstr(result.out, "normal (N s)"), "%s",
		          result.out);
	}
}

/* Steps in contact, and in a pile, start from the last solution, as in the run. */
Test(solve, steps_from_a_last_solution_are_the_same_to_the_bit)
{
	static Call result;
	call(&result, RAISES "--set duration=0.2 --out out --dump-failures kept");
	cr_expect_eq(result.status, 1);
	int kept = 0;
	for (long step = 1; step <= 20; step++) {
		char dump[64];
		snprintf(dump, sizeof dump, "kept/cube_drop_%ld.json", step);
		if (exists(dump)) {
			kept++;
			assert_reproduced(dump, step, 1);
		}
	}
	cr_expect_gt(kept, 10);
	call(&result, "run " SCENES "pile_10.json --set duration=0.8 --set solver.finish=none --out out"
	              " --dump-failures pile --dump-relaxed");
	cr_expect_eq(result.status, 0, "%s", result.err);
	for (long step = 1; step <= 80; step += 12 / TEST_EFFORT(4)) {
		char dump[64];
		snprintf(dump, sizeof dump, "pile/pile_of_ten_mixed_shapes_%ld.json", step);
		assert_reproduced(dump, step, 0);
	}
}

Test(solve, at_most_100_steps_are_kept)
{
	static Call result;
	call(&result, RAISES "--set duration=1.2 --dump-failures kept --json");
	cr_expect_eq(result.status, 1);
	int more = 0, failed = 0;
	char path[96], text[64];
	const char *kept = strstr(result.err, "abut: kept: 100 steps are saved, the most that a run may save; "),
	           *run = strstr(result.err, "cube_drop.json: ");
	cr_assert(kept && run, "%s", result.err);
	cr_assert_eq(
	    sscanf(kept, "abut: kept: 100 steps are saved, the most that a run may save; %d more are not\n", &more), 1);
	cr_assert_eq(sscanf(run, "cube_drop.json: %d of 120 steps failed", &failed), 1);
	cr_expect(more > 0 && failed == 100 + more, "%d of %d", more, failed);
	call_after(&result, "ls kept | wc -l >count;", "help");
	snprintf(path, sizeof path, "%s/count", folder);
	read_file(path, text, sizeof text);
	cr_expect_eq(strtol(text, NULL, 10), 100);
}

Test(solve, a_run_without_failures_keeps_nothing_and_is_the_same)
{
	static Call result;
	char with[1 << 16], without[1 << 16], path[96];
	snprintf(path, sizeof path, "%s/out/trajectory.csv", folder);
	call(&result, "run " SCENES "cube_drop.json --quiet --out out --dump-failures kept/deep");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect(!exists("kept"));
	read_file(path, with, sizeof with);
	call(&result, "run " SCENES "cube_drop.json --quiet --out out");
	read_file(path, without, sizeof without);
	cr_expect_str_eq(with, without);
}

Test(solve, wrong_calls_and_files)
{
	static Call result;
	call(&result, FAILS "--dump-failures kept --quiet");
	cr_assert_eq(result.status, 1);
	call_after(&result, "mv kept/*.json dump.json;", "help");
	static const struct {
		const char *arguments, *message;
	} table[] = {
	    {"solve", "abut: solve: the dump is missing"},
	    {"solve a b", "'b' is one argument too many"},
	    {"solve missing.json", "abut: missing.json: cannot open the dump: No such file or directory"},
	    {"solve " SCENES "cube_drop.json",
	     "cube_drop.json:1:1: abut_dump: required key \"abut_dump\" is missing: the file is not a dump"},
	    {"solve dump.json --set solver.kapa=1", "abut: --set: solver.kapa: unknown key \"kapa\""},
	    {"solve dump.json --set gravity=[0,0,-1]", "state[7]: the unit of time is "},
	    {"solve dump.json --set gravity=[0,0,-1]", "; --cold does not use it"},
	    {"solve dump.json --log /proc/no/where", "abut: /proc/no/where: cannot write"},
	    {"solve dump.json --out x", "unknown option '--out'"},
	    {"run " SCENES "cube_drop.json --dump-relaxed", "--dump-relaxed needs --dump-failures"},
	    {"run " SCENES "cube_drop.json --dump-failures /proc/no/where", "cannot make the dump folder"},
	    {"run " SCENES "cube_drop.json --dump-failures ''", "the dump folder has an empty name"},
	    {"run " SCENES "cube_drop.json --dump-failures dump.json", "abut: dump.json: cannot make the dump folder"},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		call(&result, table[i].arguments);
		cr_expect_eq(result.status, 2, "%s: %d", table[i].arguments, result.status);
		cr_expect(strstr(result.err, table[i].message), "%s: %s", table[i].arguments, result.err);
		cr_expect_eq(count_lines(result.err), 1, "%s", result.err);
		cr_expect_str_eq(result.out, "");
	}
	/* The error of a wrong number of the scene or of the state gives its place in the dump. */
	call_after(&result, "sed 's/\"half_extents\": \\[0.5/\"half_extents\": [-5/' dump.json >bad.json;",
	           "solve bad.json");
	cr_expect_eq(result.status, 2);
	cr_expect(strncmp(result.err, "abut: bad.json:3", 16) == 0 &&
	              strstr(result.err, ": shapes.cube.half_extents[0]: must be a positive"),
	          "%s", result.err);
	call_after(&result, "sed 's/^    2, 72, 2,/    2, 72, 3,/' dump.json >bad.json;", "solve bad.json");
	cr_expect_eq(result.status, 2);
	cr_expect_str_eq(result.err, "abut: bad.json:11:12: state[2]: the snapshot is of 3 bodies in 72 numbers; the "
	                             "model has 2 in 72\n");
}

Test(solve, a_dump_that_cannot_be_written_exits_3)
{
	static Call result;
	call_after(&result, "ulimit -f 1; trap '' XFSZ;", FAILS "--dump-failures kept");
	cr_expect_eq(result.status, 3, "%d: %s", result.status, result.err);
	cr_expect(strstr(result.err, "abut: kept/cube_drop_40.json: cannot write: "), "%s", result.err);
	cr_expect(!exists("kept/cube_drop_40.json"));
	call_after(&result, "mkdir -p there/cube_drop_40.json;", FAILS "--dump-failures there");
	cr_expect_eq(result.status, 3);
	cr_expect_str_eq(result.err, "abut: there/cube_drop_40.json: cannot write: Is a directory\n");
}

/* A study saves as many files as it counts failed steps, and each is solved again with the same result. */
Test(solve, studies_keep_failed_steps)
{
	static Call result;
	cr_assert_eq(setenv("ABUT_TEST_COMMAND", ABUT_COMMAND "_reliability", 1), 0);
	call(&result, "stacks --dump-failures");
	cr_expect_eq(result.status, 2);
	call(&result, "stacks --dump-failures /proc/no/where");
	cr_expect_eq(result.status, 3);
	cr_expect(strstr(result.err, "cannot make the dump folder"), "%s", result.err);
	call(&result, "pairs --seeds 1 --sizes --mass-ratios --dump-failures kept 2>&1 >table | tail -n 1");
	long kept = -1, more = -1, failed = -1;
	cr_assert_eq(sscanf(result.out, "%ld failed steps kept in kept, %ld more not\n", &kept, &more), 2, "%s",
	             result.out);
	char path[96], text[1 << 14];
	snprintf(path, sizeof path, "%s/table", folder);
	read_file(path, text, sizeof text);
	const char *total = strstr(text, "\nall pairs ");
	cr_assert(total && sscanf(total, "\nall pairs %*d %*d %ld", &failed) == 1, "%s", text);
	cr_expect(kept == failed && more == 0, "%ld kept and %ld more of %ld", kept, more, failed);
	cr_expect_eq(exists("kept"), kept > 0);
	cr_assert_eq(setenv("ABUT_TEST_COMMAND", ABUT_COMMAND, 1), 0);
	call_after(&result, "for f in kept/*; do [ ! -e \"$f\" ] || \"$ABUT_TEST_COMMAND\" solve \"$f\"; done;",
	           "help");
	long same = 0;
	for (const char *at = result.out; (at = strstr(at, ": the same\n")); at++) {
		same++;
	}
	cr_expect_eq(same, kept, "%s", result.out);
}
