/* Tests `abut grad --check`: what differences and extended precision decide, and what neither of them can decide. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cli/grad/grad_objects.h"

TestSuite(grad_check, .init = set_up, .fini = tear_down);

/* Returns the result of the check for a block. */
static const cJSON *said_of(const cJSON *object, const char *block)
{
	const cJSON *check = cJSON_GetObjectItemCaseSensitive(object, "check");
	const cJSON *said = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(check, "blocks"), block);
	cr_assert(cJSON_IsObject(said), "nothing is said of \"%s\"", block);
	return said;
}

static const char *verdict_of(const cJSON *object, const char *block)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(said_of(object, block), "verdict"));
}

static void expect_check(const char *arguments)
{
	static Call result;
	cJSON *object = object_of(&result, arguments);
	const cJSON *check = cJSON_GetObjectItemCaseSensitive(object, "check"), *verdict;
	cr_expect(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(check, "passed")), "%s", arguments);
	cJSON_ArrayForEach(verdict, cJSON_GetObjectItemCaseSensitive(check, "blocks"))
	{
		cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(verdict, "verdict")), "passed",
		                 "%s: %s", arguments, verdict->string);
		cr_expect_eq(number(verdict, "beyond"), 0.0);
	}
	cJSON_Delete(object);
}

Test(grad_check, passes_on_scenes)
{
	static const char *const scenes[] = {"cube_drop",      "stack_4",       "sphere_on_plane",
	                                     "capsule_on_box", "incline_above", "drop_cylinder"};
	static const char *const kappas[] = {"0", "1e-2", "1e-4", "1e-6"};
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
		for (size_t j = 0; j < sizeof kappas / sizeof *kappas; j++) {
			char arguments[200];
			snprintf(arguments, sizeof arguments,
			         "grad " SCENES
			         "%s.json --step 55 --wrt state,input --check --json --kappa-gradient %s",
			         scenes[i], kappas[j]);
			expect_check(arguments);
		}
	}
}

/* The box slides, and spins on its face. When edges were held too stiffly, the derivative was wrong by a fifth. */
Test(grad_check, passes_with_the_pyramid)
{
	static const char *const steps[] = {"45", "55", "60"};
	for (int i = 0; i < 3; i++) {
		char arguments[200];
		snprintf(arguments, sizeof arguments,
		         "grad " SCENES "cube_drop.json --step %s --wrt state,input --check --json "
		         "--set solver.friction_cone=pyramid",
		         steps[i]);
		expect_check(arguments);
	}
}

Test(grad_check, passes_on_parameters)
{
	expect_check("grad " SCENES "cube_drop.json --step 60 --check --json");
	expect_check("grad " SCENES "cube_drop.json --step 60 --check --json --kappa-gradient 1e-4");
}

/* Shipped robots on their feet, by state, input, masses and all parameters of joints and motors. */
Test(grad_check, passes_on_robots_with_method_lcp)
{
	expect_check("grad " SCENES "hopper.json --method lcp --step 60 --check --json");
	expect_check("grad " SCENES "quadruped.json --method lcp --step 60 --check --json");
}

/* Ten bodies. Once, a column of rounding only was used to judge whether all had converged. Also, a first correction was
 * small relative to a column that is small compared with its start. */
Test(grad_check, passes_on_parameters_of_a_pile)
{
	static const char wanted[] = "--wrt centre_of_mass,part_position --kappa-gradient 0 --check --json";
	static const char *const steps[] = {"56", "60"};
	for (int i = 0; i < 2; i++) {
		char arguments[200];
		snprintf(arguments, sizeof arguments, "grad " SCENES "pile_10.json --step %s %s", steps[i], wanted);
		expect_check(arguments);
	}
}

