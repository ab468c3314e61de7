/* Tests `abut experiment` as a command: the quick run of every experiment, and its files. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/study/experiment_object.h"
#include "effort.h"

TestSuite(experiment, .init = set_up, .fini = tear_down);

/* Returns the quick run of `name` as an object, which the caller deletes. `options` may change it. */
static cJSON *quick_with(const char *name, const char *options)
{
	static Call result;
	static const char *const files[] = {"report.html", "result.json"};
	char arguments[160], path[128];
	snprintf(arguments, sizeof arguments, "experiment %s --quick --json --threads 2 --out new/out %s", name,
	         options);
	call(&result, arguments);
	cr_assert_eq(result.status, 0, "%s: %s", name, result.err);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "new/out/%s", files[i]);
		cr_expect(exists(path), "%s: %s", name, path);
	}
	cJSON *object = parse_json(result.out);
	const cJSON *item;
	cr_expect_str_eq(cJSON_GetStringValue(member(object, "experiment")), name);
	cr_expect(cJSON_IsTrue(member(object, "quick")));
	cJSON_ArrayForEach(item, member(object, "targets"))
	{
		cr_expect_str_eq(cJSON_GetStringValue(member(item, "verdict")), "reported");
	}
	cJSON_ArrayForEach(item, member(object, "tables"))
	{
		snprintf(path, sizeof path, "new/out/%s.csv", cJSON_GetStringValue(member(item, "name")));
		cr_expect(exists(path), "%s: %s", name, path);
		cr_expect_gt(cJSON_GetArraySize(member(item, "rows")), 0, "%s: %s", name, path);
	}
	cJSON_ArrayForEach(item, member(object, "figures"))
	{
		snprintf(path, sizeof path, "new/out/%s.gp", cJSON_GetStringValue(member(item, "name")));
		cr_expect(exists(path), "%s: %s", name, path);
	}
	return object;
}

static cJSON *quick(const char *name)
{
	return quick_with(name, "");
}

/* The query's point jumps across the face, more suddenly for smaller kappa. That of a step moves gradually. */
Test(experiment, point_jump)
{
	cJSON *object = quick("point-jump");
	const cJSON *row;
	double query = INFINITY;
	int queries = 0, steps = 0;
	cJSON_ArrayForEach(row, rows_of(object, "curves"))
	{
		const char *curve = cJSON_GetStringValue(member(row, "curve"));
		const double turn = number(row, "turn_rad");
		if (strcmp(curve, "query alone, exact") == 0) {
			cr_expect_lt(turn, 1e-9, "%s: %g", curve, turn);
			query = INFINITY;
		} else if (strncmp(curve, "query", 5) == 0) {
			cr_expect_lt(turn, 0.1 * query, "%s: %g", curve, turn);
			query = turn;
			queries++;
		} else {
			cr_expect_gt(turn, 5e-4, "%s: %g", curve, turn);
			steps++;
		}
	}
	cr_expect_eq(queries, 6);
	cr_expect_eq(steps, 8);
	cJSON_ArrayForEach(row, rows_of(object, "solves"))
	{
		if (strcmp(cJSON_GetStringValue(member(row, "method")), "single-level") == 0) {
			cr_expect_eq(number(row, "solved"), number(row, "steps"));
		}
	}
	cJSON_Delete(object);
}

