/* Tests specs: what is read, and the places in errors. */
#include "abut/scene.h"
#include "experiments/sweep/load.h"
#include "experiments/sweep/spec_parts.h"
#include "sweep/sweep_folder.h"

TestSuite(spec, .init = sweep_set_up, .fini = sweep_tear_down);

static const char whole[] =
    "{\"abut_sweep\": 1, \"name\": \"all\",\n"
    " \"scenes\": [\"ball.json\",\n"
    "  {\"file\": \"ball.json\", \"name\": \"heavy\", \"set\": {\"bodies.ball.mass\": 9}}],\n"
    " \"methods\": [\"single-level\", \"bilevel\"],\n"
    " \"set\": {\"duration\": 0.1},\n"
    " \"settings\": {\"bilevel\": {\"solver.max_iterations\": 40}},\n"
    " \"parameters\": {\"solver.kappa\": [1e-4, 1e-6, 0.00000001]},\n"
    " \"joined\": {\"rate\": {\"slow\": {\"timestep\": 0.05}, \"fast\": {\"timestep\": 0.01}}},\n"
    " \"random\": {\"bodies.ball.position[0]\": {\"uniform\": [-1, 1]}},\n"
    " \"seeds\": {\"first\": 7, \"count\": 5}}\n";

Test(spec, axes_in_order)
{
	static const char *const names[] = {"scene", "method", "solver.kappa", "rate"};
	static const int sizes[] = {2, 2, 3, 2};
	static const char *const last[] = {"heavy", "bilevel", "1e-08", "fast"};
	sweep_write("ball.json", sweep_scene_text);
	sweep_write("all.json", whole);
	AbutSweep *sweep = sweep_load("all.json");
	cr_expect_str_eq(sweep->name, "all");
	cr_expect_eq(sweep->run_count, 2 * 2 * 3 * 2 * 5);
	cr_expect_eq(sweep->first_seed, 7);
	cr_expect_eq(sweep->seed_count, 5);
	cr_assert_eq(sweep->n_axes, 4);
	for (int i = 0; i < 4; i++) {
		cr_expect_str_eq(sweep->axes[i].name, names[i]);
		cr_expect_eq(sweep->axes[i].count, sizes[i]);
		cr_expect_str_eq(sweep->axes[i].values[sizes[i] - 1].label, last[i]);
	}
	cr_expect_str_eq(sweep->axes[0].values[0].label, "ball");
	abut_sweep_destroy(sweep);
}

/* The digest changes with everything that decides the results, but not with the layout of the file. */
Test(spec, digest)
{
	char text[sizeof whole + 64], first[ABUT_SWEEP_DIGEST_SIZE];
	sweep_write("ball.json", sweep_scene_text);
	sweep_write("all.json", whole);
	AbutSweep *sweep = sweep_load("all.json");
	strcpy(first, sweep->digest);
	abut_sweep_destroy(sweep);
	cr_expect_eq(strlen(first), 16);

	snprintf(text, sizeof text, "\n\n  %s\n", whole);
	sweep_write("all.json", text);
	sweep = sweep_load("all.json");
	cr_expect_str_eq(sweep->digest, first, "layout");
	abut_sweep_destroy(sweep);

	const unsigned long long seed = 8;
	AbutError error;
	cr_assert_eq(abut_sweep_load(sweep_path("all.json"), &seed, &sweep, &error), ABUT_OK);
	cr_expect_eq(sweep->first_seed, 8);
	cr_expect_str_neq(sweep->digest, first, "seed");
	abut_sweep_destroy(sweep);

	strcpy(text, whole);
	memcpy(strstr(text, "1e-4"), "2e-4", 4);
	sweep_write("all.json", text);
	sweep = sweep_load("all.json");
	cr_expect_str_neq(sweep->digest, first, "spec");
	abut_sweep_destroy(sweep);

	snprintf(text, sizeof text, "%s ", sweep_scene_text);
	sweep_write("ball.json", text);
	sweep_write("all.json", whole);
	sweep = sweep_load("all.json");
	cr_expect_str_neq(sweep->digest, first, "scene");
	abut_sweep_destroy(sweep);
}