/* A cone on its side touches along a line: its rows are stiff across it, and as soft as kappa along it. */
Test(grad_check, passes_along_a_line_at_small_kappa)
{
	static Call result;
	static const char *const kappas[] = {"1e-6", "1e-9"};
	write_file("s.json",
	           "{\"abut\": 1, \"bodies\": [{\"name\": \"floor\", \"static\": true, \"shape\": "
	           "{\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}}, {\"name\": \"cone\", \"mass\": 1,"
	           " \"position\": [0, 0, 0.2], \"orientation\": [0.8, 0.6, 0, 0],"
	           " \"shape\": {\"type\": \"cone\", \"radius\": 0.2, \"height\": 0.4}}]}");
	for (int i = 0; i < 2; i++) {
		char arguments[120];
		snprintf(arguments, sizeof arguments, "grad s.json --check --json --step 120 --kappa-gradient %s",
		         kappas[i]);
		cJSON_Delete(object_of(&result, arguments));
	}
}

Test(grad_check, tells_the_worst_entry)
{
	static Call result;
	call(&result, "grad " SCENES "cube_drop.json --step 60 --wrt state --check --tolerance 1e-15");
	cr_expect(result.status == 0 || result.status == 1, "%s", result.err);
	call(&result, "grad " SCENES "drop_cone.json --step 60 --wrt state --check");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "state: worst at row 'cone "), "%s", result.out);
	cr_expect(strstr(result.out, "passed"), "%s", result.out);
}

/* A little higher, the ball flies on. Differences meet the floor, and the complex step does not differentiate by
 * parameters. */
Test(grad_check, leaves_corners_undecided)
{
	static Call result;
	write_file("s.json", two_balls);
	cJSON *object = object_of(&result, "grad s.json --check --json --wrt gravity " ABOVE_THE_FLOOR);
	const cJSON *gravity = said_of(object, "gravity");
	cr_expect_geq(number(gravity, "undecided"), 1.0);
	cr_expect_eq(number(gravity, "beyond"), 0.0);
	cr_expect_eq(number(gravity, "extended"), 0.0);
	const char *why = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(gravity, "undecided_because"));
	cr_expect(why && strstr(why, "only state and input"), "%s", why ? why : "null");
	cJSON_Delete(object);
}

/* With a changed radius of the ball, one side of every difference meets the floor. The block is undecided, and named,
 * which is no error; but the check is not passed. */
Test(grad_check, that_decides_nothing_does_not_pass)
{
	static Call result;
	write_file("s.json", two_balls);
	call(&result, "grad s.json --check --json --wrt mass,size " ABOVE_THE_FLOOR);
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.err, "does not decide size; these derivatives are neither confirmed nor wrong"), "%s",
	          result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *check = cJSON_GetObjectItemCaseSensitive(object, "check");
	static const char *const verdicts[][2] = {{"mass", "passed"}, {"size", "undecided"}};
	cr_expect(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(check, "passed")));
	for (int i = 0; i < 2; i++) {
		cr_expect_str_eq(verdict_of(object, verdicts[i][0]), verdicts[i][1]);
		cr_expect_eq(number(said_of(object, verdicts[i][0]), "beyond"), 0.0);
	}
	cJSON_Delete(object);
}

