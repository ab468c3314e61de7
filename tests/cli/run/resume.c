/* Tests runs that are killed, interrupted, or stopped by a full disk. They leave whole files and resume to those of an
 * uninterrupted run. They resume only from their own files. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/rng.h"
#include "cli/call.h"
#include "effort.h"

/* Compares the folders of two runs, except for what depends on the clock. */
static void expect_same(const char *a, const char *b, const char *what)
{
	char command[512];
	snprintf(command, sizeof command,
	         "cd '%s' && for d in %s %s; do sed -i '/_time_/d' $d/summary.json; done; diff -r %s %s", folder, a, b,
	         a, b);
	cr_assert_eq(system(command), 0, "%s: %s and %s differ", what, a, b);
}

static int torn; /* tables that did not end in a whole row */

/* Returns how many rows of a table are whole. Each must be that of the reference, and a torn row must be the beginning
 * of one. */
static int whole_rows(const char *run, const char *reference, const char *table, const char *what)
{
	static char is[1 << 24], must[1 << 24];
	char path[160];
	snprintf(path, sizeof path, "%s/%s/%s", folder, run, table);
	read_file(path, is, sizeof is);
	snprintf(path, sizeof path, "%s/%s/%s", folder, reference, table);
	read_file(path, must, sizeof must);
	cr_assert(strncmp(is, must, strlen(is)) == 0, "%s: %s is no beginning of %s", what, table, reference);
	torn += is[0] && is[strlen(is) - 1] != '\n';
	return count_lines(is);
}

typedef enum Kill {
	BETWEEN_CALLS, /* of the system: the run is stopped first, which happens on the way back from a call alone */
	AT_ONCE,       /* where the system may cut off what it is writing at the end of a page */
} Kill;

/* Kills the run at a moment that depends on the seed. */
static void run_and_kill(unsigned seed, Kill kill, const char *arguments, double most)
{
	static Call result;
	AbutRng rng = {seed};
	char before[512];
	snprintf(before, sizeof before,
	         "run_and_kill() { \"$@\" & sleep %.4f; %s kill -KILL $! 2>/dev/null; wait $!; }; run_and_kill",
	         abut_rng_uniform(&rng, 0.005, most),
	         kill == AT_ONCE ? ""
	                         : "kill -STOP $! 2>/dev/null; "
	                           "while grep -q '^State:.[RSD]' /proc/$!/status; do sleep 0.002; done;");
	call_after(&result, before, arguments);
}

/* A run killed at any moment, killed again after resuming, and completed has the files of an undisturbed run. Returns
 * whether the first kill was in the middle. */
static bool kill_and_resume(const char *scene, const char *settings, double duration, int every, unsigned seed,
                            Kill kill)
{
	static Call result;
	char arguments[512], options[256], what[640];
	snprintf(options, sizeof options, "%s --set duration=%g", settings, duration);
	snprintf(what, sizeof what, "%s %s, seed %u", scene, options, seed);
	snprintf(arguments, sizeof arguments, "run " SCENES "%s %s --save-every %d --out whole", scene, options, every);
	call(&result, arguments);
	cr_assert_eq(result.status, 0, "%s: %s", what, result.err);
	snprintf(arguments, sizeof arguments, "run " SCENES "%s %s --save-every %d --out killed", scene, options,
	         every);
	run_and_kill(seed, kill, arguments, 0.25);
	bool midway = false;
	if (exists("killed/steps.csv")) {
		const int steps = whole_rows("killed", "whole", "steps.csv", what);
		const int rows = whole_rows("killed", "whole", "trajectory.csv", what);
		whole_rows("killed", "whole", "contacts.csv", what);
		cr_assert(steps == 0 || rows >= steps, "%s: %d rows of steps, %d of the trajectory", what, steps, rows);
		midway = steps > 1 && !exists("killed/summary.json");
	}
	if (exists("killed/run.json")) {
		for (unsigned again = 1; again <= 2; again++) {
			run_and_kill(seed + 1000 * again, kill, "run --resume killed --quiet", 0.15);
		}
		call(&result, "run --resume killed --quiet");
		cr_assert_eq(result.status, 0, "%s: %s", what, result.err);
		expect_same("whole", "killed", what);
	}
	call_after(&result, "rm -r whole; rm -rf killed;", "--version");
	return midway;
}

