/* Tests the command from outside: exit statuses, one line of error, one JSON object, files. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/abut.h"
#include "cli/call.h"

TestSuite(command, .init = set_up, .fini = tear_down);

Test(command, wrong_calls_exit_2_with_one_line)
{
	static const struct {
		const char *arguments, *message;
	} table[] = {
	    {"", "no verb given"},
	    {"dance", "unknown verb 'dance'; `abut help` lists the verbs"},
	    {"vaildate x", "abut: unknown verb 'vaildate'; did you mean 'validate'? `abut help` lists the verbs"},
	    {"help swep", "abut: help: unknown verb 'swep'; did you mean 'sweep'?"},
	    {"run " SCENES "sphere_on_plane.json --thread=2",
	     "abut: run: unknown option '--thread=2'; did you mean '--threads'? `abut help run` lists the options"},
	    {"sweep --merge --out x", "sweep: --merge needs the folders of the shards"},
	    {"run", "the scene is missing"},
	    {"run a.json b.json", "'b.json' is one argument too many"},
	    {"run missing.json", "abut: missing.json: cannot open the scene: No such file or directory"},
	    {"run .", "abut: .: cannot read the scene: Is a directory"},
	    {"run " SCENES "sphere_on_plane.json --bogus", "unknown option '--bogus'"},
	    {"run " SCENES "sphere_on_plane.json -x", "unknown option '-x'"},
	    {"run " SCENES "sphere_on_plane.json --out", "--out needs a value"},
	    {"run " SCENES "sphere_on_plane.json --json=1", "--json takes no value"},
	    {"run " SCENES "sphere_on_plane.json --seed -1", "--seed is '-1'; it must be an integer"},
	    {"run " SCENES "sphere_on_plane.json --seed 1e3", "--seed is '1e3'; it must be an integer"},
	    {"run " SCENES "sphere_on_plane.json --threads 1025",
	     "--threads is '1025'; it must be an integer from 0 to 1024"},
	    {"run " SCENES "sphere_on_plane.json --threads x", "--threads is 'x'; it must be an integer"},
	    {"run " SCENES "sphere_on_plane.json --seed 99999999999999999999999", "--seed is '9"},
	    {"run " SCENES "sphere_on_plane.json --method magic",
	     "abut: --method: 'magic' is not a method; allowed: single-level, bilevel, lcp, point-ncp, convex"},
	    {"run " SCENES "sphere_on_plane.json --method sinlge",
	     "abut: --method: 'sinlge' is not a method; did you mean 'single-level'? allowed: single-level"},
	    {"run " SCENES "sphere_on_plane.json --method biilevel", "did you mean 'bilevel'?"},
	    {"run " SCENES "drop_cone.json --set solver.method=point-ncp",
	     "bodies[1].shape: body 'cone' cannot take part"},
	    {"run " SCENES "drop_cone.json --method point-ncp",
	     "body 'cone' cannot take part in method point-ncp: kind 'cone' has no"},
	    {"run " SCENES "sphere_on_plane.json --set bodies.sphere.mass=-1",
	     "abut: --set: bodies[1].mass: must be a positive"},
	    {"run " SCENES "sphere_on_plane.json --set bodies.sphere.inertia=[1,1,3]",
	     "abut: --set: bodies[1].inertia: "},
	    {"run " SCENES "sphere_on_plane.json --out /proc/no/where", "cannot make the output folder"},
	    {"validate", "the scene is missing"},
	    {"bench --quick", "--quick needs peers, originals, query, robots or derivatives"},
	    {"bench no_such_case", "no case starts with 'no_such_case'"},
	    {"help dance", "unknown verb 'dance'"},
	    {"help run validate", "takes one verb"},
	    {"grad", "the scene is missing"},
	    {"grad x --wrt nothing", "x: cannot open"},
	    {"mesh", "the mesh file is missing"},
	    {"mesh /no/such/part.stl", "part.stl: cannot open the mesh file"},
	    {"mesh x --faces 3", "--faces is '3'; it must be an integer from 4 to 2147483647"},
	    {"mesh x --scale 0", "--scale is '0'; it must be a positive number"},
	    {"mesh x --unit furlong", "--unit is 'furlong'; it must be one of um, mm"},
	    {"mesh x --up w", "--up is 'w'; it must be x, y or z"},
	    {"mesh x --inner --outer", "--inner and --outer cannot be combined"},
	    {"experiment x", "experiment: 'x' is not an experiment"},
	    {"view x", "view: 'x' is not the folder of a run"},
	};
	static Call result;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		call(&result, table[i].arguments);
		cr_expect_eq(result.status, 2, "%s: exit status %d", table[i].arguments, result.status);
		cr_expect(strstr(result.err, table[i].message), "%s: %s", table[i].arguments, result.err);
		cr_expect(strncmp(result.err, "abut: ", 6) == 0 && count_lines(result.err) == 1, "%s: %s",
		          table[i].arguments, result.err);
		cr_expect_str_eq(result.out, "", "%s: %s", table[i].arguments, result.out);
	}
}

Test(command, bad_scenes_name_the_place_and_write_nothing)
{
	static Call result;
	write_file("bad.json",
	           "{\n  \"abut\": 1,\n  \"bodies\": [\n    {\"name\": \"a\", \"mass\": -1, \"shape\": {\"type\": "
	           "\"sphere\", \"radius\": 1}}\n  ]\n}\n");
	call(&result, "run bad.json --out out/deep");
	cr_expect_eq(result.status, 2);
	cr_expect(strncmp(result.err, "abut: bad.json:4:27: bodies[0].mass: must be a positive", 55) == 0, "%s",
	          result.err);
	cr_expect(!exists("out"));
	write_file("bad.json",
	           "{\n  \"abut\": 1,\n  \"bodies\": [\n    {\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": "
	           "\"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}}\n  ]\n}\n");
	call(&result, "run bad.json --out out/deep --json");
	cr_expect_eq(result.status, 2);
	cr_expect(strncmp(result.err, "abut: bad.json:4:39: bodies[0].shape: ", 38) == 0, "%s", result.err);
	cr_expect_str_eq(result.out, "");
	cr_expect(!exists("out"));
	/* Without a path, the error keeps the place. */
	write_file("root.json", "[1, 2]\n");
	call(&result, "validate root.json");
	cr_expect_str_eq(result.err, "abut: root.json:1:1: (root): must be an object, is an array of length 2\n");
	write_file("root.json", "{\"abut\": 1}\n");
	call(&result, "validate root.json");
	cr_expect_str_eq(result.err, "abut: root.json:1:1: bodies: required key \"bodies\" is missing\n");
	call(&result, "validate bad.json --json");
	cr_expect_eq(result.status, 2);
	cJSON *object = parse_json(result.out);
	cr_expect(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(object, "valid")));
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, "line")), 4.0);
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "path")), "bodies[0].shape");
	cJSON_Delete(object);
}