/* The normals of the configurations of two cubes: one face's, between two faces, between three. */
Test(experiment, contact_frames)
{
	static const struct {
		const char *name, *normal;
	} known[] = {{"overlap", "0.000 0.000 1.000"},
	             {"face on face", "0.000 0.000 1.000"},
	             {"vertex on face", "0.000 0.000 1.000"},
	             {"edge on edge", "0.707 0.000 0.707"},
	             {"vertex on vertex", "0.577 0.577 0.577"}};
	cJSON *object = quick("contact-frames");
	const cJSON *row, *rows = rows_of(object, "frames");
	size_t found = 0;
	cJSON_ArrayForEach(row, rows)
	{
		for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
			if (strcmp(cJSON_GetStringValue(member(row, "configuration")), known[i].name) == 0) {
				cr_expect_str_eq(cJSON_GetStringValue(member(row, "normal")), known[i].normal, "%s",
				                 known[i].name);
				found++;
			}
		}
	}
	cr_expect_eq(found, sizeof known / sizeof *known);
	const cJSON *table;
	cJSON_ArrayForEach(table, member(object, "tables"))
	{
		if (strcmp(cJSON_GetStringValue(member(table, "name")), "continuity") == 0) {
			const cJSON *notes = member(table, "notes");
			cr_assert_eq(cJSON_GetArraySize(notes), 1, "the samples tell at 1e-2, and not at 1e-4");
			cr_expect_not_null(strstr(cJSON_GetStringValue(cJSON_GetArrayItem(notes, 0)), "kappa 1e-04"));
		}
	}
	rows = rows_of(object, "continuity");
	for (int i = 1; i < cJSON_GetArraySize(rows); i++) {
		const cJSON *before = cJSON_GetArrayItem(rows, i - 1), *now = cJSON_GetArrayItem(rows, i);
		const char *frames = cJSON_GetStringValue(member(now, "frames"));
		if (strcmp(frames, cJSON_GetStringValue(member(before, "frames"))) != 0) {
			continue;
		}
		if (strcmp(frames, "exact") == 0) {
			cr_expect_gt(number(now, "normal_rad"), 0.9, "exact normals jump");
		} else if (strcmp(frames, "kappa 1e-02") == 0 && number(now, "samples") > 200.0) {
			cr_expect_lt(number(now, "normal_rad"), 0.3 * number(before, "normal_rad"));
			cr_expect_lt(number(now, "point_m"), 0.3 * number(before, "point_m"));
		}
	}
	cJSON_Delete(object);
}

/* All solvers take the same number of steps. The single-level ones need the same number of iterations, with any
 * algebra. */
Test(experiment, timing)
{
	cJSON *object = quick("timing");
	const cJSON *rows = rows_of(object, "times");
	cr_assert_eq(cJSON_GetArraySize(rows), 3 * 4);
	for (int i = 0; i < 3; i++) {
		const cJSON *condensed = cJSON_GetArrayItem(rows, 4 * i), *dense = cJSON_GetArrayItem(rows, 4 * i + 1);
		cr_expect_eq(number(condensed, "failed_steps"), 0.0);
		cr_expect_eq(number(condensed, "ratio"), 1.0);
		cr_expect_float_eq(number(condensed, "iterations_mean"), number(dense, "iterations_mean"), 0.05);
		for (int k = 0; k < 4; k++) {
			const cJSON *row = cJSON_GetArrayItem(rows, 4 * i + k);
			cr_expect_eq(number(row, "steps"), 1500.0);
			cr_expect_eq(number(row, "contact_steps"), number(condensed, "contact_steps"));
			cr_expect_gt(number(row, "us_mean"), 0.0);
		}
	}
	cJSON_Delete(object);
}

/* No run of the single-level method fails, and the table agrees with runs.csv. */
Test(experiment, face_to_face)
{
	static char text[1 << 20];
	char path[128];
	cJSON *object = quick("face-to-face");
	const cJSON *row;
	double runs = 0.0, failed = 0.0;
	cJSON_ArrayForEach(row, rows_of(object, "planar"))
	{
		runs += number(row, "runs");
		failed += number(row, "failed");
		if (strcmp(cJSON_GetStringValue(member(row, "solver")), "single-level") == 0) {
			cr_expect_eq(number(row, "failed"), 0.0);
		}
	}
	int spaces = 0;
	cJSON_ArrayForEach(row, rows_of(object, "space"))
	{
		const char *solver = cJSON_GetStringValue(member(row, "solver"));
		cr_expect_eq(number(row, "runs"), 12.0);
		cr_expect_eq(number(row, "refused"), 0.0, "%s", solver);
		if (strcmp(solver, "single-level; best") == 0) {
			cr_expect_eq(number(row, "failed"), 0.0);
			cr_expect_lt(number(row, "max_penetration"), 1e-9);
		}
		spaces++;
	}
	cr_expect_eq(spaces, 2 * 3 * 3);
	const cJSON *item;
	cJSON_ArrayForEach(item, member(object, "targets"))
	{
		const char *said = cJSON_GetStringValue(member(item, "text"));
		cr_expect_null(strstr(said, "nan"), "%s", said);
	}
	cJSON_Delete(object);
	snprintf(path, sizeof path, "%s/new/out/space_grid.csv", folder);
	read_file(path, text, sizeof text);
	cr_expect_eq(count_lines(text), 1 + 18 * 2 * 2);
	snprintf(path, sizeof path, "%s/new/out/planar/runs.csv", folder);
	read_file(path, text, sizeof text);
	cr_expect_eq(count_lines(text), 1 + (int)runs);
	int counted = 0;
	for (const char *c = text; (c = strstr(c, ",failed,")); c++) {
		counted++;
	}
	cr_expect_eq(counted, (int)failed);
}