/* A box spins in place and is pushed. With a torsional radius of 0, its push makes it creep too. */
Test(grad_check, friction_that_begins)
{
	static Call result;
	static const char spinning[] =
	    "{\"abut\": 1, \"bodies\": [{\"name\": \"floor\", \"static\": true, \"shape\": "
	    "{\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}},"
	    " {\"name\": \"box\", \"mass\": 1, \"position\": [0, 0, 0.1], \"angular_velocity\": [0, 0, 2],"
	    "  \"input\": {\"force\": [1, 0.3, 0]}, \"shape\": {\"type\": \"box\", "
	    "\"half_extents\": [0.2, 0.15, 0.1]}}],"
	    " \"contacts\": [{\"pair\": [\"floor\", \"box\"], \"friction\": 0.5, \"torsional_radius\": 0}]}";
	static const char *const calls[] = {"", "--set solver.friction_cone=pyramid", "--set contacts[0].friction=0",
	                                    "--set contacts[0].friction=0 --set contacts[0].torsional_radius=0.1"};
	write_file("s.json", spinning);
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		char arguments[200];
		snprintf(arguments, sizeof arguments,
		         "grad s.json --check --json --step 2 --wrt friction,torsional_radius %s", calls[i]);
		cJSON_Delete(object_of(&result, arguments));
	}
	/* on the path friction begins with the square over kappa; differences cannot tell a small one */
	static const struct {
		const char *kappa, *verdict;
	} paths[] = {{"1e-2", "passed"}, {"1e-4", "passed"}, {"1e-9", "undecided"}};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		char arguments[200];
		snprintf(arguments, sizeof arguments,
		         "grad s.json --check --json --step 2 --wrt friction --set contacts[0].friction=0 "
		         "--kappa-gradient %s",
		         paths[i].kappa);
		call(&result, arguments);
		cr_expect_eq(result.status, 0);
		cJSON *object = parse_json(result.out);
		cr_expect_str_eq(verdict_of(object, "friction"), paths[i].verdict, "kappa %s", paths[i].kappa);
		cJSON_Delete(object);
	}
}

/* A box is just above the floor, without load. Rotated either way, differences meet the floor at an edge, and agree. */
Test(grad_check, asks_twice_before_it_fails)
{
	static Call result;
	cJSON *object =
	    object_of(&result, "grad " SCENES "drop_box.json --check --json --wrt state --set gravity=[0,0,0] --set "
	                       "bodies[1].shape.half_extents=[0.2,0.15,0.1] --set bodies[1].position=[0,0,0.100000001] "
	                       "--set bodies[1].orientation=[1,0,0,0] --set bodies[1].linear_velocity=[0,0,0] --set "
	                       "bodies[1].angular_velocity=[0,0,0]");
	const cJSON *state = said_of(object, "state");
	cr_expect_geq(number(state, "extended"), 1.0);
	cr_expect_eq(number(state, "beyond"), 0.0);
	cr_expect_eq(number(state, "undecided"), 0.0);
	cJSON_Delete(object);
}

/* Friction does not affect a ball in flight, but a unit of it could. Both measures are reported. */
Test(grad_check, tells_both_measures)
{
	static Call result;
	write_file("s.json", two_balls);
	cJSON *object = object_of(&result, "grad s.json --check --json --wrt state,friction");
	const cJSON *state = said_of(object, "state"), *friction = said_of(object, "friction");
	cr_expect_eq(number(state, "largest"), number(state, "scale"));
	cr_expect_lt(number(friction, "largest"), 1e-9);
	cr_expect_gt(number(friction, "scale"), 1e-3);
	cJSON_Delete(object);
	call(&result, "grad s.json --check --wrt friction");
	cr_expect(strstr(result.out, "relative to the effect of one unit on a body in flight"), "%s", result.out);
}

/* Higher by 1e-8, the ball flies on. Differences meet the floor, the complex step does not. */
Test(grad_check, decides_beside_a_corner)
{
	static Call result;
	write_file("s.json", two_balls);
	cJSON *object = object_of(&result, "grad s.json --check --json --wrt state " ABOVE_THE_FLOOR);
	const cJSON *state = said_of(object, "state");
	cr_expect_geq(number(state, "extended"), 2.0);
	cr_expect_eq(number(state, "undecided"), 0.0);
	cr_expect_eq(number(state, "beyond"), 0.0);
	cJSON_Delete(object);
}

/* The requested accuracy is higher than differences can check. */
Test(grad_check, says_what_extended_precision_cannot_take)
{
	static const char *const table[][2] = {
	    {"drop_superellipsoid.json --step 55", "a shape is given by functions"},
	    {"drop_box.json --step 1 --set timestep=0.05 --set bodies[1].angular_velocity=[60,3,0]",
	     "the step was taken in parts"}};
	static Call result;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char arguments[256];
		snprintf(arguments, sizeof arguments, "grad " SCENES "%s --wrt state --check --tolerance 1e-12",
		         table[i][0]);
		call(&result, arguments);
		cr_expect(strstr(result.out, table[i][1]), "%s: %s%s", arguments, result.out, result.err);
	}
}

