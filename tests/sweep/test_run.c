/* Runs of a sweep: their rows against steps taken by hand and against the published benchmark, and the same rows
 * however the runs are shared out. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abut/io.h"
#include "experiments/sweep/grid.h"
#include "sweep/published_stack.h"
#include "sweep/sweep_folder.h"

TestSuite(sweep_run, .init = sweep_set_up, .fini = sweep_tear_down);

static void run(const AbutSweep *sweep, const char *name, const AbutSweepOptions *options)
{
	AbutError error = {0};
	cr_assert_eq(abut_sweep_run(sweep, sweep_path(name), options, NULL, &error), ABUT_OK, "%s: %s", error.file,
	             error.message);
}

static AbutSweepTable *read_table(const char *name)
{
	AbutSweepTable *table = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_sweep_table_read(sweep_path(name), &table, &error), ABUT_OK, "%s: %s", error.file,
	             error.message);
	return table;
}

static double value(const AbutSweepTable *table, long row, const char *column)
{
	const int k = abut_sweep_table_column(table, column);
	cr_assert_geq(k, 0, "%s", column);
	return abut_sweep_table_number(table, row, k);
}

static const char *text(const AbutSweepTable *table, long row, const char *column)
{
	const int k = abut_sweep_table_column(table, column);
	cr_assert_geq(k, 0, "%s", column);
	return abut_sweep_table_text(table, row, k);
}

/* Two boxes that tumble onto a floor, at random, by two methods and at two rates. */
static const char boxes_text[] =
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

static AbutSweep *load_tumbles(void)
{
	sweep_write("boxes.json", boxes_text);
	sweep_write("tumbles.json", tumbles_text);
	return sweep_load("tumbles.json");
}

typedef struct World {
	AbutScene *scene;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} World;

static void make_world(const AbutSweep *sweep, long number, World *world)
{
	AbutSweepPoint point;
	AbutError error;
	cr_assert_eq(abut_sweep_point_of_run(sweep, number, &point, &error), ABUT_OK);
	cr_assert_eq(abut_sweep_point_scene(&point, &world->scene, &error), ABUT_OK);
	cr_assert_eq(abut_model_create(abut_scene_def(world->scene), &world->model, &error), ABUT_OK);
	cr_assert_eq(abut_state_create(world->model, &world->state, &error), ABUT_OK);
	cr_assert_eq(abut_workspace_create(world->model, &world->workspace, &error), ABUT_OK);
	abut_sweep_point_free(&point);
}

static void destroy_world(World *world)
{
	abut_workspace_destroy(world->workspace);
	abut_state_destroy(world->state);
	abut_model_destroy(world->model);
	abut_scene_destroy(world->scene);
}

/* Every number of a row from steps taken here: momentum from velocities in world axes, energy as spin . L / 2, the
 * inertia of a box from its sides. */