Test(command, a_scene_of_100_mb_is_refused)
{
	static Call result;
	char path[96];
	write_file("big.json", "{");
	snprintf(path, sizeof path, "%s/big.json", folder);
	cr_assert_eq(truncate(path, 100000000), 0);
	call(&result, "run big.json");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "larger than 64 MiB"), "%s", result.err);
}

Test(command, run_prints_a_table)
{
	static Call result;
	call(&result, "run " SCENES "sphere_on_plane.json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.err, "");
	static const char *const words[] = {"sphere at rest on a plane",
	                                    "method",
	                                    "single-level",
	                                    "steps",
	                                    "100",
	                                    "exact",
	                                    "retried",
	                                    "failed",
	                                    "iterations",
	                                    "penetration",
	                                    "energy drift",
	                                    "step time",
	                                    "sphere"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		cr_expect(strstr(result.out, words[i]), "%s", words[i]);
	}
	call(&result, "run --quiet " SCENES "sphere_on_plane.json");
	cr_expect_eq(result.status, 0);
	cr_expect_str_eq(result.out, "");
}

Test(command, run_prints_json_and_writes_the_same)
{
	static Call result;
	call(&result,
	     "run " SCENES "sphere_on_plane.json --set duration=0.05 --set timestep=0.025 --seed 7 --out out --json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, "steps")), 2.0);
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, "seed")), 7.0);
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, "timestep")), 0.025);
	cJSON_Delete(object);
	char path[96], text[1 << 16];
	snprintf(path, sizeof path, "%s/out/summary.json", folder);
	read_file(path, text, sizeof text);
	cr_expect_str_eq(text, result.out);
	cr_expect(exists("out/trajectory.csv") && exists("out/contacts.csv") && exists("out/steps.csv"));
	cr_expect(!strstr(text, "failure") && strstr(text, "\"kappa\": 1e-06,"), "%s", text);
}