/* The house stands for all of its 2 s, towers do not move, and the momentum of the planar stack is close to the
 * published one. */
Test(experiment, stacking)
{
	cJSON *object = quick("stacking");
	const cJSON *row;
	cJSON_ArrayForEach(row, rows_of(object, "towers"))
	{
		if (strncmp(cJSON_GetStringValue(member(row, "solver")), "single-level", 12) == 0) {
			cr_expect_eq(number(row, "failed"), 0.0);
		}
	}
	cJSON_ArrayForEach(row, rows_of(object, "house"))
	{
		cr_expect_eq(number(row, "failed"), 0.0);
		cr_expect_eq(number(row, "runs"), 8.0);
		cr_expect_float_eq(number(row, "stood_s"), 2.0, 1e-9);
	}
	static const struct {
		const char *name;
		double published[2][3]; /* at 10 and 100 Hz, kappa 1e-3, 1e-6 and 1e-10 */
	} planar[] = {{"linear_single_level", {{0.00091, 6.42e-07, 6.41e-11}, {0.0618, 1.03e-05, 1.02e-09}}},
	              {"angular_single_level", {{0.00111, 8.01e-07, 7.99e-11}, {0.00476, 8.47e-07, 7.99e-11}}}};
	static const char *const kappas[] = {"kappa_0.001", "kappa_1e-06", "kappa_1e-10"};
	for (size_t i = 0; i < sizeof planar / sizeof *planar; i++) {
		for (int rate = 0; rate < 2; rate++) {
			row = cJSON_GetArrayItem(rows_of(object, planar[i].name), rate);
			for (int k = 0; k < 3; k++) {
				const double here = strtod(cJSON_GetStringValue(member(row, kappas[k])), NULL);
				cr_expect_float_eq(here, planar[i].published[rate][k],
				                   0.5 * planar[i].published[rate][k], "%s, row %d, %s: %g",
				                   planar[i].name, rate, kappas[k], here);
			}
		}
	}
	cJSON_Delete(object);
}

/* Every peg goes in, at every clearance and rate, in space, in the plane and from above the rim. */
Test(experiment, peg_in_hole)
{
	cJSON *object = quick("peg-in-hole");
	const cJSON *row;
	cr_expect_eq(cJSON_GetArraySize(rows_of(object, "insertions")), 3 * (3 + 4 + 3));
	cJSON_ArrayForEach(row, rows_of(object, "insertions"))
	{
		cr_expect_eq(number(row, "failed_steps"), 0.0);
		cr_expect_eq(number(row, "inserted"), number(row, "runs"), "clearance %g, %g Hz",
		             number(row, "clearance"), number(row, "rate_hz"));
	}
	cJSON_Delete(object);
}

/* Short searches of plans of robots: no step fails, and the tables have the published plans. */
Test(experiment, robot_plans)
{
	static const struct {
		const char *name;
		int plans, published;
	} all[] = {{"hopper", 1, 2}, {"quadruped", 1, 1}, {"swing-up", 2, 0}};
	for (int i = 0; i < 3; i++) {
		cJSON *object = quick(all[i].name);
		const cJSON *row;
		int plans = 0, published = 0;
		cJSON_ArrayForEach(row, rows_of(object, "plans"))
		{
			const bool own = strcmp(cJSON_GetStringValue(member(row, "planner")), "Abut") == 0;
			plans += own;
			published += !own;
			cr_expect(!own || (number(row, "steps") > 0.0 && number(row, "differentiated") > 0.0 &&
			                   number(row, "unsolved") == 0.0));
		}
		cr_expect_eq(plans, all[i].plans, "%s: %d plans", all[i].name, plans);
		cr_expect_eq(published, all[i].published, "%s: %d published", all[i].name, published);
		cJSON_Delete(object);
	}
}

/* With the exact finish, mug and stick are at rest. Without it, bodies held by friction creep. */
Test(experiment, box_moves)
{
	cJSON *object = quick("box-moves");
	const cJSON *row;
	int solved = 0;
	cJSON_ArrayForEach(row, rows_of(object, "plans"))
	{
		if (strcmp(cJSON_GetStringValue(member(row, "planner")), "Abut") == 0 && number(row, "kappa") == 1.0) {
			cr_expect_str_eq(cJSON_GetStringValue(member(row, "result")), "solved");
			cr_expect_leq(number(row, "violation"), 3e-3);
			solved++;
		}
	}
	cr_expect_eq(solved, 2);
	cJSON_Delete(object);
}