static void compare_with_steps(const AbutSweep *sweep, const AbutSweepTable *table, long number)
{
	static const double masses[] = {0.0, 1.0, 2.0}, sides[] = {0.4, 0.3, 0.2};
	World world;
	AbutStepInfo info = {0};
	double momentum[3] = {0}, spin[3] = {0}, violation = 0.0, iterations = 0.0, moved = 0.0, turned = 0.0,
	       stood = 0.0;
	AbutBodyState start[3];
	bool fallen = false;
	make_world(sweep, number, &world);
	for (int i = 0; i < 3; i++) {
		abut_state_get_body(world.model, world.state, i, &start[i]);
	}
	const long steps = lround(0.4 / abut_model_timestep(world.model));
	for (long k = 0; k < steps; k++) {
		double p[3] = {0}, L[3] = {0};
		cr_assert_eq(abut_step(world.model, world.state, world.workspace, &info), ABUT_OK);
		iterations += info.iterations;
		for (int i = 0; i < abut_contact_count(world.workspace); i++) {
			AbutContact contact;
			abut_contact_get(world.model, world.workspace, i, &contact);
			violation = contact.scaling < 1.0 - violation ? 1.0 - contact.scaling : violation;
		}
		moved = turned = 0.0;
		for (int i = 1; i < 3; i++) {
			AbutBodyState at;
			abut_state_get_body(world.model, world.state, i, &at);
			const double w = at.orientation[0], *v = &at.orientation[1];
			double d = 0.0, l[3], cross[3], twice[3];
			for (int j = 0; j < 3; j++) {
				const double a = sides[(j + 1) % 3], b = sides[(j + 2) % 3];
				l[j] = masses[i] * (a * a + b * b) / 12.0 * at.angular_velocity[j];
				p[j] += masses[i] * at.linear_velocity[j];
				d += (at.position[j] - start[i].position[j]) * (at.position[j] - start[i].position[j]);
			}
			/* q l q* = l + 2 w v x l + 2 v x (v x l) */
			for (int j = 0; j < 3; j++) {
				cross[j] = v[(j + 1) % 3] * l[(j + 2) % 3] - v[(j + 2) % 3] * l[(j + 1) % 3];
			}
			for (int j = 0; j < 3; j++) {
				twice[j] = v[(j + 1) % 3] * cross[(j + 2) % 3] - v[(j + 2) % 3] * cross[(j + 1) % 3];
				L[j] += l[j] + 2.0 * w * cross[j] + 2.0 * twice[j];
			}
			moved = fmax(moved, sqrt(d));
			double cosine = 0.0; /* of half the angle */
			for (int j = 0; j < 4; j++) {
				cosine += start[i].orientation[j] * at.orientation[j];
			}
			turned = fmax(turned, 2.0 * acos(fmin(fabs(cosine), 1.0)));
		}
		fallen |= moved > 0.2;
		stood = fallen ? stood : abut_state_time(world.state);
		for (int j = 0; j < 3; j++) {
			momentum[j] += fabs(p[j]) / (double)steps;
			spin[j] += fabs(L[j]) / (double)steps;
		}
	}
	const char *const axes[] = {"x", "y", "z"};
	for (int j = 0; j < 3; j++) {
		char name[16];
		snprintf(name, sizeof name, "momentum_%s", axes[j]);
		cr_expect_float_eq(value(table, number, name), momentum[j], 1e-12, "run %ld", number);
		snprintf(name, sizeof name, "spin_%s", axes[j]);
		cr_expect_float_eq(value(table, number, name), spin[j], 1e-12, "run %ld", number);
	}
	cr_expect_eq(value(table, number, "steps"), (double)steps);
	cr_expect_eq(value(table, number, "violation"), violation, "run %ld", number);
	cr_expect_float_eq(value(table, number, "iterations_mean"), iterations / (double)steps, 1e-9, "run %ld",
	                   number);
	cr_expect_float_eq(value(table, number, "displacement"), moved, 1e-14, "run %ld", number);
	cr_expect_float_eq(value(table, number, "rotation"), turned, 1e-7, "run %ld", number);
	cr_expect_eq(value(table, number, "stood"), stood, "run %ld", number);
	destroy_world(&world);
}

Test(sweep_run, rows_are_those_of_steps)
{
	AbutSweep *sweep = load_tumbles();
	run(sweep, "out", &(AbutSweepOptions){.threads = 2});
	AbutSweepTable *table = read_table("out");
	cr_assert_eq(abut_sweep_table_rows(table), 24);
	cr_assert_eq(abut_sweep_table_axes(table), 3);
	cr_expect_str_eq(abut_sweep_table_name(table, 3), "timestep");
	for (long i = 0; i < 24; i++) {
		cr_assert_eq(value(table, i, "run"), (double)i);
		cr_expect_str_eq(text(table, i, "outcome"), "done", "run %ld: %s", i, text(table, i, "message"));
		cr_expect_str_eq(text(table, i, "method"), i < 12 ? "single-level" : "bilevel");
		cr_expect_eq(value(table, i, "timestep"), i % 12 < 6 ? 0.02 : 0.01);
		cr_expect_eq(value(table, i, "seed"), (double)(3 + i % 6));
		cr_expect_gt(value(table, i, "wall_time_s"), 0.0);
		compare_with_steps(sweep, table, i);
		for (long j = 0; j < i; j++) {
			cr_expect_str_neq(text(table, i, "state_digest"), text(table, j, "state_digest"), "%ld, %ld", i,
			                  j);
		}
	}
	abut_sweep_table_destroy(table);
	abut_sweep_destroy(sweep);
}

