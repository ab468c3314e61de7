/* Compares the rows of a sweep's runs with steps taken here and with the published benchmark. */
#include <math.h>

#include "abut/io.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/load.h"
#include "experiments/sweep/run.h"
#include "experiments/sweep/table.h"
#include "sweep/published_stack.h"
#include "sweep/tumbles.h"

TestSuite(sweep_run, .init = sweep_set_up, .fini = sweep_tear_down);

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

/* Computes every number of a row from steps taken here: momentum from velocities in world axes, energy as spin . L / 2,
 * and the inertia of a box from its sides. */
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
		cr_expect_float_eq(sweep_value(table, number, name), momentum[j], 1e-12, "run %ld", number);
		snprintf(name, sizeof name, "spin_%s", axes[j]);
		cr_expect_float_eq(sweep_value(table, number, name), spin[j], 1e-12, "run %ld", number);
	}
	cr_expect_eq(sweep_value(table, number, "steps"), (double)steps);
	cr_expect_eq(sweep_value(table, number, "violation"), violation, "run %ld", number);
	cr_expect_float_eq(sweep_value(table, number, "iterations_mean"), iterations / (double)steps, 1e-9, "run %ld",
	                   number);
	cr_expect_float_eq(sweep_value(table, number, "displacement"), moved, 1e-14, "run %ld", number);
	cr_expect_float_eq(sweep_value(table, number, "rotation"), turned, 1e-7, "run %ld", number);
	cr_expect_eq(sweep_value(table, number, "stood"), stood, "run %ld", number);
	destroy_world(&world);
}

Test(sweep_run, rows_are_those_of_steps)
{
	AbutSweep *sweep = sweep_tumbles();
	sweep_make(sweep, "out", &(AbutSweepOptions){.threads = 2});
	AbutSweepTable *table = sweep_table("out");
	cr_assert_eq(abut_sweep_table_rows(table), 24);
	cr_assert_eq(abut_sweep_table_column(table, "timestep"), 3);
	cr_assert_eq(abut_sweep_table_column(table, "seed"), 4);
	for (long i = 0; i < 24; i++) {
		cr_assert_eq(sweep_value(table, i, "run"), (double)i);
		cr_expect_str_eq(sweep_text(table, i, "outcome"), "done", "run %ld: %s", i,
		                 sweep_text(table, i, "message"));
		cr_expect_str_eq(sweep_text(table, i, "method"), i < 12 ? "single-level" : "bilevel");
		cr_expect_eq(sweep_value(table, i, "timestep"), i % 12 < 6 ? 0.02 : 0.01);
		cr_expect_eq(sweep_value(table, i, "seed"), (double)(3 + i % 6));
		cr_expect_gt(sweep_value(table, i, "wall_time_s"), 0.0);
		compare_with_steps(sweep, table, i);
		for (long j = 0; j < i; j++) {
			cr_expect_str_neq(sweep_text(table, i, "state_digest"), sweep_text(table, j, "state_digest"),
			                  "%ld, %ld", i, j);
		}
	}
	abut_sweep_table_destroy(table);
	abut_sweep_destroy(sweep);
}

/* The same seed throws the boxes in the same way for every method: without contact they are at the same place. */
Test(sweep_run, methods_see_the_same_starts)
{
	AbutSweep *sweep = sweep_tumbles();
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

/* The published stack of two squares as a sweep, compared with steps taken here. */
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
	sweep_make(sweep, "out", &(AbutSweepOptions){0});
	AbutSweepTable *table = sweep_table("out");
	cr_assert_eq(abut_sweep_table_rows(table), 20);
	for (int method = 0; method < 2; method++) {
		double linear = 0.0, angular = 0.0, violation = 0.0;
		PublishedCell cell;
		for (long i = 10L * method; i < 10L * method + 10; i++) {
			linear += 0.05 * (sweep_value(table, i, "momentum_x") + sweep_value(table, i, "momentum_z"));
			angular += 0.1 * sweep_value(table, i, "spin_y");
			violation += 0.1 * sweep_value(table, i, "violation");
			cr_expect_lt(sweep_value(table, i, "momentum_y"), 1e-15);
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

/* If a method does not support a scene, its row gives the reason, and others continue. A failed run is a row too. */
Test(sweep_run, refusals_and_failures_are_rows)
{
	sweep_write("boxes.json", sweep_boxes_text);
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
	AbutSweepTable *table = sweep_table("out");
	for (long i = 0; i < 8; i++) {
		cr_expect_str_eq(sweep_text(table, i, "outcome"), i < 4 ? outcomes[i] : "refused", "run %ld", i);
		cr_expect_eq(sweep_text(table, i, "message")[0] == '\0', i == 2, "run %ld: %s", i,
		             sweep_text(table, i, "message"));
		cr_expect_eq(isnan(sweep_value(table, i, "steps")), i != 0 && i != 2, "run %ld", i);
		cr_expect_eq(isnan(sweep_value(table, i, "wall_time_s")), i != 0 && i != 2, "run %ld", i);
	}
	cr_expect_geq(sweep_value(table, 0, "first_failed_step"), 1.0);
	cr_expect(strstr(sweep_text(table, 1, "message"), "bodies[1].inertia: "), "%s",
	          sweep_text(table, 1, "message"));
	cr_expect_str_eq(sweep_text(table, 3, "bodies.a.inertia"), "[1, 1, 3]");
	abut_sweep_table_destroy(table);
	abut_sweep_destroy(sweep);
}

/* A ball thrown up comes back. It stood until it was too far away for the first time. By the discrete law it is dt (k v
 * - dt g k (k + 1) / 2) higher after k steps. */
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
	sweep_make(sweep, "out", &(AbutSweepOptions){0});
	AbutSweepTable *table = sweep_table("out");
	cr_expect_float_eq(sweep_value(table, 0, "stood"), dt * (k - 1), 1e-15);
	cr_expect_lt(sweep_value(table, 0, "displacement"), 0.1);
	abut_sweep_table_destroy(table);
	abut_sweep_destroy(sweep);
}

/* The printed call of a run gives the numbers of its row. */
Test(sweep_run, calls_name_every_override)
{
	AbutSweep *sweep = sweep_tumbles();
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
	cr_expect_str_eq(error.message, "there is no run 24; allowed are 0 to 23");
	abut_sweep_destroy(sweep);
}