Test(resume, a_killed_run_goes_on_to_the_same_files, .timeout = 120)
{
	int midway = 0;
	set_up();
	torn = 0;
	for (unsigned seed = 1; seed <= 5; seed++) {
		midway += kill_and_resume("pile_10.json", "", 12.0, (int)(1 + 97 * seed), seed, BETWEEN_CALLS);
	}
	cr_expect_eq(torn, 0, "%d tables of killed runs end in a torn row", torn);
	cr_expect_geq(midway, 2, "%d of 5 runs were killed midway", midway);
	tear_down();
}

Test(resume, with_every_method_and_with_threads, .timeout = 120)
{
	static const struct {
		const char *settings;
		double duration;
	} runs[] = {{"--method bilevel", 2.0},
	            {"--method lcp", 30.0},
	            {"--method convex", 20.0},
	            {"--method point-ncp", 10.0},
	            {"--threads 2", 8.0},
	            {"--set solver.finish=none", 8.0},
	            {"--set bodies[1].input={\\\"force\\\":[0.5,0,0]}", 8.0}};
	set_up();
	/* Sanitizers make steps some four times as slow, so that a quarter of them takes as long. */
	const double slower = TEST_EFFORT(4) < 4 ? 4.0 : 1.0;
	for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
		kill_and_resume("stack_4.json", runs[i].settings, runs[i].duration / slower, (int)(150 / slower),
		                100 + i, AT_ONCE);
	}
	tear_down();
}

/* Without snapshots the run starts again. A run that ended continues to a later end; an earlier end is refused. */
Test(resume, without_snapshots_and_after_the_end)
{
	static Call result;
	set_up();
	call(&result, "run " SCENES "pile_10.json --out whole --set duration=4");
	call(&result, "run " SCENES "pile_10.json --out run --set duration=4 --quiet & "
	              "while ! test -e run/steps.csv; do sleep 0.01; done; kill -KILL $!; wait");
	call_after(&result, "rm -rf run/snapshots;", "run --resume run --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	expect_same("whole", "run", "without snapshots");
	/* If the snapshots cannot be listed, the run must not treat them as missing and start again. */
	call_after(&result, "mv run/snapshots kept; touch run/snapshots;", "run --resume run --until 5");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "run/snapshots: cannot read the folder: Not a directory"), "%s", result.err);
	call_after(&result, "rm run/snapshots; mv kept run/snapshots;", "--version");
	expect_same("whole", "run", "after snapshots that cannot be read");
	/* The message names what cannot be removed. */
	call_after(&result, "mkdir -p full/snapshots/step_77.json;", "run " SCENES "pile_10.json --out full --quiet");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "full/snapshots: cannot remove step_77.json of an earlier run: Is a directory"),
	          "%s", result.err);
	/* A damaged snapshot with impossible values is skipped like any other damaged one. */
	call_after(&result,
	           "cp -r run bent; sed -i 's/\"iterations_max\": [0-9]*/\"iterations_max\": 4000000000/' "
	           "bent/snapshots/step_400.json;",
	           "run --resume bent --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	expect_same("whole", "bent", "a snapshot with a number too large");

	call(&result, "run --resume run");
	cr_expect_eq(result.status, 0);
	cr_expect_str_eq(result.out, "run: the run is complete, at 4 s; --until T continues it\n");
	call(&result, "run --resume run --json");
	cJSON *object = parse_json(result.out);
	cr_expect_eq(number(object, "steps"), 400.0);
	cJSON_Delete(object);
	call(&result, "run --resume run --until 5.5 --json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	object = parse_json(result.out);
	cr_expect(number(object, "steps") == 550.0 && number(object, "steps_asked") == 550.0);
	cJSON_Delete(object);
	call(&result, "run " SCENES "pile_10.json --out longer --set duration=5.5");
	expect_same("longer", "run", "until 5.5 s");
	call(&result, "run --resume run --until 2");
	cr_expect_eq(result.status, 2);
	cr_expect(
	    strstr(result.err, "is already at step 550 (5.5 s); it cannot end at step 200: --until must be later"),
	    "%s", result.err);
	expect_same("longer", "run", "after a refused call");
	tear_down();
}

/* The run ends in order, after the step. The summary says so, and the process ends by the signal. */
Test(resume, a_signal_ends_a_run_in_order)
{
	static const struct {
		const char *name;
		int status;
	} signals[] = {{"INT", 130}, {"TERM", 143}, {"HUP", 129}};
	static Call result;
	static char text[1 << 16];
	set_up();
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		char arguments[320], path[128];
		call(&result, "run " SCENES "stack_4.json --set duration=2 --out whole");
		snprintf(
		    arguments, sizeof arguments,
		    "run " SCENES "stack_4.json --set duration=100000 --set bodies[1].mass=1 --out run --quiet & "
		    "until grep -qs ^1, run/steps.csv; do sleep 0.01; done; kill -%s $!; wait $!; echo $? >status; "
		    "cat status >/dev/null",
		    signals[i].name);
		/* sh ignores INT in the background, and nohup HUP */
		call_after(&result, "env --default-signal=INT,HUP", arguments);
		snprintf(path, sizeof path, "%s/status", folder);
		read_file(path, text, sizeof text);
		cr_expect_eq(atoi(text), signals[i].status, "%s: %s", signals[i].name, text);
		cr_expect(strstr(result.err, "interrupted after step ") && strstr(result.err, " of 10000000, at "),
		          "%s", result.err);
		snprintf(path, sizeof path, "%s/run/summary.json", folder);
		read_file(path, text, sizeof text);
		cJSON *summary = parse_json(text);
		cr_expect(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(summary, "interrupted")));
		const double steps = number(summary, "steps");
		cr_expect(steps > 0.0 && steps < 1e7 && number(summary, "failed_steps") == 0.0);
		snprintf(path, sizeof path, "%s/run/snapshots/step_%.0f.abut", folder, steps);
		struct stat info;
		cr_expect_eq(stat(path, &info), 0, "%s", path);
		cJSON_Delete(summary);
		call_after(&result, "rm -r run whole;", "--version");
	}
	tear_down();
}