/* The same seed throws the boxes alike whatever the method: without contact they are at the same place. */
Test(sweep_run, methods_see_the_same_starts)
{
	AbutSweep *sweep = load_tumbles();
	for (long i = 0; i < 12; i++) {
		World a, b;
		AbutBodyState x, y;
		make_world(sweep, i, &a);
		make_world(sweep, i + 12, &b);
		abut_state_get_body(a.model, a.state, 2, &x);
		abut_state_get_body(b.model, b.state, 2, &y);
		cr_expect_arr_eq(&x, &y, sizeof x, "run %ld", i);
		destroy_world(&a);
		destroy_world(&b);
	}
	abut_sweep_destroy(sweep);
}

/* The published stack of two squares as a sweep, against steps taken by hand. */
Test(sweep_run, published_stack)
{
	sweep_write(
	    "stack.json",
	    "{\"abut\": 1, \"duration\": 1, \"friction\": 0.5,\n"
	    " \"shapes\": {\"square\": {\"type\": \"box\", \"half_extents\": [0.25, 0.25, 0.25]}}, \"bodies\": [\n"
	    " {\"name\": \"floor\", \"static\": true,\n"
	    "  \"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}},\n"
	    " {\"name\": \"lower\", \"mass\": 1, \"inertia\": [0.2, 0.2, 0.2], \"planar\": \"xz\",\n"
	    "  \"centre_of_mass\": [0, 0, 0], \"position\": [0, 0, 0.25], \"shape\": \"square\"},\n"
	    " {\"name\": \"upper\", \"mass\": 1, \"inertia\": [0.2, 0.2, 0.2], \"planar\": \"xz\",\n"
	    "  \"centre_of_mass\": [0, 0, 0], \"position\": [0, 0, 0.75], \"shape\": \"square\"}],\n"
	    " \"contacts\": [{\"pair\": [\"floor\", \"lower\"]}, {\"pair\": [\"lower\", \"upper\"]}]}\n");
	sweep_write("stacks.json",
	            "{\"abut_sweep\": 1, \"scenes\": [\"stack.json\"], \"methods\": [\"single-level\", \"bilevel\"],\n"
	            " \"set\": {\"solver.preset\": \"paper\", \"solver.kappa\": 1e-5, \"timestep\": 0.05},\n"
	            " \"parameters\": {\"bodies.lower.position[0]\":\n"
	            "  [0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2]}}\n");
	AbutSweep *sweep = sweep_load("stacks.json");
	run(sweep, "out", &(AbutSweepOptions){0});
	AbutSweepTable *table = read_table("out");
	cr_assert_eq(abut_sweep_table_rows(table), 20);
	for (int method = 0; method < 2; method++) {
		double linear = 0.0, angular = 0.0, violation = 0.0;
		PublishedCell cell;
		for (long i = 10L * method; i < 10L * method + 10; i++) {
			linear += 0.05 * (value(table, i, "momentum_x") + value(table, i, "momentum_z"));
			angular += 0.1 * value(table, i, "spin_y");
			violation += 0.1 * value(table, i, "violation");
			cr_expect_lt(value(table, i, "momentum_y"), 1e-15);
		}
		cr_assert(
		    published_stack(method == 0 ? ABUT_METHOD_SINGLE_LEVEL : ABUT_METHOD_BILEVEL, 20.0, 1e-5, &cell));
		cr_expect_float_eq(linear, cell.linear, 1e-9 * cell.linear, "%d: %.17g %.17g", method, linear,
		                   cell.linear);
		cr_expect_float_eq(angular, cell.angular, 1e-9 * cell.angular, "%d", method);
		cr_expect_float_eq(violation, cell.violation, 1e-9 * cell.violation + 1e-15, "%d", method);
	}
	abut_sweep_table_destroy(table);
	abut_sweep_destroy(sweep);
}