Test(experiment, grasp)
{
	cJSON *object = quick("grasp");
	const cJSON *row = cJSON_GetArrayItem(rows_of(object, "plans"), 0);
	cr_assert_not_null(row);
	cr_expect_str_eq(cJSON_GetStringValue(member(row, "result")), "found");
	cr_expect_leq(number(row, "violation"), 5e-3);
	cJSON_Delete(object);
}

Test(experiment, mug)
{
	cJSON *object = quick("mug");
	const cJSON *row;
	cr_expect_eq(cJSON_GetArraySize(rows_of(object, "runs")), 12);
	cJSON_ArrayForEach(row, rows_of(object, "runs"))
	{
		const bool exact = strcmp(cJSON_GetStringValue(member(row, "finish")), "exact") == 0;
		const bool hangs = strcmp(cJSON_GetStringValue(member(row, "scene")), "hanging") == 0;
		const bool still = exact || (hangs && number(row, "kappa") <= 1e-8);
		cr_expect_eq(number(row, "failed_steps"), 0.0);
		cr_expect_lt(number(row, "creep_m_s"), still ? 1e-5 : 1e-2);
	}
	cJSON_Delete(object);
}

Test(experiment, convex_bundles)
{
	cJSON *object = quick("convex-bundles");
	const cJSON *row;
	cJSON_ArrayForEach(row, rows_of(object, "runs"))
	{
		const bool exact = strcmp(cJSON_GetStringValue(member(row, "finish")), "exact") == 0;
		cr_expect_eq(number(row, "failed_steps"), 0.0);
		cr_expect_lt(number(row, "max_penetration_m"), exact ? 1e-9 : 1e-4);
		cr_expect_lt(number(row, "energy_drift_j"), 0.0);
	}
	cJSON_Delete(object);
}

/* Randomised derivatives have noise, analytic ones do not. Those of the path tend to the exact ones as kappa falls. */
Test(experiment, smoothing)
{
	cJSON *object = quick("smoothing");
	const cJSON *row;
	double last = INFINITY;
	int on_path = 0;
	cJSON_ArrayForEach(row, rows_of(object, "estimates"))
	{
		const char *way = cJSON_GetStringValue(member(row, "way"));
		const bool random = strcmp(way, "values") == 0 || strcmp(way, "derivatives") == 0;
		cr_expect_eq(number(row, "noise") > 0.0, random, "%s: %g", way, number(row, "noise"));
		last = strcmp(way, "exact") == 0 ? (double)INFINITY : last;
		if (strcmp(way, "path") == 0) {
			cr_expect_lt(number(row, "off"), last);
			last = number(row, "off");
			on_path++;
		}
	}
	cr_expect_eq(on_path, 21);
	cJSON_Delete(object);
}

/* The fit reaches the required accuracy, and predicts tosses that were held back better than the guess does. */
Test(experiment, identification)
{
	cJSON *object = quick("identification");
	const cJSON *rows = rows_of(object, "fit"), *held = rows_of(object, "held_back");
	const cJSON *last = cJSON_GetArrayItem(rows, cJSON_GetArraySize(rows) - 1);
	cr_expect_lt(number(last, "friction_off"), 0.02);
	cr_expect_lt(number(last, "corner_off_m"), 2e-3);
	cr_expect_lt(number(cJSON_GetArrayItem(held, 1), "median_m"),
	             0.1 * number(cJSON_GetArrayItem(held, 0), "median_m"));
	cJSON_Delete(object);
}

Test(experiment, shape_optimisation)
{
	cJSON *object = quick("shape-optimisation");
	const cJSON *row;
	cJSON_ArrayForEach(row, rows_of(object, "sizes"))
	{
		cr_expect_lt(number(row, "off_m"), 1e-4, "%s", cJSON_GetStringValue(member(row, "size")));
	}
	cJSON_Delete(object);
}

/* Writes a spec of the towers alone: under sanitizers, the first impact of the rocks takes minutes. */
static void write_towers(const char *name)
{
	static char text[1 << 14];
	read_file(EXPERIMENTS "piles/quick.json", text, sizeof text);
	cJSON *spec = parse_json(text), *scenes = cJSON_GetObjectItem(spec, "scenes"), *scene;
	cJSON_DeleteItemFromArray(scenes, 0);
	cJSON_ArrayForEach(scene, scenes)
	{
		char path[256];
		snprintf(path, sizeof path, EXPERIMENTS "piles/%s", cJSON_GetStringValue(member(scene, "file")));
		cJSON_ReplaceItemInObject(scene, "file", cJSON_CreateString(path));
	}
	char *written = cJSON_PrintUnformatted(spec);
	write_file(name, written);
	cJSON_free(written);
	cJSON_Delete(spec);
}

