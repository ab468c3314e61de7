/* Tests sweeps of the command: killed and resumed, in shards, under mpirun, on a full disk. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/call.h"
#include "effort.h"

TestSuite(sweep, .init = set_up, .fini = tear_down);

static Call result;

/* Writes a spec of `seeds` runs, which take some milliseconds each. */
static void write_spec(int seeds)
{
	char text[1024];
	snprintf(text, sizeof text,
	         "{\"abut_sweep\": 1, \"scenes\": [\"" ABUT_SOURCE_DIR "/experiments/scenes/drop_box.json\"],\n"
	         " \"methods\": [\"bilevel\"], \"set\": {\"duration\": 1},\n \"random\": {\"bodies.box.orientation\": "
	         "{\"rotation\": \"uniform\"}},\n"
	         " \"seeds\": {\"count\": %d}}\n",
	         seeds);
	write_file("spec.json", text);
}

static void expect_same(const char *a, const char *b)
{
	char command[256];
	snprintf(command, sizeof command, "cd '%s' && cmp -s %s %s", folder, a, b);
	cr_expect_eq(system(command), 0, "%s and %s differ", a, b);
}

Test(sweep, wrong_calls)
{
	static const struct {
		const char *arguments, *message;
	} table[] = {
	    {"sweep", "the spec is missing"},
	    {"sweep spec.json other.json", "'other.json' is one argument too many"},
	    {"sweep none.json", "abut: none.json: cannot open the sweep: No such file"},
	    {"sweep spec.json --shard 2", "--shard is '2'; it must be I/N with 1 <= I <= N"},
	    {"sweep spec.json --shard 3/2", "is '3/2'"},
	    {"sweep spec.json --shard 1/2x", "is '1/2x'"},
	    {"sweep spec.json --shard 0/2", "is '0/2'"},
	    {"sweep spec.json --merge", "--merge needs --out"},
	    {"sweep a b --merge --out c --resume", "--merge allows only --out, --json and --quiet"},
	    {"sweep a b --merge --out c", "abut: a: the folder contains no sweep.json"},
	    {"sweep spec.json --show x", "--show is 'x'; it must be the number of a run"},
	    {"sweep spec.json --show 3", "run 3 does not exist; the runs are 0 to 2"},
	    {"sweep spec.json --show -1", "run -1 does not exist; the runs are 0 to 2"},
	    {"sweep spec.json --show 99999999999999999999999",
	     "run 99999999999999999999999 does not exist; the runs are 0 to 2"},
	    {"sweep spec.json --out scene.json", "abut: scene.json: cannot make the output folder: File exists"},
	    {"sweep spec.json --out scene.json/a", "abut: scene.json: cannot make the output folder: File exists"},
	    {"sweep spec.json --out /proc/no/where", "cannot make the output folder"},
	    {"sweep scene.json", "abut: scene.json:1:2: abut: unknown key \"abut\" in a sweep"},
	};
	write_spec(3);
	write_file("scene.json", "{\"abut\": 1}");
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		call(&result, table[i].arguments);
		cr_expect_eq(result.status, 2, "%s: exit status %d", table[i].arguments, result.status);
		cr_expect(strstr(result.err, table[i].message), "%s: %s", table[i].arguments, result.err);
		cr_expect_eq(count_lines(result.err), 1, "%s", result.err);
		cr_expect_str_eq(result.out, "");
		cr_expect(!exists("out") && !exists("c"), "%s", table[i].arguments);
	}
}

Test(sweep, prints_a_table_or_an_object)
{
	write_spec(3);
	call(&result, "sweep spec.json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.err, "");
	cr_expect(strstr(result.out, "drop_box") && strstr(result.out, "bilevel"), "%s", result.out);
	cr_expect(strstr(result.out, "written to out/spec: runs.csv, times.csv, sweep.json\n"), "%s", result.out);
	call(&result, "sweep spec.json --out two --json --seed 5");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	cr_expect_eq(number(object, "runs"), 3.0);
	cr_expect_eq(number(object, "done"), 3.0);
	cr_expect_eq(number(object, "first_seed"), 5.0);
	cr_expect(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "complete")));
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "version")), "0.1.0");
	cJSON_Delete(object);
	call(&result, "sweep spec.json --out three --quiet");
	cr_expect_str_eq(result.out, "");
	call(&result, "sweep spec.json --out two");
	cr_expect_eq(result.status, 2);
	cr_expect_str_eq(
	    result.err,
	    "abut: two: the folder already contains a sweep, \"spec\": resume it, or choose another folder\n");
}

