/* Tests calls of `abut experiment`: resuming, missed targets, seeds, refusals. experiment.c sets up the suite. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/study/experiment_object.h"

/* A killed run is resumed, with the same result. Without --resume it is refused. */
Test(experiment, resume)
{
	static Call first, again;
	static char text[1 << 20];
	char path[128];
	const char *planar =
	    "{ \"experiment\": \"face-to-face\", \"planar\": \"" EXPERIMENTS "face_to_face/planar_quick.json\" }";
	write_file("spec.json", planar);
	call(&first, "experiment face-to-face --quick --spec spec.json --out a --json");
	cr_assert_eq(first.status, 0, "%s", first.err);
	call(&again, "experiment face-to-face --quick --spec spec.json --out a --json");
	cr_expect_eq(again.status, 2);
	cr_expect_not_null(strstr(again.err, "resume"), "%s", again.err);
	/* As if the run was killed in the middle of its 30th line. */
	snprintf(path, sizeof path, "%s/a/planar/runs.csv", folder);
	read_file(path, text, sizeof text);
	char *end = text;
	for (int i = 0; i < 30; i++) {
		end = strchr(end, '\n') + 1;
	}
	end[20] = '\0';
	write_file("a/planar/runs.csv", text);
	call(&again, "experiment face-to-face --quick --spec spec.json --out a --json --resume");
	cr_assert_eq(again.status, 0, "%s", again.err);
	cJSON *object = parse_json(first.out), *same = parse_json(again.out);
	const cJSON *a = rows_of(object, "failed_single_level"), *b = rows_of(same, "failed_single_level");
	cr_expect(cJSON_Compare(a, b, 1));
	cr_expect(cJSON_Compare(rows_of(object, "iterations_bilevel"), rows_of(same, "iterations_bilevel"), 1));
	cJSON_Delete(object);
	cJSON_Delete(same);
}

/* A full run with a missed target has exit status 1, and its line reports this. */
Test(experiment, a_missed_target)
{
	static Call result;
	write_file("sweep.json",
	           "{\"abut_sweep\": 1, \"scenes\": [{\"file\": \"" EXPERIMENTS
	           "face_to_face/cube.json\", \"random\": {\"bodies.cube.orientation\": {\"rotation\": "
	           "\"uniform\"}}}], \"set\": {\"solver.retry\": false, \"solver.max_iterations\": 1, "
	           "\"solver.warm_start\": false}, \"parameters\": {\"solver.kappa\": [1e-6]}, \"joined\": "
	           "{\"rate\": {\"100\": {\"timestep\": 0.01}}}, \"seeds\": {\"count\": 2}}");
	write_file("spec.json", "{\"experiment\": \"face-to-face\", \"space\": \"sweep.json\"}");
	call(&result, "experiment face-to-face --spec spec.json --out a");
	cr_expect_eq(result.status, 1, "%s", result.err);
	cr_expect_not_null(strstr(result.out, "2 of 2 runs failed, 100 %, at most 0.1 %: NOT met"), "%s", result.out);
}

/* Cells in which every run failed have no momentum. Their target counts as missed. */
Test(experiment, a_failed_cell_is_no_met_target)
{
	static Call result;
	write_file("sweep.json",
	           "{\"abut_sweep\": 1, \"scenes\": [\"" EXPERIMENTS
	           "stacking/squares.json\"], \"set\": {\"solver.max_iterations\": 1}, \"parameters\": "
	           "{\"bodies.lower.position\": [[0.02, 0, 0.25]], \"solver.kappa\": [1e-6]}, \"joined\": "
	           "{\"rate\": {\"100\": {\"timestep\": 0.01}}}}");
	write_file("spec.json", "{\"experiment\": \"stacking\", \"planar\": \"sweep.json\"}");
	call(&result, "experiment stacking --spec spec.json --out a");
	cr_expect_eq(result.status, 1, "%s", result.err);
	cr_expect_not_null(strstr(result.out, "1 cells unsolved: NOT met"), "%s", result.out);
	cr_expect_null(strstr(result.out, "nan"), "%s", result.out);
}

/* The spec's first seed, unless --seed gives another. */
Test(experiment, seeds)
{
	static Call result;
	write_file("sweep.json", "{\"abut_sweep\": 1, \"scenes\": [\"" EXPERIMENTS
	                         "face_to_face/cube.json\"], \"set\": {\"duration\": 0.05}, \"parameters\": "
	                         "{\"solver.kappa\": [1e-6]}, \"joined\": {\"rate\": {\"100\": {\"timestep\": 0.01}}}, "
	                         "\"seeds\": {\"first\": 5, \"count\": 2}}");
	write_file("spec.json", "{\"experiment\": \"face-to-face\", \"space\": \"sweep.json\"}");
	for (int given = 0; given < 2; given++) {
		call(&result, given ? "experiment face-to-face --quick --spec spec.json --out b --json --seed 9"
		                    : "experiment face-to-face --quick --spec spec.json --out a --json");
		cr_assert_eq(result.status, 0, "%s", result.err);
		cJSON *object = parse_json(result.out);
		const char *setting = cJSON_GetStringValue(member(member(object, "settings"), "in space"));
		cr_expect_eq(number(object, "seed"), given ? 9.0 : 5.0);
		cr_expect_eq(strstr(setting, "seeds from 5;") != NULL, !given, "%s", setting);
		cr_expect_eq(strstr(setting, "seeds from 9;") != NULL, given, "%s", setting);
		cr_expect_eq(strstr(cJSON_GetStringValue(member(object, "command")), "--seed 9") != NULL, given);
		cJSON_Delete(object);
	}
}