/* What should stand stands, and what should fall falls. */
Test(experiment, piles)
{
	write_towers("towers.json");
	cJSON *object = TEST_EFFORT(4) < 4 ? quick_with("piles", "--spec towers.json") : quick("piles");
	const cJSON *item;
	cJSON_ArrayForEach(item, rows_of(object, "runs"))
	{
		cr_expect_eq(number(item, "failed_steps"), 0.0);
	}
	int towers = 0;
	cJSON_ArrayForEach(item, member(object, "targets"))
	{
		const char *said = cJSON_GetStringValue(member(item, "text"));
		towers += strstr(said, "and does;") != NULL;
		cr_expect_null(strstr(said, "does not"), "%s", said);
	}
	cr_expect_eq(towers, 3);
	cJSON_Delete(object);
}

/* With round cones a sliding box stays on its line, with pyramids it does not. */
Test(experiment, formulations)
{
	cJSON *object = quick("formulations");
	const cJSON *row;
	int rows = 0;
	cJSON_ArrayForEach(row, rows_of(object, "methods"))
	{
		const char *method = cJSON_GetStringValue(member(row, "method"));
		const double drift = number(row, "slide_drift_m");
		if (strcmp(method, "single-level") == 0 || strcmp(method, "point-ncp") == 0) {
			cr_expect_lt(drift, 1e-6, "%s: %g", method, drift);
		} else if (strstr(method, "pyramid") || strcmp(method, "lcp") == 0) {
			cr_expect_gt(drift, 0.01, "%s: %g", method, drift);
		}
		if (strcmp(method, "convex") == 0) {
			cr_expect_lt(number(row, "gradient_error"), 1e-6);
		}
		rows++;
	}
	cr_expect_eq(rows, 10);
	cJSON_Delete(object);
}

/* Closed forms: joints are closed, a sticking hinge does not move, gears turn at the rate of their inertia, and the
 * rate of precession converges to that of the steady top. */
Test(experiment, mechanisms)
{
	cJSON *object = quick("mechanisms");
	const cJSON *row;
	double precession[2] = {0.0, 0.0};
	int rows = 0;
	cJSON_ArrayForEach(row, rows_of(object, "mechanisms"))
	{
		const char *name = cJSON_GetStringValue(member(row, "mechanism"));
		cr_expect_eq(number(row, "failed"), 0.0, "%s", name);
		cr_expect_leq(number(row, "violation_m"), 1e-10, "%s", name);
		cr_expect_leq(number(row, "violation_rad"), 1e-10, "%s", name);
		if (strcmp(name, "friction") == 0) {
			cr_expect_leq(number(row, "drift"), 1e-9);
		} else if (strcmp(name, "floating") == 0) {
			cr_expect_leq(number(row, "momentum"), 1e-9);
		} else if (strcmp(name, "gyroscope") == 0) {
			precession[number(row, "timestep_s") > 0.003] = number(row, "drift");
		} else if (strcmp(name, "gear-train") == 0) {
			cr_expect_leq(number(row, "drift"), 1e-3);
		}
		rows++;
	}
	cr_expect_eq(rows, 20);
	cr_expect(precession[1] < 0.02 && precession[1] > 2.0 * precession[0], "%g, %g", precession[0], precession[1]);
	cJSON_Delete(object);
}

/* Checks the rows of Abut in a quick run: feet, limits and joints are exact, and no run is lost. Where not all steps
 * are exact, some stalled below 1e-7. */
static void expect_exact(const cJSON *object, const char *table)
{
	const cJSON *row;
	cJSON_ArrayForEach(row, rows_of(object, table))
	{
		const char *name = cJSON_GetStringValue(member(row, "robot"));
		if (strcmp(cJSON_GetStringValue(member(row, "engine")), "Abut") == 0) {
			const bool exact =
			    !cJSON_HasObjectItem(row, "exact_share") || number(row, "exact_share") == 1.0;
			cr_expect_leq(number(row, "penetration_m"), exact ? 1e-9 : 1e-6, "%s", name);
			cr_expect_leq(number(row, "limit"), 1e-9, "%s", name);
			cr_expect_leq(number(row, "joint_m"), 1e-9, "%s", name);
			cr_expect_leq(number(row, "joint_rad"), 1e-9, "%s", name);
			cr_expect_eq(number(row, "lost"), 0.0, "%s", name);
		}
	}
}