/* A scene that a method does not take is a row that says why, and the others go on. A run that fails is one, too. */
Test(sweep_run, refusals_and_failures_are_rows)
{
	sweep_write("boxes.json", boxes_text);
	sweep_write(
	    "mixed.json",
	    "{\"abut_sweep\": 1, \"scenes\": [\"boxes.json\"], \"methods\": [\"single-level\", \"point-ncp\"],\n"
	    " \"settings\": {\"single-level\": {\"solver.retry\": false, \"solver.warm_start\": false, "
	    "\"solver.finish\": \"none\"}, \"point-ncp\": {\"solver.linear_solver\": \"dense\"}},\n"
	    " \"parameters\": {\"solver.max_iterations\": [1, 60], \"bodies.a.inertia\": [[1, 1, 1], [1, 1, 3]]}}");
	AbutSweep *sweep = sweep_load("mixed.json");
	AbutSweepCounts counts;
	AbutError error;
	cr_assert_eq(abut_sweep_run(sweep, sweep_path("out"), &(AbutSweepOptions){0}, &counts, &error), ABUT_OK);
	cr_expect_eq(counts.runs, 8);
	cr_expect_eq(counts.failed, 1);
	cr_expect_eq(counts.done, 1);
	cr_expect_eq(counts.refused, 6);
	static const char *const outcomes[] = {"failed", "refused", "done", "refused"};
	AbutSweepTable *table = read_table("out");
	for (long i = 0; i < 8; i++) {
		cr_expect_str_eq(text(table, i, "outcome"), i < 4 ? outcomes[i] : "refused", "run %ld", i);
		cr_expect_eq(text(table, i, "message")[0] == '\0', i == 2, "run %ld: %s", i, text(table, i, "message"));
		cr_expect_eq(isnan(value(table, i, "steps")), i != 0 && i != 2, "run %ld", i);
		cr_expect_eq(isnan(value(table, i, "wall_time_s")), i != 0 && i != 2, "run %ld", i);
	}
	cr_expect_geq(value(table, 0, "first_failed_step"), 1.0);
	cr_expect(strstr(text(table, 1, "message"), "bodies[1].inertia: "), "%s", text(table, 1, "message"));
	cr_expect_str_eq(text(table, 3, "bodies.a.inertia"), "[1, 1, 3]");
	abut_sweep_table_destroy(table);
	abut_sweep_destroy(sweep);
}

Test(sweep_run, threads_change_no_byte)
{
	AbutSweep *sweep = load_tumbles();
	run(sweep, "one", &(AbutSweepOptions){.threads = 1});
	for (int threads = 2; threads <= 8; threads *= 2) {
		char name[16], runs[32], record[32];
		snprintf(name, sizeof name, "of%d", threads);
		snprintf(runs, sizeof runs, "%s/runs.csv", name);
		snprintf(record, sizeof record, "%s/sweep.json", name);
		run(sweep, name, &(AbutSweepOptions){.threads = threads});
		sweep_expect_same("one/runs.csv", runs);
		sweep_expect_same("one/sweep.json", record);
	}
	abut_sweep_destroy(sweep);
}

/* The file cut off anywhere: in the middle of a line, of the first one, at its end. */
Test(sweep_run, resumes_what_was_cut_off)
{
	AbutSweep *sweep = load_tumbles();
	run(sweep, "whole", &(AbutSweepOptions){.threads = 1});
	run(sweep, "cut", &(AbutSweepOptions){.threads = 1});
	const long size = (long)strlen(sweep_read("whole/runs.csv", 0));
	const long times_size = (long)strlen(sweep_read("whole/times.csv", 0));
	for (long cut = 0; cut <= size; cut += cut < 600 ? 97 : 1013) {
		cr_assert_eq(truncate(sweep_path("cut/runs.csv"), cut), 0);
		cr_assert_eq(truncate(sweep_path("cut/times.csv"), cut < times_size ? cut : times_size), 0);
		run(sweep, "cut", &(AbutSweepOptions){.threads = 2, .resume = true});
		sweep_expect_same("whole/runs.csv", "cut/runs.csv");
		sweep_expect_same("whole/sweep.json", "cut/sweep.json");
		AbutSweepTable *table = read_table("cut");
		cr_expect_eq(abut_sweep_table_rows(table), 24, "cut at %ld", cut);
		abut_sweep_table_destroy(table);
	}
	abut_sweep_destroy(sweep);
}