Test(command, relaxed_steps_are_counted)
{
	static Call result;
	call(&result, "run " SCENES "sphere_on_plane.json --set solver.finish=none --set duration=0.05 --json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, "relaxed_steps")), 5.0);
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, "first_relaxed_step")), 1.0);
	cJSON_Delete(object);
	/* The table says which relaxed steps were requested. */
	call(&result, "run " SCENES "sphere_on_plane.json --set solver.finish=none --set duration=0.05");
	cr_expect(strstr(result.out, "\n  relaxed         5, as asked\n"), "%s", result.out);
	call(&result, "run " SCENES "sphere_on_plane.json --set duration=0.05");
	cr_expect(strstr(result.out, "\n  relaxed         0\n"), "%s", result.out);
}

Test(command, log_of_the_iterations)
{
	static Call result;
	char path[96], text[1 << 16];
	call(&result, "run " SCENES "cube_drop.json --set duration=0.05 --quiet --log log.csv");
	cr_expect_eq(result.status, 0, "%s", result.err);
	snprintf(path, sizeof path, "%s/log.csv", folder);
	read_file(path, text, sizeof text);
	cr_expect(strncmp(text, "step,iteration,phase,kappa,residual,complementarity,step_length\n", 64) == 0, "%s",
	          text);
	/* A log changes no result. If it cannot be replaced, it is refused before anything is written. */
	char with[1 << 16], without[1 << 16];
	snprintf(path, sizeof path, "%s/out/trajectory.csv", folder);
	call(&result, "run " SCENES "cube_drop.json --quiet --out out --log log.csv");
	read_file(path, with, sizeof with);
	call(&result, "run " SCENES "cube_drop.json --quiet --out out");
	read_file(path, without, sizeof without);
	cr_expect_str_eq(with, without);
	call_after(&result, "mkdir new new/steps.csv;", "run " SCENES "cube_drop.json --out new");
	cr_expect_eq(result.status, 2);
	cr_expect_str_eq(result.err, "abut: new/steps.csv: cannot write: Is a directory\n");
	cr_expect(!exists("new/trajectory.csv"));
	call(&result, "run " SCENES "cube_drop.json --out new/out --log new/out/steps.csv");
	cr_expect_eq(result.status, 2);
	cr_expect(!exists("new/out"));
}

Test(command, huge_numbers_stay_short_in_the_table)
{
	static Call result;
	call(&result, "run " SCENES "cube_drop.json --set bodies.cube.position=[0,0,9e8] --set duration=0.01");
	cr_expect(strstr(result.out, "9e+08"), "%s", result.out);
}

/* A signal ends every verb in the same way: the shell reports 128 plus its number. The inputs are pipes that nothing is
 * written to, so that the verbs do not end by themselves; `mesh` and `bench` work for long. `help` ends at once. */
Test(command, a_signal_ends_every_verb_by_itself, .timeout = 120)
{
	static const char *const calls[] = {"run pipe --out out",
	                                    "validate pipe",
	                                    "solve pipe",
	                                    "collide pipe",
	                                    "grad pipe",
	                                    "bench pile_1000",
	                                    "sweep pipe --out out",
	                                    "experiment point-jump --spec pipe --out out",
	                                    "mesh big.obj --out shape.json",
	                                    "import pipe --out scene.json",
	                                    "export folder --format npz -o run.npz",
	                                    "view folder --out page.html"};
	static const struct {
		const char *name;
		int number;
	} signals[] = {{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}};
	static Call result;
	char before[256], arguments[256];
	call_after(&result,
	           "mkfifo pipe; mkdir folder; ln -s ../pipe folder/scene.json; "
	           "awk 'BEGIN { for (i = 0; i < 1000000; i++) print \"v\", i, i * i % 997, i * 7 % 991 }' >big.obj;",
	           "--version");
	for (unsigned i = 0; i < 3 * sizeof calls / sizeof *calls; i++) {
		snprintf(before, sizeof before, "env --default-signal=INT,TERM,HUP");
		snprintf(arguments, sizeof arguments,
		         "%s & p=$!; until [ \"$(cat /proc/$p/comm)\" = abut ]; do sleep 0.01; done; "
		         "kill -%s $p; wait $p",
		         calls[i / 3], signals[i % 3].name);
		call_after(&result, before, arguments);
		if (strstr(result.err, "the bundle of the replay page is missing")) {
			continue; /* a build without npm ends `view` at once */
		}
		cr_expect_eq(result.status, 128 + signals[i % 3].number, "%s, %s: %d %s", calls[i / 3],
		             signals[i % 3].name, result.status, result.err);
	}
	cr_expect(!exists("shape.json"));
	cr_expect(!exists("page.html"));
}