/* The settings that the experiment found keep within the bounds, which Abut, being exact, also does by far. */
static void expect_accurate(const cJSON *object, int robots)
{
	const cJSON *row;
	int n = 0;
	cJSON_ArrayForEach(row, rows_of(object, "accurate"))
	{
		const char *robot = cJSON_GetStringValue(member(row, "robot"));
		const bool is_abut = strcmp(cJSON_GetStringValue(member(row, "engine")), "Abut") == 0;
		n += is_abut;
		if (is_abut || cJSON_IsNumber(member(row, "us_per_s"))) {
			cr_expect_leq(number(row, "penetration_m"), is_abut ? 1e-6 : 1e-3, "%s", robot);
			cr_expect_leq(number(row, "limit"), is_abut ? 1e-9 : 0.1 * 3.1415927 / 180.0, "%s", robot);
			cr_expect_gt(number(row, "us_per_s"), 0.0, "%s", robot);
		}
	}
	cr_expect_eq(n, robots);
}

/* Without the robots of other projects, only our own run. The ant rests on balls of 0.08 m at the ends of four legs of
 * 0.4 sqrt(2) m, whose ankles its weight bends to their limits of 30 degrees. */
Test(experiment, robots)
{
	cJSON *object = quick("robots");
	const cJSON *row, *table;
	int rows = 0;
	expect_exact(object, "drops");
	expect_exact(object, "moves");
	cJSON_ArrayForEach(row, rows_of(object, "drops"))
	{
		const bool is_abut = strcmp(cJSON_GetStringValue(member(row, "engine")), "Abut") == 0;
		rows += is_abut;
		if (is_abut && strcmp(cJSON_GetStringValue(member(row, "robot")), "own-ant") == 0) {
			cr_expect_float_eq(number(row, "height_m"), 0.08 + 0.4 * sqrt(2.0) * 0.5, 1e-9, "%.12g",
			                   number(row, "height_m"));
		}
	}
	cr_expect_eq(rows, 12);
	expect_accurate(object, 3);
	table = cJSON_GetArrayItem(member(object, "tables"), 0);
	cr_expect_not_null(strstr(cJSON_GetStringValue(cJSON_GetArrayItem(member(table, "notes"), 0)), "--data DIR"));
	cJSON_Delete(object);
}

/* Atlas, dropped by 0.1 m, stands lower by 0.1 m at every timestep: its sagging joints take less than 1 cm. */
Test(experiment, robots_of_other_projects)
{
	static const char data[] = ABUT_SOURCE_DIR "/../shared/data";
	FILE *file = fopen(ABUT_SOURCE_DIR "/../shared/data/models/dojo_atlas/atlas_simple.urdf", "r");
	if (!file) {
		cr_skip_test("there are no models in ../shared/data");
	}
	fclose(file);
	char options[160];
	snprintf(options, sizeof options, "--data %s", data);
	cJSON *object = quick_with("robots", options);
	const cJSON *row;
	int atlas = 0, stable = 0;
	expect_exact(object, "drops");
	expect_exact(object, "moves");
	cJSON_ArrayForEach(row, rows_of(object, "drops"))
	{
		if (strcmp(cJSON_GetStringValue(member(row, "robot")), "Atlas") == 0 &&
		    strcmp(cJSON_GetStringValue(member(row, "engine")), "Abut") == 0) {
			cr_expect_float_eq(number(row, "height_m"), 1.151, 0.01);
			atlas++;
		}
	}
	cJSON_ArrayForEach(row, rows_of(object, "stable"))
	{
		if (strcmp(cJSON_GetStringValue(member(row, "engine")), "Abut") == 0) {
			cr_expect_eq(number(row, "largest_s"), 0.05, "%s", cJSON_GetStringValue(member(row, "robot")));
			stable++;
		}
	}
	cr_expect_eq(atlas, 4);
	cr_expect_eq(stable, 10);
	expect_accurate(object, 10);
	cJSON_Delete(object);
}

Test(experiment, data_without_robots_is_refused)
{
	static Call result;
	call(&result, "experiment robots --quick --out new/out --data new/none");
	cr_expect_eq(result.status, 2);
	cr_expect_not_null(strstr(result.err, "new/none has none of the robots"), "%s", result.err);
}