/* If a method does not support the scene, its row gives the reason. */
Test(experiment, a_refused_method)
{
	static Call result;
	write_file("sweep.json",
	           "{\"abut_sweep\": 1, \"scenes\": [\"" EXPERIMENTS
	           "face_to_face/cone.json\"], \"methods\": [\"single-level\", \"point-ncp\"], "
	           "\"set\": {\"duration\": 0.05}, \"parameters\": {\"solver.kappa\": [1e-6]}, \"joined\": "
	           "{\"rate\": {\"100\": {\"timestep\": 0.01}}}}");
	write_file("spec.json", "{\"experiment\": \"face-to-face\", \"space\": \"sweep.json\"}");
	call(&result, "experiment face-to-face --spec spec.json --out a --json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *rows = rows_of(object, "space");
	cr_assert_eq(cJSON_GetArraySize(rows), 2);
	cr_expect_eq(number(cJSON_GetArrayItem(rows, 0), "refused"), 0.0);
	cr_expect_eq(number(cJSON_GetArrayItem(rows, 1), "refused"), 1.0);
	cr_expect_gt(strlen(cJSON_GetStringValue(member(cJSON_GetArrayItem(rows, 1), "refusal"))), 10);
	cJSON_Delete(object);
}

Test(experiment, without_gnuplot)
{
	static Call result;
	call_after(&result, "PATH=/nowhere", "experiment point-jump --quick --out a");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_not_null(strstr(result.err, "gnuplot-nox"), "%s", result.err);
	cr_expect(exists("a/report.html"));
	cr_expect(exists("a/jump.gp"));
	cr_expect_not(exists("a/jump.svg"));
}

Test(experiment, list)
{
	static Call result;
	call(&result, "experiment");
	cr_expect_eq(result.status, 0);
	cr_expect_not_null(strstr(result.out, "\n  timing "), "%s", result.out);
	call(&result, "experiment --json");
	cJSON *object = parse_json(result.out);
	cr_expect_eq(cJSON_GetArraySize(member(object, "experiments")), 20);
	cJSON_Delete(object);
}

Test(experiment, what_is_wrong_is_said)
{
	static const struct {
		const char *arguments, *said;
		int status;
	} cases[] = {
	    {"experiment timings", "did you mean 'timing'? the experiments are face-to-face, ", 2},
	    {"experiment ilqr",
	     "did you mean 'box-moves', 'grasp', 'hopper', 'quadruped' or 'swing-up'? the experiments are "
	     "face-to-face, ",
	     2},
	    {"experiment push", "did you mean 'box-moves'? the experiments are ", 2},
	    {"experiment timing x", "'x' is one argument too many", 2},
	    {"experiment point-jump --quick --spec missing.json --out a", "cannot open the experiment's spec", 2},
	    {"experiment point-jump --quick --spec s.json --out a", "s.json:1:15: sample", 2},
	    {"experiment point-jump --quick --spec t.json --out a", "t.json", 2},
	    {"experiment point-jump --quick --out /dev/null/a", "cannot make the output folder", 2},
	    {"experiment timing --quick --spec u.json --out a", "nowhere.json", 2},
	    {"experiment face-to-face --quick --spec v.json --out a", "v.json:1:16: experiment: is \"stacking\"", 2},
	    {"experiment face-to-face --quick --spec w.json --out a", "planar, space, one_kappa", 2},
	    {"experiment stacking --quick --spec x.json --out a", "x.json:1:12: planar: cannot read nothing.json", 2},
	};
	write_file("v.json", "{\"experiment\": \"stacking\", \"planar\": \"u.json\"}");
	write_file("w.json", "{}");
	write_file("x.json", "{\"planar\": \"nothing.json\"}");
	write_file("s.json", "{\"mass\": 1.0, \"sample\": 3}");
	write_file("t.json", "{\"mass\": \"heavy\"}");
	write_file("u.json", "{\"abut_sweep\": 1, \"scenes\": [\"nowhere.json\"]}");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static Call result;
		call(&result, cases[i].arguments);
		cr_expect_eq(result.status, cases[i].status, "%s: %d", cases[i].arguments, result.status);
		cr_expect_not_null(strstr(result.err, cases[i].said), "%s: %s", cases[i].arguments, result.err);
		cr_expect_eq(count_lines(result.err), 1);
		cr_expect_not(exists("a"), "%s leaves a folder behind", cases[i].arguments);
	}
}