/* The shipped example. */
Test(sweep, example)
{
	call(&result, "sweep '" ABUT_SOURCE_DIR "/experiments/sweep/quick.json' --out quick --json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	cr_expect_eq(number(object, "runs"), 120.0);
	cr_expect_eq(number(object, "done"), 120.0);
	cJSON_Delete(object);
}

/* The printed call reproduces the run of the table, number for number. */
Test(sweep, shows_the_call_of_a_run)
{
	char line[1024], mean[64], expected[64];
	write_spec(5);
	call(&result, "sweep spec.json --out out --quiet");
	call(&result,
	     "sweep spec.json --show 3 >call.sh; cut -d, -f1,15 out/runs.csv | sed -n '5s/^3,//p' && cat call.sh");
	cr_assert_eq(sscanf(result.out, "%63[^\n]\nabut %1023[^\n]", expected, line), 2, "%s", result.out);
	call(&result, strcat(line, " --json"));
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	snprintf(mean, sizeof mean, "%.17g", number(object, "iterations_mean"));
	cr_expect_eq(number(object, "seed"), 3.0);
	cr_expect_str_eq(mean, expected);
	cJSON_Delete(object);
}

/* --- killed --- */

enum { RUNS_TO_KILL = 80 };

/* Writes two scripts. `sh tell.sh RANK ARGUMENTS` becomes the command, in its own process; that of the given rank
 * (empty: a single process) writes its number to the file `pid`. `sh kill.sh FOLDER START` starts a sweep into the
 * folder, and kills that process once 25 lines are written. It tries again if the sweep was quicker. */
static void write_killer(void)
{
	write_file("tell.sh", "[ \"$OMPI_COMM_WORLD_RANK\" != \"$1\" ] || echo $$ >pid\nshift\n"
	                      "exec \"$ABUT_TEST_COMMAND\" \"$@\"\n");
	write_file("kill.sh", "for try in 1 2 3 4 5; do\n"
	                      "  rm -rf \"$1\" pid; sh -c \"$2\" >log 2>&1 & k=0\n"
	                      "  while [ $(cat \"$1\"/runs*.csv 2>/dev/null | wc -l) -lt 25 ] && [ $k -lt 3000 ]; do\n"
	                      "    sleep 0.01; k=$((k+1))\n"
	                      "  done\n"
	                      "  kill -9 $(cat pid); wait\n"
	                      "  rows=$(cat \"$1\"/runs*.csv | grep -c '^[0-9]')\n"
	                      "  [ $rows -ge 80 ] || break\n"
	                      "done 2>/dev/null\n"
	                      "echo $rows; cut -d, -f1 \"$1\"/runs*.csv | grep '^[0-9]' | sort | uniq -d\n");
	write_spec(RUNS_TO_KILL);
	call(&result, "sweep spec.json --out whole --quiet");
	cr_assert_eq(result.status, 0, "%s", result.err);
}

/* Starts a sweep into `name`, kills it, and resumes it by that call, after `tear`. */
static void kill_and_resume(const char *name, const char *start, const char *tear, const char *mpirun)
{
	char before[3072], arguments[96], file[64];
	int rows = 0;
	snprintf(before, sizeof before, "sh kill.sh %s \"%s\"; %s %s", name, start, tear, mpirun);
	snprintf(arguments, sizeof arguments, "sweep spec.json --out %s --resume --quiet", name);
	call_after(&result, before, arguments);
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_assert_eq(sscanf(result.out, "%d", &rows), 1, "%s", result.out);
	cr_expect(rows >= 20 && rows < RUNS_TO_KILL, "%s: killed after %d runs", name, rows);
	cr_expect_eq(count_lines(result.out), 1, "%s: runs made twice: %s", name, result.out);
	snprintf(file, sizeof file, "%s/runs.csv", name);
	expect_same("whole/runs.csv", file);
	snprintf(file, sizeof file, "%s/sweep.json", name);
	expect_same("whole/sweep.json", file);
	snprintf(file, sizeof file, "%s/runs.1.csv", name);
	cr_expect(!exists(file));
}

/* SIGKILL in the middle; the last line is torn. */
Test(sweep, killed_and_resumed)
{
	write_killer();
	kill_and_resume("killed", "exec sh tell.sh '' sweep spec.json --out killed --threads 2",
	                "printf '3,drop_b' >>killed/runs.csv;", "");
}

/* A hostile mesh is an error of the input at its place, for a scene and for a value of a sweep. */
Test(sweep, a_hostile_mesh_is_named)
{
	static const char good[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
	write_file("good.obj", good);
	write_file("hostile.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nelement face 99999999\n"
	                          "property list uchar int vertex_indices\nend_header\n0\n3 0 0 0\n");
	write_file("scene.json", "{\"abut\": 1, \"duration\": 0.1, \"bodies\": [{\"name\": \"a\", \"mass\": 1,\n"
	                         " \"shape\": {\"type\": \"mesh\", \"file\": \"good.obj\"}}]}\n");
	write_file("spec.json", "{\"abut_sweep\": 1, \"scenes\": [\"scene.json\"],\n"
	                        " \"parameters\": {\"bodies.a.shape.file\": [\"good.obj\", \"hostile.ply\"]}}\n");
	call(&result, "validate scene.json --set bodies.a.shape.file='\"hostile.ply\"'");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "bodies[0].shape.file") && strstr(result.err, "\"hostile.ply\": "), "%s",
	          result.err);
	call(&result, "sweep spec.json --out out --quiet");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "abut: spec.json:2:53: parameters[\"bodies.a.shape.file\"][1]: ") &&
	              strstr(result.err, "\"hostile.ply\": " TEST_TOO_MUCH_MEMORY),
	          "%s", result.err);
}

