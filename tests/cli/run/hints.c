/* Tests what `run` and `validate` say about frequent mistakes: bodies that overlap at the start, an older run in the
 * folder, and steps that end relaxed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cli/call.h"

TestSuite(hints, .init = set_up, .fini = tear_down);

static const char sunk[] = "{\"abut\": 1, \"name\": \"sunk\", \"duration\": 0.05,\n"
                           " \"bodies\": [{\"name\": \"floor\", \"static\": true, \"shape\": {\"type\": \"halfspace\", "
                           "\"normal\": [0, 0, 1], \"offset\": 0}},\n"
                           "  {\"name\": \"ball\", \"mass\": 1, \"position\": [0, 0, -99], \"shape\": {\"type\": "
                           "\"sphere\", \"radius\": 0.5}}]}\n";

static const char *first_warning(const cJSON *object)
{
	return cJSON_GetStringValue(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, "warnings"), 0));
}

Test(hints, an_overlap_at_the_start_is_a_warning)
{
	static const char *const verbs[] = {"run sunk.json", "run sunk.json --json", "validate sunk.json",
	                                    "validate sunk.json --json"};
	static Call result;
	write_file("sunk.json", sunk);
	for (int i = 0; i < 4; i++) {
		call(&result, verbs[i]);
		cr_expect_eq(result.status, 0, "%s: %d", verbs[i], result.status);
		cr_expect(
		    strncmp(result.err,
		            "abut: sunk.json:3:43: bodies[1].position: warning: floor and ball overlap by 99.5 m at "
		            "the start; ",
		            98) == 0,
		    "%s: %s", verbs[i], result.err);
		cr_expect_eq(count_lines(result.err), 1, "%s: %s", verbs[i], result.err);
		if (i % 2 == 1) {
			cJSON *object = parse_json(result.out);
			cr_assert_not_null(first_warning(object), "%s", result.out);
			cr_expect(
			    strstr(first_warning(object), "bodies[1].position: floor and ball overlap by 99.5 m"));
			cJSON_Delete(object);
		}
	}
	call(&result, "run sunk.json --quiet");
	cr_expect_str_eq(result.err, "");
	/* Without a reason, `run` writes no key and `validate` an empty list. */
	call(&result, "run sunk.json --set bodies.ball.position=[0,0,1] --json");
	cr_expect_str_eq(result.err, "");
	cr_expect(!strstr(result.out, "warnings"));
	call(&result, "validate sunk.json --set bodies.ball.position=[0,0,1] --json");
	cr_expect(strstr(result.out, "\"warnings\": []"), "%s", result.out);
}

Test(hints, a_resumed_run_has_the_warnings_of_an_uninterrupted_one)
{
	static Call result;
	static char whole[1 << 14], resumed[1 << 14], path[128];
	write_file("sunk.json", sunk);
	call(&result, "run sunk.json --out whole --no-view");
	call(&result, "run sunk.json --set duration=0.02 --out part --no-view && \"$ABUT_TEST_COMMAND\" run --resume "
	              "part --until 0.05 --no-view");
	cr_assert_eq(result.status, 0, "%s", result.err);
	snprintf(path, sizeof path, "%s/whole/summary.json", folder);
	read_file(path, whole, sizeof whole);
	snprintf(path, sizeof path, "%s/part/summary.json", folder);
	read_file(path, resumed, sizeof resumed);
	cJSON *a = parse_json(whole), *b = parse_json(resumed);
	cr_assert_not_null(first_warning(a));
	cr_expect_str_eq(first_warning(a), first_warning(b));
	cJSON_Delete(a);
	cJSON_Delete(b);
}

Test(hints, run_says_which_run_it_replaces)
{
	static Call result;
	write_file("ball.json", sunk);
#define BALL "run ball.json --set bodies.ball.position=[0,0,1] --out out --no-view "
	call(&result, BALL);
	cr_expect_str_eq(result.err, "");
	call(&result, BALL "--method lcp --seed 8");
	cr_expect_str_eq(result.err, "abut: out: replaces the run of sunk: 5 steps, method single-level, seed 0\n");
	call(&result, BALL "--json");
	cr_expect_str_eq(result.err, "abut: out: replaces the run of sunk: 5 steps, method lcp, seed 8\n");
	call(&result, BALL "--quiet");
	cr_expect_str_eq(result.err, "");
	call_after(&result, "rm out/summary.json;", BALL);
	cr_expect_str_eq(result.err, "abut: out: replaces an unfinished run, which --resume could have continued\n");
	static const char *const damaged[] = {"", "[1]", "{\"name\": 3}",
	                                      "{\"name\": \"x\", \"method\": \"y\", \"steps\": \"<b>\"}"};
	for (int i = 0; i < 4; i++) {
		write_file("out/summary.json", damaged[i]);
		call(&result, BALL);
		cr_expect_eq(result.status, 0);
		cr_expect_str_eq(result.err, "abut: out: replaces a run whose summary.json cannot be read\n", "%s: %s",
		                 damaged[i], result.err);
	}
	/* A refused call replaces nothing and does not claim to. */
	call(&result, BALL "--inputs missing.csv");
	cr_expect_eq(result.status, 2);
	cr_expect(!strstr(result.err, "replaces"), "%s", result.err);
}

Test(hints, steps_that_end_relaxed_are_explained)
{
	static Call result;
	call(&result, "run " SCENES "sphere_on_plane.json --method point-ncp --set duration=0.05");
	cr_expect(strstr(result.out,
	                 "\n  5 steps ended relaxed, the first at step 1: with contact, this method ends on the path "
	                 "at kappa"),
	          "%s", result.out);
	cr_expect(strstr(result.out, "a smaller solver.kappa is more accurate.\n"), "%s", result.out);
	call(&result, "run " SCENES "pile_10.json --set timestep=0.12");
	cr_expect(strstr(result.out, "ended relaxed, the first at step "), "%s", result.out);
	cr_expect(strstr(result.out, "the refinement to the exact solution did not converge"), "%s", result.out);
	/* No step is relaxed, or all are as asked. */
	call(&result, "run " SCENES "sphere_on_plane.json --set duration=0.05");
	cr_expect(!strstr(result.out, "ended relaxed"), "%s", result.out);
	call(&result, "run " SCENES "sphere_on_plane.json --set solver.finish=none --set duration=0.05");
	cr_expect(!strstr(result.out, "ended relaxed"), "%s", result.out);
}