Test(command, a_scene_from_a_pipe)
{
	static Call result;
	call_after(&result, "cat " SCENES "sphere_on_plane.json |", "validate /dev/stdin");
	cr_expect_eq(result.status, 0, "%s", result.err);
}

Test(command, runs_repeat_to_the_bit)
{
	static Call result;
	char path[96], first[1 << 16], second[1 << 16];
	snprintf(path, sizeof path, "%s/out/trajectory.csv", folder);
	call(&result, "run " SCENES "cube_drop.json --out out --quiet");
	cr_expect_leq(result.status, 1, "%s", result.err);
	read_file(path, first, sizeof first);
	call(&result, "run " SCENES "cube_drop.json --out out --quiet");
	read_file(path, second, sizeof second);
	cr_expect_str_eq(first, second);
}

/* A box of 1 m between fixed walls 0.9 m apart: no motion satisfies both contacts. */
static const char slot[] = "{\"abut\": 1, \"timestep\": 0.01, \"duration\": 0.5, \"bodies\": [\n"
                           "  {\"name\": \"left\", \"static\": true, \"shape\":\n"
                           "    {\"type\": \"halfspace\", \"normal\": [1, 0, 0], \"offset\": -0.45}},\n"
                           "  {\"name\": \"right\", \"static\": true, \"shape\":\n"
                           "    {\"type\": \"halfspace\", \"normal\": [-1, 0, 0], \"offset\": -0.45}},\n"
                           "  {\"name\": \"box\", \"mass\": 1, \"shape\":\n"
                           "    {\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]}}\n"
                           "]}\n";

Test(command, a_run_with_a_failed_step_exits_1)
{
	static Call result;
	write_file("slot.json", slot);
	static const char *const calls[] = {"run slot.json --out out --json --quiet",
	                                    "run slot.json --out out --json --quiet --set solver.retry=false"};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		call(&result, calls[i]);
		cr_expect_eq(result.status, 1, "%s: %d: %s", calls[i], result.status, result.err);
		static const char start[] = "abut: slot.json: step 1 of 50 was not solved: ",
		                  end[] = "; the run ends at 0 s\n";
		const size_t n = strlen(result.err);
		cr_assert(n > sizeof start + sizeof end && count_lines(result.err) == 1, "%s", result.err);
		cr_expect(strncmp(result.err, start, sizeof start - 1) == 0, "%s", result.err);
		cr_expect_str_eq(result.err + n - (sizeof end - 1), end);
		cJSON *object = parse_json(result.out);
		/* The line gives the reason that is in the summary. */
		const char *failure = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "failure"));
		cr_assert(failure && failure[0], "%s", result.out);
		cr_expect_eq(strncmp(result.err + sizeof start - 1, failure, strlen(failure)), 0, "%s", failure);
		cr_expect_eq(number(object, "steps"), 1.0);
		cr_expect_eq(number(object, "steps_asked"), 50.0);
		cr_expect_eq(number(object, "failed_steps"), 1.0);
		cr_expect_eq(number(object, "first_failed_step"), 1.0);
		cr_expect_eq(number(object, "raised_kappa_steps"), 0.0);
		cr_expect_eq(number(object, "final_time"), 0.0);
		cJSON_Delete(object);
		/* The files contain what existed: the column names and the initial state. */
		char path[96], text[1 << 12];
		snprintf(path, sizeof path, "%s/out/trajectory.csv", folder);
		read_file(path, text, sizeof text);
		cr_expect_eq(count_lines(text), 4, "%s", text);
		snprintf(path, sizeof path, "%s/out/contacts.csv", folder);
		read_file(path, text, sizeof text);
		cr_expect_eq(count_lines(text), 1, "%s", text);
		/* The failed step has its row. */
		snprintf(path, sizeof path, "%s/out/steps.csv", folder);
		read_file(path, text, sizeof text);
		cr_expect_eq(count_lines(text), 2, "%s", text);
		cr_expect(strstr(text, "\n1,0,failed,0,"), "%s", text);
	}
	call(&result, "run slot.json --quiet");
	cr_expect_eq(result.status, 1);
	cr_expect_str_eq(result.out, "");
	cr_expect_eq(count_lines(result.err), 1, "%s", result.err);
}