/* A step with many overlapping bodies takes minutes; a signal ends the run within it. */
Test(resume, a_signal_ends_a_run_within_a_step)
{
	static Call result;
	static char text[1 << 16], scene[1 << 15];
	char path[128];
	set_up();
	int n = snprintf(scene, sizeof scene, "{\"abut\": 1, \"duration\": 0.02, \"bodies\": [");
	for (int i = 0; i < 200; i++) {
		n += snprintf(scene + n, sizeof scene - (size_t)n,
		              "%s{\"name\": \"b%d\", \"mass\": 1, \"position\": [%g, 0, 1], \"shape\": "
		              "{\"type\": \"sphere\", \"radius\": 1}}",
		              i ? ", " : "", i, 0.001 * i);
	}
	snprintf(scene + n, sizeof scene - (size_t)n, "]}");
	write_file("overlap.json", scene);
	call_after(&result, "env --default-signal=INT",
	           "run overlap.json --out run --quiet & until [ -e run/run.json ]; do :; done; kill -INT $!; "
	           "wait $!; echo $? >status");
	snprintf(path, sizeof path, "%s/status", folder);
	read_file(path, text, sizeof text);
	cr_expect_eq(atoi(text), 130, "%s", text);
	cr_expect(strstr(result.err, "interrupted after step 0 of 2, at 0 s"), "%s", result.err);
	snprintf(path, sizeof path, "%s/run/summary.json", folder);
	read_file(path, text, sizeof text);
	cJSON *summary = parse_json(text);
	cr_expect(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(summary, "interrupted")));
	cr_expect_eq(number(summary, "failed_steps"), 0.0);
	cJSON_Delete(summary);
	tear_down();
}

/* nohup, and shells for work in the background, ignore signals like this. */
Test(resume, a_signal_that_is_ignored_stays_so)
{
	static Call result;
	set_up();
	call_after(&result, "trap '' INT HUP;",
	           "run " SCENES "stack_4.json --set duration=40 --out run --quiet & sleep 0.1; kill -INT $!; "
	           "kill -HUP $!; wait $!; echo $?");
	cr_expect_str_eq(result.out, "0\n", "%s", result.out);
	cr_expect_str_eq(result.err, "", "%s", result.err);
	tear_down();
}