/* The derivative is known to about 1e-10. If the requested accuracy is higher than differences can check, extended
 * precision finds the error. */
Test(grad_check, finds_what_is_off_in_extended_precision)
{
	static Call result;
	call(&result, "grad " SCENES "cube_drop.json --step 60 --wrt state --check --tolerance 1e-14 --json");
	cr_assert_eq(result.status, 1, "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *state = said_of(object, "state");
	cr_expect_str_eq(verdict_of(object, "state"), "failed");
	cr_expect_gt(number(state, "beyond"), 0.0);
	cr_expect(cJSON_IsTrue(
	    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(state, "worst"), "extended")));
	cJSON_Delete(object);
}

/* Three links with all kinds of motors and laws. */
static const char arm[] =
    "{ \"abut\": 1, \"name\": \"arm\", \"timestep\": 0.01, \"duration\": 1, "
    "\"shapes\": { \"link\": { \"type\": \"box\", \"half_extents\": [0.25, 0.05, 0.04] } }, "
    "\"bodies\": [ "
    "{ \"name\": \"a\", \"mass\": 1, \"shape\": \"link\", \"position\": [0.25, 0, 3], \"angular_velocity\": [0,1,0] }, "
    "{ \"name\": \"b\", \"mass\": 1, \"shape\": \"link\", \"position\": [0.75, 0, 3] }, "
    "{ \"name\": \"c\", \"mass\": 1, \"shape\": \"link\", \"position\": [1.25, 0, 3] } ], "
    "\"joints\": [ "
    "{ \"name\": \"j1\", \"type\": \"hinge\", \"parent\": \"world\", \"child\": \"a\", \"anchor\": [0, 0, 3], "
    "\"axis\": [0, 1, 0], \"stiffness\": 3, \"damping\": 0.1, \"friction\": 0.2, \"armature\": 0.02, "
    "\"motor\": {\"type\": \"position\", \"stiffness\": 30, \"damping\": 1, \"limit\": 5, \"target\": 0.1} }, "
    "{ \"name\": \"j2\", \"type\": \"universal\", \"parent\": \"a\", \"child\": \"b\", \"anchor\": [0.5, 0, 3], "
    "\"axis\": [0, 0, 1], \"limits\": [[-0.3, 0.1], [-2,2]], \"armature\": [0.01, 0.02], \"stiffness\": [2,0], "
    "\"motor\": [{\"type\": \"force\", \"target\": 0.5}, {\"type\": \"velocity\", \"damping\": 2, \"target\": 0.3}] }, "
    "{ \"name\": \"j3\", \"type\": \"cylindrical\", \"parent\": \"b\", \"child\": \"c\", \"anchor\": [1, 0, 3], "
    "\"axis\": [1, 0, 0], \"stiffness\": [50, 1], \"armature\": [0.1, 0.1], \"friction\": [0, 0.3] } ], "
    "\"contacts\": [] } ";