Test(command, a_step_solved_only_at_a_larger_kappa_counts_as_failed)
{
	static Call result;
	/* No arithmetic reaches this tolerance; the last resort has its own. */
	call(&result, "run " SCENES "cube_drop.json --set bodies.cube.position=[0,0,0.5] --set duration=0.03"
	              " --set solver.finish=none --set solver.tolerance=1e-300 --json --quiet");
	cr_expect_eq(result.status, 1, "%d: %s", result.status, result.err);
	cr_expect(strstr(result.err, "cube_drop.json: 3 of 3 steps failed, the first at step 1: "), "%s", result.err);
	cr_expect_eq(count_lines(result.err), 1);
	cJSON *object = parse_json(result.out);
	cr_expect_eq(number(object, "steps"), 3.0);
	cr_expect_eq(number(object, "failed_steps"), 3.0);
	cr_expect_eq(number(object, "raised_kappa_steps"), 3.0);
	cr_expect_eq(number(object, "exact_steps"), 0.0);
	cJSON_Delete(object);
}

Test(command, full_disk_exits_3)
{
	static Call result;
	call_after(&result, "ulimit -f 8; trap '' XFSZ;", "run " SCENES "stack_4.json --out out");
	cr_expect_eq(result.status, 3, "%d: %s", result.status, result.err);
	cr_expect(strstr(result.err, "cannot write"), "%s", result.err);
	cr_expect(!exists("out/summary.json")); /* tests/cli/run/resume.c says what is there */
	call(&result, "run " SCENES "sphere_on_plane.json --json >/dev/full");
	cr_expect_eq(result.status, 3);
	cr_expect(strstr(result.err, "standard output"), "%s", result.err);
	call(&result, "help >/dev/full");
	cr_expect_eq(result.status, 3);
}

Test(command, validate)
{
	static Call result;
	call(&result, "validate " SCENES "pile_10.json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "valid: 11 bodies"), "%s", result.out);
	call(&result, "validate " SCENES "pile_10.json --json --seed 3");
	cJSON *object = parse_json(result.out);
	cr_expect(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "valid")));
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, "seed")), 3.0);
	cJSON_Delete(object);
}

/* Couplings are printed as equations, and listed in the object. */
Test(command, validate_lists_couplings)
{
	static Call result;
	write_file(
	    "gears.json",
	    "{\"abut\": 1, \"contacts\": [], \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": "
	    "\"sphere\", \"radius\": 1}}, {\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", "
	    "\"radius\": 1}}], \"joints\": [{\"name\": \"wheel\", \"type\": \"hinge\", \"parent\": \"world\", "
	    "\"child\": \"a\", \"parent_frame\": {}}, {\"name\": \"screw\", \"type\": \"cylindrical\", \"parent\": "
	    "\"world\", \"child\": \"b\", \"parent_frame\": {}}], \"couplings\": [{\"joints\": [\"wheel\", \"screw\"], "
	    "\"axes\": [0, 1], \"ratio\": -2, \"offset\": 0.5}, {\"joints\": [\"screw\", \"screw\"], \"axes\": [0, 1], "
	    "\"ratio\": 0.01}]}");
	call(&result, "validate gears.json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "2 joints, 2 couplings, "), "%s", result.out);
	cr_expect(strstr(result.out, "coupling wheel = -2 screw[1] + 0.5\ncoupling screw[0] = 0.01 screw[1]\n"), "%s",
	          result.out);
	call(&result, "validate gears.json --json");
	cJSON *object = parse_json(result.out);
	const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, "couplings"), 0);
	cr_expect_eq(number(first, "ratio"), -2.0);
	cr_expect_eq(number(first, "offset"), 0.5);
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(first, "joints"), 1)),
	                 "screw");
	cJSON_Delete(object);
}