/* Each entry replaces a text of the spec above by another. */
Test(spec, errors_name_the_place)
{
	static const struct {
		const char *from, *to, *where, *message;
		int line;
	} table[] = {
	    {"\"methods\"", "\"method\"", "method", "did you mean \"methods\"?", 4},
	    {"\"abut_sweep\": 1", "\"abut_sweep\": 2", "abut_sweep", "must be 1", 1},
	    {"{\"abut_sweep\": 1", "{\"nam\": 1", "nam", "did you mean \"name\"?", 1},
	    {"[\"ball.json\"", "[\"bull.json\"", "scenes[0]", "bull.json: cannot open the scene", 2},
	    {"\"heavy\"", "\"ball\"", "scenes[1]", "is there twice on the axis \"scene\"", 3},
	    {"\"file\"", "\"fil\"", "scenes[1].fil", "did you mean \"file\"?", 3},
	    {"bodies.ball.mass", "bodies.bull.mass", "scenes[1].set[\"bodies.bull.mass\"]", "no body has the name", 3},
	    {"ball.mass\": 9", "ball.mass\": -9", "scenes[1].set[\"bodies.ball.mass\"]", "must be a positive", 3},
	    {"\"bilevel\"]", "\"biilevel\"]", "methods[1]", "did you mean \"bilevel\"?", 4},
	    {"\"bilevel\"]", "\"single-level\"]", "methods[1]", "is there twice on the axis \"method\"", 4},
	    {"\"duration\": 0.1", "\"duration\": \"x\"", "set.duration", "is the string \"x\"", 5},
	    {"\"duration\": 0.1", "\"a..b\": 0.1", "set[\"a..b\"]", "the path is malformed", 5},
	    {"\"duration\": 0.1", "\"solver.method\": \"bilevel\"", "set[\"solver.method\"]", "the key \"methods\"", 5},
	    {"\"duration\": 0.1", "\"solver\": {}", "set.solver", "this is an object", 5},
	    {"{\"bilevel\": {", "{\"bileval\": {", "settings.bileval", "did you mean \"bilevel\"?", 6},
	    {"max_iterations\": 40", "max_iteration\": 40", "settings.bilevel[\"solver.max_iteration\"]",
	     "did you mean \"max_iterations\"?", 6},
	    {"[1e-4, 1e-6, 0.00000001]", "1e-4", "parameters[\"solver.kappa\"]", "a list of at least one value", 7},
	    {"[1e-4, 1e-6, 0.00000001]", "[]", "parameters[\"solver.kappa\"]", "a list of at least one value", 7},
	    {"1e-6, 0.00000001", "0.0001, 1", "parameters[\"solver.kappa\"][1]", "is there twice on the axis", 7},
	    {"0.00000001", "7", "parameters[\"solver.kappa\"][2]", "a number from 1e-12 to 1", 7},
	    {"\"rate\"", "\"seed\"", "joined.seed", "name of a column", 8},
	    {"\"rate\"", "\"method\"", "joined.method", "an axis of this name already", 8},
	    {"\"fast\"", "\"slow\"", "joined.rate.slow", "this key occurs twice", 8},
	    {"0.01}", "0.0x}", "joined.rate.fast", "'x' where a comma", 8},
	    {"[-1, 1]", "[1, -1]", "random[\"bodies.ball.position[0]\"].uniform", "the lower bound 1 must not exceed",
	     9},
	    {"[-1, 1]", "[-1, 1, 2]", "random[\"bodies.ball.position[0]\"].uniform", "two numbers", 9},
	    {"[-1, 1]", "[[-1, 0], 1]", "random[\"bodies.ball.position[0]\"].uniform", "two numbers", 9},
	    {"\"uniform\"", "\"unifrom\"", "random[\"bodies.ball.position[0]\"].unifrom", "did you mean \"uniform\"?",
	     9},
	    {"{\"uniform\": [-1, 1]}", "{\"normal\": [0, -1]}", "random[\"bodies.ball.position[0]\"].normal",
	     "deviation is -1, must be at least 0", 9},
	    {"{\"uniform\": [-1, 1]}", "{\"log_uniform\": [0, 1]}", "random[\"bodies.ball.position[0]\"].log_uniform",
	     "must be positive", 9},
	    {"{\"uniform\": [-1, 1]}", "{\"rotation\": \"any\"}", "random[\"bodies.ball.position[0]\"].rotation",
	     "one of uniform", 9},
	    {"{\"uniform\": [-1, 1]}", "{\"about\": [0, 0, 1]}", "random[\"bodies.ball.position[0]\"].uniform",
	     "missing", 9},
	    {"{\"uniform\": [-1, 1]}", "{\"uniform\": [0, 1], \"normal\": [0, 1]}",
	     "random[\"bodies.ball.position[0]\"]", "must be one of", 9},
	    {"ball.position[0]\"", "ball.position[3]\"", "random[\"bodies.ball.position[3]\"]", "elements [0] to [2]",
	     9},
	    {"\"fast\"", "\"f\\nst\"", "joined.rate[\"f?st\"]", "must not contain control characters", 8},
	    {"\"first\": 7", "\"first\": 0.5", "seeds.first", "an integer from 0", 10},
	    {"\"first\": 7", "\"first\": 7e33", "seeds.first", "an integer from 0", 10},
	    {"\"count\": 5", "\"count\": 0", "seeds.count", "an integer from 1", 10},
	    {"\"count\": 5", "\"count\": 10000000", "", "the grid has 2.4e+08 runs", 1},
	};
	sweep_write("ball.json", sweep_scene_text);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char text[sizeof whole + 256];
		const char *at = strstr(whole, table[i].from);
		cr_assert_not_null(at, "%s", table[i].from);
		snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, table[i].to,
		         at + strlen(table[i].from));
		sweep_write("bad.json", text);
		AbutSweep *sweep = NULL;
		AbutError error = {0};
		const AbutStatus status = abut_sweep_load(sweep_path("bad.json"), NULL, &sweep, &error);
		cr_expect_neq(status, ABUT_OK, "%s", table[i].to);
		cr_expect_null(sweep);
		cr_expect_eq(error.status, status);
		cr_expect_str_eq(error.file, sweep_path("bad.json"), "%s: %s", table[i].to, error.file);
		cr_expect_str_eq(error.where, table[i].where, "%s: %s", table[i].to, error.where);
		cr_expect(strstr(error.message, table[i].message), "%s: %s", table[i].to, error.message);
		cr_expect_eq(error.line, table[i].line, "%s: line %d", table[i].to, error.line);
	}
}