/* Rows in any order, some of them in the tables of processes that have been killed. */
Test(sweep_run, resumes_from_tables_of_ranks)
{
	AbutSweep *sweep = load_tumbles();
	run(sweep, "whole", &(AbutSweepOptions){.threads = 1});
	run(sweep, "ranks", &(AbutSweepOptions){.threads = 1});
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
	run(sweep, "ranks", &(AbutSweepOptions){.resume = true});
	sweep_expect_same("whole/runs.csv", "ranks/runs.csv");
	cr_expect(!sweep_exists("ranks/runs.3.csv"));
	abut_sweep_destroy(sweep);
}

/* Times that were lost are empty, as those of a run that is not there are left out. */
Test(sweep_run, times_may_be_lost)
{
	AbutSweep *sweep = load_tumbles();
	run(sweep, "out", &(AbutSweepOptions){0});
	sweep_write("out/times.csv", "run,step_time_us_median,step_time_us_mean,wall_time_s,setup_time_s\n3,1,2,3,4\n");
	run(sweep, "out", &(AbutSweepOptions){.resume = true});
	AbutSweepTable *table = read_table("out");
	cr_assert_eq(abut_sweep_table_rows(table), 24);
	for (long i = 0; i < 24; i++) {
		const double time = value(table, i, "step_time_us_mean");
		cr_expect(i == 3 ? time == 2.0 : isnan(time), "run %ld: %g", i, time);
	}
	abut_sweep_table_destroy(table);
	abut_sweep_destroy(sweep);
}

/* A ball thrown up that comes back: it stood until it was too far for the first time. By the discrete law, after k
 * steps it is dt (k v - dt g k (k + 1) / 2) higher. */
Test(sweep_run, stood_ends_for_good)
{
	sweep_write("ball.json", sweep_scene_text);
	sweep_write("up.json", "{\"abut_sweep\": 1, \"scenes\": [\"ball.json\"], \"stands_within\": 0.1,\n"
	                       " \"set\": {\"duration\": 0.4, \"bodies.ball.linear_velocity\": [0, 0, 2]}}");
	const double dt = 0.02, v = 2.0, g = 9.81;
	int k = 1;
	while (dt * (k * v - 0.5 * dt * g * k * (k + 1)) <= 0.1) {
		k++;
	}
	AbutSweep *sweep = sweep_load("up.json");
	run(sweep, "out", &(AbutSweepOptions){0});
	AbutSweepTable *table = read_table("out");
	cr_expect_float_eq(value(table, 0, "stood"), dt * (k - 1), 1e-15);
	cr_expect_lt(value(table, 0, "displacement"), 0.1);
	abut_sweep_table_destroy(table);
	abut_sweep_destroy(sweep);
}

/* What a call makes again is what the folder lacks: a row that stands there is left as it is. */
Test(sweep_run, resuming_repeats_no_run)
{
	AbutSweep *sweep = load_tumbles();
	run(sweep, "out", &(AbutSweepOptions){0});
	char before[1 << 15];
	strcpy(before, sweep_read("out/times.csv", 0));
	run(sweep, "out", &(AbutSweepOptions){.resume = true});
	cr_expect_str_eq(sweep_read("out/times.csv", 0), before);
	abut_sweep_destroy(sweep);
}

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