/* All blocks that joints have, also where springs and rotors remember the step before: to 1e-7 of differences. */
Test(grad_check, passes_with_joints_and_motors)
{
	static const char *const steps[] = {"0", "1", "20", "60"}, *const ways[] = {"0", "1e-4",
	                                                                            "1e-4 --method point-ncp"};
	write_file("arm.json", arm);
	for (int i = 0; i < 12; i++) {
		static Call result;
		char arguments[400];
		const cJSON *said;
		snprintf(arguments, sizeof arguments,
		         "grad arm.json --wrt state,input,mass,inertia,gravity,motor,motor_stiffness,motor_damping,"
		         "motor_limit,joint_reference,joint_stiffness,joint_damping,joint_friction,joint_armature,"
		         "joint_lower,joint_upper --check --tolerance 1e-6 --json --step %s --kappa-gradient %s",
		         steps[i / 3], ways[i % 3]);
		cJSON *object = object_of(&result, arguments);
		const cJSON *check = cJSON_GetObjectItemCaseSensitive(object, "check");
		cr_expect(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(check, "passed")), "%s", arguments);
		cJSON_ArrayForEach(said, cJSON_GetObjectItemCaseSensitive(check, "blocks"))
		{
			const cJSON *worst = cJSON_GetObjectItemCaseSensitive(said, "worst");
			cr_expect_leq(number(worst, "relative"), 1e-7, "%s: %s", arguments, said->string);
		}
		cJSON_Delete(object);
	}
}

/* Balls remember spins of the step before, not changes of their coordinates. */
Test(grad_check, passes_with_balls_after_the_first_step)
{
	static const char balls[] =
	    "{ \"abut\": 1, \"name\": \"balls\", \"timestep\": 0.01, \"duration\": 1, "
	    "\"shapes\": { \"link\": { \"type\": \"box\", \"half_extents\": [0.04, 0.05, 0.2] } }, "
	    "\"bodies\": [ { \"name\": \"a\", \"mass\": 2, \"shape\": \"link\", \"position\": [0, 0, 0.8] }, "
	    "{ \"name\": \"b\", \"mass\": 1, \"shape\": \"link\", \"position\": [0, 0, 0.4] } ], "
	    "\"joints\": [ "
	    "{ \"name\": \"j1\", \"type\": \"ball\", \"parent\": \"world\", \"child\": \"a\", \"anchor\": [0, 0, 1], "
	    "\"motor\": {\"type\": \"force\", \"target\": [0.1, 0.2, 0.3]} }, "
	    "{ \"name\": \"j2\", \"type\": \"ball\", \"parent\": \"a\", \"child\": \"b\", \"anchor\": [0, 0, 0.6], "
	    "\"stiffness\": 5, \"damping\": 0.1, \"armature\": 0.02, "
	    "\"motor\": {\"type\": \"position\", \"stiffness\": 30, \"damping\": 1, \"target\": [0.1, 0.2, 0.3]} } ], "
	    "\"initial\": { \"joints\": {\"j1\": [0.3, 0.2, 0.1]}, \"joint_velocities\": {\"j1\": [1, 0, 0]} }, "
	    "\"contacts\": [] } ";
	write_file("balls.json", balls);
	expect_check("grad balls.json --wrt state,input,motor --check "
	             "--tolerance 1e-6 --json --step 5");
}

/* Without --wrt, blocks that no step with joints has are named on stderr and in the object, and are no failure. */
Test(grad_check, of_joints_without_names_leaves_out_what_joints_bar)
{
	static Call result;
	static const char *const ways[] = {"0", "1e-4"};
	write_file("arm.json", arm);
	for (int i = 0; i < 2; i++) {
		char arguments[128];
		snprintf(arguments, sizeof arguments, "grad arm.json --check --json --kappa-gradient %s", ways[i]);
		call(&result, arguments);
		cr_assert_eq(result.status, 0, "%s", result.err);
		cr_expect(
		    strstr(result.err, "steps with joints have no derivative by timestep, centre_of_mass; left out"),
		    "%s", result.err);
		cJSON *object = parse_json(result.out);
		const cJSON *missing = cJSON_GetObjectItemCaseSensitive(object, "missing");
		cr_expect_eq(cJSON_GetArraySize(missing), 2);
		cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(missing, 0)), "timestep");
		cJSON_Delete(object);
	}
	call(&result, "grad arm.json --wrt timestep,mass");
	cr_expect_eq(result.status, 1);
	cr_expect(strstr(result.err, "no derivative by timestep: 'j1' is a joint; derivatives by timestep are "
	                             "implemented only without joints; --wrt mass has one"),
	          "%s", result.err);
}