/* The error of a wrong scene names the scene and the place in it. */
Test(spec, errors_of_a_scene)
{
	sweep_write_scene("ball.json", "\"mass\"", "\"mess\"");
	sweep_write("all.json", "{\"abut_sweep\": 1, \"scenes\": [\"ball.json\"]}");
	AbutSweep *sweep = NULL;
	AbutError error = {0};
	cr_expect_eq(abut_sweep_load(sweep_path("all.json"), NULL, &sweep, &error), ABUT_ERROR_PARSE);
	cr_expect_str_eq(error.file, sweep_path("ball.json"));
	cr_expect_str_eq(error.where, "bodies[1].mess");
	cr_expect_eq(error.line, 4);
}

static void expect_refused(const char *spec, const char *where, const char *message)
{
	AbutSweep *sweep = NULL;
	AbutError error = {0};
	sweep_write("bad.json", spec);
	cr_expect_neq(abut_sweep_load(sweep_path("bad.json"), NULL, &sweep, &error), ABUT_OK, "%s", spec);
	cr_expect_null(sweep);
	cr_expect_str_eq(error.file, sweep_path("bad.json"), "%s: %s", spec, error.file);
	cr_expect_str_eq(error.where, where, "%s: %s", spec, error.where);
	cr_expect(strstr(error.message, message), "%s: %s", spec, error.message);
}

/* A setting that one scene accepts and another refuses, in either order of the scenes. */
Test(spec, errors_of_any_scene)
{
	static const char *const orders[] = {"\"box.json\", \"cone.json\"", "\"cone.json\", \"box.json\""};
	char spec[512];
	sweep_write("cone.json", sweep_scene_text);
	sweep_write_scene("box.json", "\"ball\"", "\"box\"");
	for (int i = 0; i < 2; i++) {
		snprintf(spec, sizeof spec,
		         "{\"abut_sweep\": 1, \"scenes\": [%s],\n"
		         " \"joined\": {\"x\": {\"a\": {}, \"b\": {\"bodies.box.friction\": 0.1}}}}",
		         orders[i]);
		expect_refused(spec, "joined.x.b[\"bodies.box.friction\"]", "no body has the name");
	}
}

/* An unknown method or key, perhaps of a later version, is no error of the spec. Only its runs are refused, each by
 * itself. */
Test(spec, later_methods_are_no_error)
{
	sweep_write("ball.json", sweep_scene_text);
	sweep_write("all.json", "{\"abut_sweep\": 1, \"scenes\": [\"ball.json\"], \"methods\": [\"convex\"]}");
	abut_sweep_destroy(sweep_load("all.json"));
}
