/* Compares the points of the grid with loops, and tests the overrides of a point. */
#include <math.h>

#include "abut/io.h"
#include "experiments/sweep/grid.h"
#include "experiments/sweep/load.h"
#include "sweep/sweep_folder.h"

TestSuite(grid, .init = sweep_set_up, .fini = sweep_tear_down);

Test(grid, runs_count_through_the_axes)
{
	sweep_write("ball.json", sweep_scene_text);
	sweep_write("grid.json",
	            "{\"abut_sweep\": 1, \"scenes\": [\"ball.json\", {\"file\": \"ball.json\", \"name\": \"b\"}],\n"
	            " \"methods\": [\"bilevel\", \"single-level\"],\n"
	            " \"parameters\": {\"timestep\": [0.01, 0.02, 0.05], \"friction\": [0.1, 0.2]},\n"
	            " \"seeds\": {\"first\": 100, \"count\": 4}}");
	AbutSweep *sweep = sweep_load("grid.json");
	long run = 0;
	for (int scene = 0; scene < 2; scene++) {
		for (int method = 0; method < 2; method++) {
			for (int step = 0; step < 3; step++) {
				for (int friction = 0; friction < 2; friction++) {
					for (unsigned long long seed = 100; seed < 104; seed++, run++) {
						cr_assert_eq(abut_sweep_coordinate(sweep, run, 0), scene, "%ld", run);
						cr_assert_eq(abut_sweep_coordinate(sweep, run, 1), method, "%ld", run);
						cr_assert_eq(abut_sweep_coordinate(sweep, run, 2), step, "%ld", run);
						cr_assert_eq(abut_sweep_coordinate(sweep, run, 3), friction, "%ld",
						             run);
						cr_assert_eq(abut_sweep_seed(sweep, run), seed, "%ld", run);
					}
				}
			}
		}
	}
	cr_expect_eq(sweep->run_count, run);
	abut_sweep_destroy(sweep);
}

/* The order is: the scene's own value, then those of the sweep, of the scene in the spec, of the method, of the
 * parameter. Each later one counts, and a random one over all. */
Test(grid, later_overrides_count)
{
	static const struct {
		const char *members;
		double friction;
	} table[] = {
	    {"", 0.5},
	    {", \"set\": {\"friction\": 0.1}", 0.1},
	    {", \"set\": {\"friction\": 0.1}, \"settings\": {\"single-level\": {\"friction\": 0.3}}", 0.3},
	    {", \"settings\": {\"single-level\": {\"friction\": 0.3}}, \"parameters\": {\"friction\": [0.4]}", 0.4},
	    {", \"parameters\": {\"friction\": [0.4]}, \"joined\": {\"j\": {\"x\": {\"friction\": 0.6}}}", 0.6},
	    {", \"parameters\": {\"friction\": [0.4]}, \"random\": {\"friction\": {\"choice\": [0.7]}}", 0.7},
	};
	sweep_write("ball.json", sweep_scene_text);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char text[512];
		snprintf(text, sizeof text, "{\"abut_sweep\": 1, \"scenes\": [\"ball.json\"]%s}", table[i].members);
		sweep_write("grid.json", text);
		AbutSweep *sweep = sweep_load("grid.json");
		AbutSweepPoint point;
		AbutScene *scene = NULL;
		AbutError error;
		cr_assert_eq(abut_sweep_point_of_run(sweep, 0, &point, &error), ABUT_OK);
		cr_assert_eq(abut_sweep_point_scene(&point, &scene, &error), ABUT_OK, "%s", error.message);
		cr_expect_eq(abut_scene_def(scene)->friction, table[i].friction, "%s", table[i].members);
		abut_scene_destroy(scene);
		abut_sweep_point_free(&point);
		abut_sweep_destroy(sweep);
	}
}

/* Returns the values of a run: of the label on its axis, and of the method. */
Test(grid, a_point_has_the_values_of_its_labels)
{
	sweep_write("ball.json", sweep_scene_text);
	sweep_write("grid.json",
	            "{\"abut_sweep\": 1, \"scenes\": [\"ball.json\"], \"methods\": [\"single-level\", \"bilevel\"],\n"
	            " \"parameters\": {\"bodies.ball.mass\": [1, 0.1, 3e-7]}}");
	AbutSweep *sweep = sweep_load("grid.json");
	for (long run = 0; run < sweep->run_count; run++) {
		AbutSweepPoint point;
		AbutScene *scene = NULL;
		AbutError error;
		cr_assert_eq(abut_sweep_point_of_run(sweep, run, &point, &error), ABUT_OK);
		cr_assert_eq(abut_sweep_point_scene(&point, &scene, &error), ABUT_OK, "%s", error.message);
		const AbutSceneDef *def = abut_scene_def(scene);
		const int method = abut_sweep_coordinate(sweep, run, 1), mass = abut_sweep_coordinate(sweep, run, 2);
		cr_expect_str_eq(abut_method_name(def->solver.method), sweep->axes[1].values[method].label);
		cr_expect_eq(def->bodies[1].mass, strtod(sweep->axes[2].values[mass].label, NULL));
		abut_scene_destroy(scene);
		abut_sweep_point_free(&point);
	}
	abut_sweep_destroy(sweep);
}

/* Shares have equal size. Among every period-th item they are equal by chance, within five standard deviations. */
Test(grid, shares_are_even)
{
	enum { BLOCKS = 2000 };
	for (long n = 1; n <= 12; n++) {
		for (long period = 1; period <= 24; period++) {
			long count[12] = {0}, dear[12] = {0}, all = 0;
			for (long i = 0; i < n * BLOCKS; i++) {
				const long share = abut_sweep_share(i, n);
				cr_assert(share >= 0 && share < n);
				count[share]++;
				dear[share] += i % period == 0;
				all += i % period == 0;
			}
			for (long k = 0; k < n; k++) {
				const double expected = (double)all / (double)n;
				cr_expect_eq(count[k], BLOCKS);
				cr_expect_float_eq((double)dear[k], expected, 5.0 * sqrt(expected),
				                   "%ld of %ld, %ld: %ld", k, n, period, dear[k]);
			}
		}
	}
}