Test(sweep, shards_and_merge)
{
	write_spec(20);
	call(&result, "sweep spec.json --out whole --quiet");
	call_after(&result,
	           "for i in 1 2 3; do \"$ABUT_TEST_COMMAND\" sweep spec.json --shard $i/3 --quiet || exit 9; done;",
	           "sweep --merge out/spec-2-of-3 out/spec-1-of-3 out/spec-3-of-3 --out merged");
	cr_expect_eq(result.status, 0, "%s", result.err);
	expect_same("whole/runs.csv", "merged/runs.csv");
	expect_same("whole/sweep.json", "merged/sweep.json");
	call(&result, "sweep --merge out/spec-2-of-3 out/spec-3-of-3 --out partial");
	cr_expect_eq(result.status, 2);
	cr_expect_str_eq(result.err, "abut: 7 of 20 runs are missing, of the shards 1 of 3: 2, 4, 8, 9, 14, 16, 19\n");
	cr_expect(!exists("partial"));
}

/* A limited file size imitates a full disk: exit status 3, and the written files can be resumed. */
Test(sweep, full_disk)
{
	write_spec(60);
	call(&result, "sweep spec.json --out whole --quiet");
	call_after(&result, "trap '' XFSZ; ulimit -f 8;", "sweep spec.json --out full --quiet");
	cr_expect_eq(result.status, 3, "%d", result.status);
	cr_expect_str_eq(result.err, "abut: full/runs.csv: cannot write: File too large\n");
	call(&result, "sweep spec.json --out full --resume --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	expect_same("whole/runs.csv", "full/runs.csv");
}

/* --- under mpirun --- */

#define MPIRUN                                                                                                         \
	"OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 '" ABUT_MPIRUN "' "     \
	"--oversubscribe -n 2 "

static void need_mpi(void)
{
	if (ABUT_MPIRUN[0] == '\0') {
		cr_skip_test("built without MPI");
	}
}

Test(sweep, ranks)
{
	need_mpi();
	write_spec(30);
	call(&result, "sweep spec.json --out whole --quiet");
	call_after(&result, MPIRUN, "sweep spec.json --out ranks");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_eq(count_lines(result.out), 4, "one process reports: %s", result.out);
	expect_same("whole/runs.csv", "ranks/runs.csv");
	expect_same("whole/sweep.json", "ranks/sweep.json");
	cr_expect(!exists("ranks/runs.1.csv") && !exists("ranks/times.1.csv"));
	call_after(&result, MPIRUN, "sweep spec.json --out ranks");
	cr_expect_eq(result.status, 2);
	cr_expect(strncmp(result.err, "abut: ranks: the folder already contains a sweep", 48) == 0, "%s", result.err);
	call_after(&result, MPIRUN, "sweep none.json --out other");
	cr_expect_eq(result.status, 2);
	cr_expect(strncmp(result.err, "abut: none.json: cannot open", 28) == 0, "%s", result.err);
}

/* Kills each rank in turn: mpirun ends the other. The rows that both have written are kept. */
Test(sweep, a_rank_killed_and_resumed)
{
	need_mpi();
	write_killer();
	kill_and_resume("killed0", MPIRUN "sh tell.sh 0 sweep spec.json --out killed0", "", MPIRUN);
	kill_and_resume("killed1", MPIRUN "sh tell.sh 1 sweep spec.json --out killed1", "", "");
}