/* What was written before the disk was full is whole, and the run resumes from there. */
Test(resume, a_full_disk)
{
	static Call result;
	set_up();
	call(&result, "run " SCENES "stack_4.json --save-every 20 --out whole");
	call_after(&result, "ulimit -f 64; trap '' XFSZ;", "run " SCENES "stack_4.json --save-every 20 --out full");
	cr_expect_eq(result.status, 3, "%d: %s", result.status, result.err);
	cr_expect_str_eq(result.err, "abut: full/contacts.csv: cannot write: File too large\n");
	static const char *const tables[] = {"trajectory.csv", "contacts.csv", "steps.csv"};
	for (int i = 0; i < 3; i++) {
		static char text[1 << 20];
		char path[128];
		cr_expect_gt(whole_rows("full", "whole", tables[i], "a full disk"), 0);
		snprintf(path, sizeof path, "%s/full/%s", folder, tables[i]);
		read_file(path, text, sizeof text);
		cr_expect_eq(text[strlen(text) - 1], '\n', "%s ends in a torn row", tables[i]);
	}
	call(&result, "run --resume full --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	expect_same("whole", "full", "a full disk");
	tear_down();
}

static void expect_refused(const char *before, const char *arguments, const char *word)
{
	static Call result;
	call_after(&result, before, arguments);
	cr_expect_eq(result.status, 2, "%s: %d", arguments, result.status);
	cr_expect(strstr(result.err, word), "%s: '%s' is not in '%s'", arguments, word, result.err);
	cr_expect_eq(count_lines(result.err), 1, "%s", result.err);
}

Test(resume, what_is_not_the_runs_own_is_refused_by_name)
{
	static Call result;
	set_up();
	call(&result, "run " SCENES "stack_4.json --method lcp --save-every 20 --out run --quiet");
	cr_assert_eq(result.status, 0, "%s", result.err);
	expect_refused("", "run --resume none", "none/run.json");
	expect_refused("", "run", "the scene is missing");
	expect_refused("", "run --resume run --set gravity=[0,0,0]", "--set cannot be changed with --resume");
	expect_refused("", "run --resume run --method lcp", "--method cannot be changed");
	expect_refused("", "run --resume run --save-every 7", "--save-every cannot be changed");
	expect_refused("", "run --resume run --until soon", "--until is 'soon'");
	expect_refused("", "run " SCENES "stack_4.json --until 3", "--until needs --resume");
	expect_refused("", "run " SCENES "stack_4.json --save-every 3", "--save-every needs --out");
	/* A wrong call writes nothing. */
	write_file("file", "");
	call(&result, "run " SCENES "stack_4.json --out fresh --dump-failures file");
	cr_expect(result.status == 2 && !exists("fresh"), "%d: %s", result.status, result.err);
	/* A scene on the command line must be that of the run. */
	call(&result, "run " SCENES "stack_4.json --method lcp --resume run --until 2 --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	expect_refused("", "run " SCENES "stack_4.json --resume run --quiet",
	               "solver.method: is lcp in the snapshot and single-level in the model");
	expect_refused("", "run " SCENES "stack_4.json --method lcp --set bodies[2].mass=3 --resume run",
	               "bodies[2].mass");
	expect_refused("", "run " SCENES "stack_4.json --method lcp --set bodies[2].position=[0,0,9] --resume run",
	               "starts with a different motion");
	/* Changed files. */
	expect_refused("cp -r run a; sed -i 's/=lcp/=convex/' a/run.json;", "run --resume a --until 3",
	               "solver.method: is lcp in the snapshot and convex in the model");
	expect_refused("sed 's/0\\.5/0.6/' run/run.json >a/run.json;", "run --resume a --until 3", "bodies[");
	expect_refused("cp run/run.json a; echo '1,\"box 1\",1,0,0,0,0,0' >>a/inputs.csv;", "run --resume a --until 3",
	               "a/inputs.csv:2");
	/* A damaged snapshot is skipped, and so is one beyond the end of the tables. */
	call_after(&result,
	           "cp run/inputs.csv a; printf X | dd of=a/snapshots/step_200.abut bs=1 seek=300 conv=notrunc "
	           "2>/dev/null; truncate -s -5 a/steps.csv; rm a/summary.json;",
	           "run --resume a --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	expect_same("run", "a", "damaged snapshots");
	tear_down();
}

/* Files that the scene names, such as a mesh, must be unchanged too. The folder of the call does not matter. */
Test(resume, a_mesh_that_changed_is_refused)
{
	static Call result;
	set_up();
	write_file("solid.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
	write_file("scene.json",
	           "{\"abut\": 1, \"duration\": 0.5, \"bodies\": [{\"name\": \"floor\", \"static\": true, "
	           "\"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}}, "
	           "{\"name\": \"solid\", \"mass\": 1, \"position\": [0, 0, 0.2], "
	           "\"shape\": {\"type\": \"mesh\", \"file\": \"solid.obj\"}}]}");
	call(&result, "run scene.json --out run --save-every 10 --quiet");
	cr_assert_eq(result.status, 0, "%s", result.err);
	call_after(&result, "mkdir away && mv run away && cd away &&", "run --resume run --until 0.7 --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	write_file("solid.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
	expect_refused("", "run --resume away/run --until 1", "bodies[1].shape: 'solid' has another shape");
	tear_down();
}

/* A run that begins in the folder of another run removes its files. A folder belongs to one process. */
Test(resume, a_folder_of_another_run)
{
	static Call result;
	set_up();
	call(&result, "run " SCENES "stack_4.json --save-every 10 --out run --quiet");
	call_after(&result, "cp run/run.json old.json;",
	           "run " SCENES
	           "stack_4.json --set duration=10000 --set bodies[1].position=[0,0,3] --out run --quiet & "
	           "while cmp -s old.json run/run.json; do sleep 0.01; done; kill -KILL $!; wait");
	call(&result, "run --resume run --until 3 --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	call(&result, "run " SCENES "stack_4.json --set bodies[1].position=[0,0,3] --set duration=3 --out new --quiet");
	expect_same("new", "run", "a folder of another run");
	call(&result, "run " SCENES "stack_4.json --set duration=10000 --out run --quiet & pid=$!; sleep 0.2; "
	              "\"$ABUT_TEST_COMMAND\" run --resume run; echo $? >one; "
	              "\"$ABUT_TEST_COMMAND\" run " SCENES "stack_4.json --out run; echo $? >two; kill $pid; wait");
	cr_expect(strstr(result.err, "abut: run: another process is running in this folder\n"
	                             "abut: run: another process is running in this folder\n"),
	          "%s", result.err);
	call_after(&result, "cmp one two && grep -x 2 one &&", "--version");
	cr_expect_eq(result.status, 0);
	tear_down();
}

/* A recorded table drives another run to the same files, and one written by hand has the stated effect. */
Test(resume, inputs_drive_a_run)
{
	static Call result;
	set_up();
	write_file("push.csv", "time,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n"
	                       "0.1,cube,0,0,12.81,0,0,0\n0.2,cube,0,0,9.81,0,0,0\n");
	/* From rest 1 m high, 0.1 s of free fall, 0.1 s at 3 m/s^2 upwards, then at constant speed. */
	call(&result, "run " SCENES "cube_drop.json --set bodies.cube.position=[0,0,5] "
	              "--set bodies.cube.linear_velocity=[0,0,0] --set bodies.cube.angular_velocity=[0,0,0] "
	              "--set duration=0.4 --inputs push.csv --save-every 7 --out one --json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *cube = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, "final_state"), 1);
	cr_expect_float_eq(number(cube, "vz"), -9.81 * 0.1 + 3.0 * 0.1, 1e-9);
	cJSON_Delete(object);
	call(&result, "run " SCENES "cube_drop.json --set bodies.cube.position=[0,0,5] "
	              "--set bodies.cube.linear_velocity=[0,0,0] --set bodies.cube.angular_velocity=[0,0,0] "
	              "--set duration=0.4 --inputs one/inputs.csv --save-every 7 --out two --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	expect_same("one", "two", "recorded inputs");
	/* The scene's own inputs are recorded, and an empty table means no inputs. */
	call(&result, "run " SCENES "cube_drop.json --set bodies.cube.input={\\\"force\\\":[0,1,0]} --out own --quiet");
	call(&result, "run " SCENES "cube_drop.json --inputs own/inputs.csv --out again --quiet");
	call_after(&result, "diff own/trajectory.csv again/trajectory.csv &&", "--version");
	cr_expect_eq(result.status, 0);
	cr_expect_eq(count_lines(result.out) > 0, true);
	/* Wrong tables: the error names the file and the line. */
	static const char *const wrong[][2] = {
	    {"step,body,force_x\n", "no column 'force_y'"},
	    {"body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n", "no column 'step' or 'time'"},
	    {"step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n0,cube,0,0,0,0,0,0\n",
	     "push.csv:2:1: step: must be a whole number from 1 to 1e15, is \"0\""},
	    {"step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n1e88,cube,0,0,0,0,0,0\n",
	     "push.csv:2:1: step: must be a whole number from 1 to 1e15, is \"1e88\""},
	    {"step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n2,cube,0,0,0,0,0,0\n1,cube,0,0,0,0,0,0\n",
	     "push.csv:3:1: step: must be at least that of the row above"},
	    {"step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n2,ball,0,0,0,0,0,0\n",
	     "a body of the scene"},
	    {"step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n2,floor,0,0,0,0,1,0\n",
	     "push.csv:2:1: torque_y: must be 0, as the body is static, is \"1\""},
	    {"step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n2,cube,0,0,nan,0,0,0\n",
	     "push.csv:2:1: force_z: must be a number within +-1e30, is \"nan\""},
	    {"step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n2,cube,0,0,0,0,-2e30,0\n",
	     "push.csv:2:1: torque_y: must be a number within +-1e30, is \"-2e30\""},
	    {"time,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n-1,cube,0,0,0,0,0,0\n", "a time from 0 to"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		write_file("push.csv", wrong[i][0]);
		expect_refused("", "run " SCENES "cube_drop.json --inputs push.csv --out wrong", wrong[i][1]);
		cr_expect(!exists("wrong"));
	}
	expect_refused("", "run " SCENES "cube_drop.json --inputs nowhere.csv", "nowhere.csv");
	tear_down();
}

/* Of several times in one step the last one counts, and the recorded table says so. */
Test(resume, tables_may_be_finer_than_steps)
{
	static Call result;
	set_up();
	write_file("fine.csv", "time,joint,target\n0.2,crank pivot,-1\n0.2001,crank pivot,-2\n0.6,crank pivot,0\n");
	write_file("plain.csv", "time,joint,target\n0.2001,crank pivot,-2\n0.6,crank pivot,0\n");
	call(&result, "run " SCENES "slider_crank.json --set timestep=0.03 --inputs fine.csv --out fine --quiet");
	cr_assert_eq(result.status, 0, "%s", result.err);
	call(&result, "run " SCENES "slider_crank.json --set timestep=0.03 --inputs plain.csv --out plain --quiet");
	call(&result,
	     "run " SCENES "slider_crank.json --set timestep=0.03 --inputs fine/inputs.csv --out again --quiet");
	cr_assert_eq(result.status, 0, "%s", result.err);
	call_after(&result, "cmp fine/inputs.csv plain/inputs.csv && cmp fine/joints.csv again/joints.csv &&",
	           "--version");
	cr_expect_eq(result.status, 0, "%s", result.err);
	tear_down();
}

Test(resume, inputs_without_effect_and_efforts_beyond_limits_have_warnings)
{
	static Call result;
	static const char run[] =
	    "run " SCENES
	    "slider_crank.json --set duration=0.5 --set joints[0].motor.type=force --set joints[0].motor.damping=0 "
	    "--set joints[0].motor.limit=5 --set timestep=0.01 --inputs crank.csv";
	set_up();
	write_file("crank.csv", "step,joint,target\n1,crank pivot,5\n50,crank pivot,-5\n");
	call(&result, run);
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect(!strstr(result.err, "warning"), "%s", result.err);
	write_file("crank.csv", "step,joint,target\n1,crank pivot,5\n2,crank pivot,-7\n51,crank pivot,6\n"
	                        "60,crank pivot,0\n");
	call(&result, run);
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect(
	    strstr(result.err, "crank.csv: warning: 2 of 4 rows begin after the last step, 50 (the first at step 51)"),
	    "%s", result.err);
	cr_expect(strstr(result.err,
	                 "targets of 2 rows are beyond the limits of their motors and are clamped; the first is "
	                 "-7 of joint 'crank pivot' at step 2, its limit is 5"),
	          "%s", result.err);
	tear_down();
}

/* Targets of motors drive a run: a table of them, its recorded copy, and a run that is resumed, to the same bits. */
Test(resume, motors_drive_a_run)
{
	static Call result;
	static const char run[] = "run " SCENES "slider_crank.json --save-every 7 ";
	char words[400];
	set_up();
	write_file("crank.csv", "time,joint,target\n0.2,crank pivot,-3\n0.6,crank pivot,0\n");
	snprintf(words, sizeof words, "%s--set duration=1 --inputs crank.csv --out one --quiet", run);
	call(&result, words);
	cr_assert_eq(result.status, 0, "%s", result.err);
	snprintf(words, sizeof words, "%s--set duration=1 --inputs one/inputs.csv --out two --quiet", run);
	call(&result, words);
	cr_expect_eq(result.status, 0, "%s", result.err);
	expect_same("one", "two", "recorded targets");
	snprintf(words, sizeof words, "%s--set duration=0.5 --inputs crank.csv --out three --quiet", run);
	call(&result, words);
	call(&result, "run --resume three --until 1 --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	call_after(&result, "cmp one/joints.csv three/joints.csv && cmp one/trajectory.csv three/trajectory.csv &&",
	           "--version");
	cr_expect_eq(result.status, 0);
	/* The scene's own targets are recorded. */
	snprintf(words, sizeof words, "%s--set duration=0.2 --set joints[0].motor.target=2 --out own --quiet", run);
	call(&result, words);
	cr_expect_eq(result.status, 0, "%s", result.err);
	snprintf(words, sizeof words, "%s--set duration=0.2 --inputs own/inputs.csv --out again --quiet", run);
	call(&result, words);
	call_after(&result, "cmp own/joints.csv again/joints.csv && ! cmp -s own/joints.csv two/joints.csv &&",
	           "--version");
	cr_expect_eq(result.status, 0);
	static const char *const wrong[][2] = {
	    {"step,joint\n", "no column 'target'"},
	    {"step,joint,target\n1,knee,0\n", "crank.csv:2:1: joint: must be a joint of the scene: "},
	    {"step,joint,target\n1,,0\n",
	     "joint: must be a joint of the scene: crank pin, crank pivot, guide, slider pin, is \"\""},
	    {"step,joint,target\n1,crank pivot,1\n1,crank pivot,2\n",
	     "crank.csv:3:1: step: must be given once for each body and motor; a row above has the same, is \"1\""},
	    {"time,joint,target\n0.2,crank pivot,1\n0.2,crank pivot,2\n", "time: must be given once for each body"},
	    {"step,joint,target\n1,guide,0\n", "joint: must be a freedom with a motor, is \"guide\""},
	    {"step,joint,axis,target\n1,crank pivot,1,0\n", "axis: must be a freedom with a motor, is \"1\""},
	    {"step,joint,target\n1,crank pivot,inf\n", "target: must be 0 or of a magnitude within 1e-30 to 1e30"},
	    {"step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z,joint,target\n1,,,,1,,,,crank pivot,2\n",
	     "force_z: must be empty in the row of a joint, is \"1\""},
	    {"step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z,joint,target\n1,crank,0,0,1,0,0,0,,2\n",
	     "target: must be empty in the row of a body, is \"2\""},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		write_file("crank.csv", wrong[i][0]);
		expect_refused("", "run " SCENES "slider_crank.json --inputs crank.csv --out wrong", wrong[i][1]);
		cr_expect(!exists("wrong"));
	}
	tear_down();
}