Test(sweep_run, folders_of_others_are_refused)
{
	AbutSweep *sweep = load_tumbles();
	const unsigned long long seed = 99;
	AbutSweep *other = NULL;
	AbutError error;
	cr_assert_eq(abut_sweep_load(sweep_path("tumbles.json"), &seed, &other, &error), ABUT_OK);
	run(sweep, "out", &(AbutSweepOptions){0});
	char before[1 << 15];
	strcpy(before, sweep_read("out/runs.csv", 0));
	expect_refused(sweep, "out", &(AbutSweepOptions){0}, "holds a sweep already");
	expect_refused(other, "out", &(AbutSweepOptions){.resume = true}, "holds another sweep");
	expect_refused(sweep, "out", &(AbutSweepOptions){.resume = true, .shard = 1, .shards = 2},
	               "holds the whole sweep, not shard 1 of 2");
	run(sweep, "part", &(AbutSweepOptions){.shard = 1, .shards = 3});
	expect_refused(sweep, "part", &(AbutSweepOptions){.resume = true, .shard = 2, .shards = 3},
	               "holds shard 1 of 3, not shard 2 of 3");
	expect_refused(sweep, "part", &(AbutSweepOptions){.resume = true}, "holds shard 1 of 3, not the whole sweep");
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

/* The threads that are in a run when another's row does not fit on the disk write none. Times go before results, so
 * that a row more would show in their table, which is far from full. */
Test(sweep_run, nothing_is_written_after_the_first_error)
{
	AbutSweep *sweep = load_tumbles();
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

/* Two calls at once would write each run twice. */
Test(sweep_run, a_folder_in_use_is_refused)
{
	AbutSweep *sweep = load_tumbles();
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
	run(sweep, "out", &(AbutSweepOptions){.resume = true});
	abut_sweep_destroy(sweep);
}

static void write_shards(const AbutSweep *sweep, int n)
{
	for (int i = 1; i <= n; i++) {
		char name[16];
		snprintf(name, sizeof name, "shard%d", i);
		run(sweep, name, &(AbutSweepOptions){.shard = i, .shards = n});
		AbutSweepTable *table = read_table(name);
		cr_expect_leq(labs(2 * abut_sweep_table_rows(table) - 48 / n), 2);
		abut_sweep_table_destroy(table);
	}
}

Test(sweep_run, shards_join_to_the_whole)
{
	AbutSweep *sweep = load_tumbles();
	AbutSweepCounts counts;
	AbutError error = {0};
	write_shards(sweep, 5);
	run(sweep, "whole", &(AbutSweepOptions){0});
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
	cr_expect(strstr(error.message, "holds a sweep already"), "%s", error.message);

	const unsigned long long seed = 1;
	AbutSweep *other = NULL;
	cr_assert_eq(abut_sweep_load(sweep_path("tumbles.json"), &seed, &other, &error), ABUT_OK);
	run(other, "other", &(AbutSweepOptions){.shard = 1, .shards = 5});
	all[4] = sweep_path("other");
	cr_expect_eq(abut_sweep_merge(5, all, sweep_path("merged2"), &counts, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "another sweep"), "%s", error.message);
	cr_expect(!sweep_exists("merged2"));
	abut_sweep_destroy(other);
	abut_sweep_destroy(sweep);
}

/* Two shards that tell one run differently, as two machines may, are not joined. */
Test(sweep_run, shards_that_differ_are_refused)
{
	AbutSweep *sweep = load_tumbles();
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
	cr_expect(strstr(error.message, " otherwise than another file"), "%s", error.message);
	abut_sweep_destroy(sweep);
}

/* The printed call of a run gives the numbers of its row. */
Test(sweep_run, calls_name_every_override)
{
	AbutSweep *sweep = load_tumbles();
	AbutError error = {0};
	char line[2048];
	FILE *file = fmemopen(line, sizeof line, "w");
	cr_assert_eq(abut_sweep_write_call(sweep, 17, file, &error), ABUT_OK);
	fclose(file);
	char expected[256];
	snprintf(expected, sizeof expected,
	         "abut run '%s' --set 'solver.method=\"bilevel\"' --set 'timestep=0.02' --set "
	         "'bodies.a.orientation=[",
	         sweep_path("boxes.json"));
	cr_expect_eq(strncmp(line, expected, strlen(expected)), 0, "%s\n%s", line, expected);
	cr_expect(strstr(line, "' --seed 8\n"), "%s", line);
	sweep_write("quote.json", "{\"abut_sweep\": 1, \"scenes\": [\"boxes.json\"], \"set\": {\"name\": \"it's\"}}");
	AbutSweep *quote = sweep_load("quote.json");
	file = fmemopen(line, sizeof line, "w");
	cr_assert_eq(abut_sweep_write_call(quote, 0, file, &error), ABUT_OK);
	fclose(file);
	cr_expect(strstr(line, " --set 'name=\"it'\\''s\"' "), "%s", line);
	abut_sweep_destroy(quote);
	cr_expect_eq(abut_sweep_write_call(sweep, 24, stdout, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.message, "there is no run 24; they are 0 to 23");
	abut_sweep_destroy(sweep);
}