/* A cone of mass 2, height 0.9, radius 0.4 has inertia 3/20 m (r^2 + h^2 / 4) across and 3/10 m r^2 about its axis. */
Test(command, validate_says_what_bodies_weigh)
{
	static Call result;
	call(&result, "validate " SCENES "drop_cone.json --set bodies.cone.mass=2 --json");
	cJSON *object = parse_json(result.out);
	const cJSON *masses = cJSON_GetObjectItemCaseSensitive(object, "masses");
	cr_assert_eq(cJSON_GetArraySize(masses), 1, "%s", result.out);
	const cJSON *cone = cJSON_GetArrayItem(masses, 0), *inertia = cJSON_GetObjectItemCaseSensitive(cone, "inertia");
	const double across = 0.3 * (0.16 + 0.2025), expected[3] = {across, across, 0.6 * 0.16};
	cr_expect_eq(number(cone, "mass"), 2.0);
	for (int i = 0; i < 3; i++) {
		const cJSON *entry = cJSON_GetArrayItem(cJSON_GetArrayItem(inertia, i), i);
		cr_expect_float_eq(cJSON_GetNumberValue(entry), expected[i], 1e-14, "axis %d: %s", i, result.out);
	}
	cJSON_Delete(object);
	call(&result, "validate " SCENES "drop_cone.json --set bodies.cone.mass=2");
	cr_expect(strstr(result.out, "cone      1           2 "), "%s", result.out);
	cr_expect(strstr(result.out, "0.10875     0.10875       0.096"), "%s", result.out);
}

Test(command, reliability_study)
{
	static const char *const wrong[] = {"",
	                                    "dance",
	                                    "stacks --seeds x",
	                                    "stacks --seeds 0",
	                                    "stacks --seeds -1",
	                                    "stacks --seeds 3x",
	                                    "stacks --seeds",
	                                    "stacks --seeds ''",
	                                    "stacks --seeds 99999999999999999999",
	                                    "stacks --bogus",
	                                    "stacks --sizes",
	                                    "shapes --mass-ratios",
	                                    "robustness --bilevel",
	                                    "robots --bilevel",
	                                    "robots --only 1 --judge",
	                                    "mechanisms --part 1/2",
	                                    "stacks --judge",
	                                    "stacks --cells 5"};
	static Call result;
	cr_assert_eq(setenv("ABUT_TEST_COMMAND", ABUT_COMMAND "_reliability", 1), 0);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		call(&result, wrong[i]);
		cr_expect_eq(result.status, 2, "%s: %d", wrong[i], result.status);
		cr_expect(strncmp(result.err, "usage: ", 7) == 0, "%s: %s", wrong[i], result.err);
		cr_expect_str_eq(result.out, "", "%s", wrong[i]);
	}
	call(&result, "pairs --seeds 1 --sizes --mass-ratios");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_eq(count_lines(result.out), 66, "%s", result.out); /* head, 8 x 8 pairs, their sum */
	cr_expect(strstr(result.out, "\nall pairs "), "%s", result.out);
	call(&result, "mechanisms --only 1001 --cells 'hanging 50 ms'");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_eq(count_lines(result.out), 3, "%s", result.out); /* head, cell, sum */
	cr_expect(strstr(result.out, "\nseeds 1001 to 1001: "), "%s", result.out);
	call(&result, "stacks >/dev/full");
	cr_expect_eq(result.status, 3);
}

Test(command, help)
{
	static Call result;
	static const char *const calls[] = {"help",        "--help",     "help run",  "run --help",
	                                    "validate -h", "help bench", "help view", "help solve"};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		call(&result, calls[i]);
		cr_expect_eq(result.status, 0, "%s", calls[i]);
		cr_expect(strstr(result.out, "abut"), "%s: %s", calls[i], result.out);
		cr_expect_str_eq(result.err, "");
	}
	call(&result, "--version");
	char expected[64];
	snprintf(expected, sizeof expected, "abut %s\n", abut_version());
	cr_expect_eq(strncmp(result.out, expected, strlen(expected)), 0, "%s", result.out);
	cr_expect(strstr(result.out, "mesh files (Assimp): "), "%s", result.out);
}

/* Several threads solve the islands of a step, with the same bits. */
Test(command, threads_change_nothing)
{
	static const char *const names[] = {"trajectory.csv", "contacts.csv"};
	static char one[1 << 20], three[1 << 20];
	static Call result;
	call(&result, "run " SCENES "pile_10.json --set duration=0.3 --quiet --out one");
	cr_assert_eq(result.status, 0, "%s", result.err);
	call(&result, "run " SCENES "pile_10.json --set duration=0.3 --quiet --threads 3 --out three");
	cr_assert_eq(result.status, 0, "%s", result.err);
	for (int i = 0; i < 2; i++) {
		char path[128];
		snprintf(path, sizeof path, "%s/one/%s", folder, names[i]);
		read_file(path, one, sizeof one);
		snprintf(path, sizeof path, "%s/three/%s", folder, names[i]);
		read_file(path, three, sizeof three);
		cr_expect_str_eq(one, three, "%s", names[i]);
	}
}
