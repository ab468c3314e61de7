/* Tests `abut grad` as a command: its object, its table, and what it refuses. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "abut/parameter.h"
#include "cli/grad/grad_objects.h"

TestSuite(grad, .init = set_up, .fini = tear_down);

static const double dt = 0.01, mass = 2.0, inertia = 0.4, force = 3.0;

/* There are as many numbers as stated, none of them null. */
static void expect_shape(const cJSON *object, const char *name, int rows, int columns)
{
	const cJSON *block = block_of(object, name), *data = cJSON_GetObjectItemCaseSensitive(block, "data"), *row;
	cr_expect_eq(number(block, "rows"), rows, "%s", name);
	cr_expect_eq(number(block, "cols"), columns, "%s", name);
	cr_expect_eq(cJSON_GetArraySize(data), rows, "%s", name);
	cJSON_ArrayForEach(row, data)
	{
		const cJSON *item;
		cr_expect_eq(cJSON_GetArraySize(row), columns, "%s", name);
		cJSON_ArrayForEach(item, row)
		{
			cr_expect(cJSON_IsNumber(item), "%s", name);
		}
	}
}

/* Returns an entry of the derivative in flight: dx+ = dx + dt dv+, dv+ = dv + dt df / m; without spin, phi+ = phi + dt
 * dw+, dw+ = dw + dt dtau / J. */
static double flight(int row, int column)
{
	const int axis = column % 3, kind = column / 3;
	static const double to_velocity[6][2] = {{0, 0}, {0, 0}, {1, 0}, {0, 1}, {1, 0}, {0, 1}};
	const double by[2] = {kind == 4 ? dt / mass : 1.0, kind == 5 ? dt / inertia : 1.0};
	if (row % 3 != axis) {
		return 0.0;
	}
	const bool turning = row / 3 % 2 == 1;
	const double velocity = to_velocity[kind][turning] * by[turning];
	if (row >= 6) {
		return velocity;
	}
	return (kind == (turning ? 1 : 0) ? 1.0 : 0.0) + dt * velocity;
}

Test(grad, of_a_body_in_flight)
{
	static Call result;
	write_file("s.json", two_balls);
	cJSON *object = object_of(&result, "grad s.json --json");
	const cJSON *state = block_of(object, "state"), *input = block_of(object, "input"),
	            *by_mass = block_of(object, "mass"), *next = cJSON_GetObjectItemCaseSensitive(object, "state_next");
	expect_shape(object, "state", 24, 24);
	expect_shape(object, "input", 24, 12);
	expect_shape(object, "mass", 24, 2);
	for (int kind = 0; kind < ABUT_PARAMETER_MOTOR; kind++) {
		const char *name = abut_parameter_kind_name((AbutParameterKind)kind);
		const cJSON *block = block_of(object, name);
		const int columns = (int)number(block, "cols");
		expect_shape(object, name, 24, columns);
		cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(block, "columns")), columns);
	}
	for (int row = 0; row < 24; row++) {
		for (int column = 0; column < 18; column++) {
			const double expected = row < 12 ? flight(row, column) : 0.0;
			const double found =
			    column < 12 ? entry_of(state, row, column) : entry_of(input, row, column - 12);
			cr_expect_float_eq(found, expected, 1e-12, "row %d, column %d: %g, not %g", row, column, found,
			                   expected);
		}
		const double push = row == 6 ? -dt * force / (mass * mass) : 0.0;
		cr_expect_float_eq(entry_of(by_mass, row, 0), row == 0 ? dt * -dt * force / (mass * mass) : push,
		                   1e-12);
	}
	cr_assert_eq(cJSON_GetArraySize(next), 26);
	const double z = 5.0 - dt * dt * 9.81,
	             values[] = {dt * dt * force / mass, 0, z, 1, 0, 0, 0, dt * force / mass, 0, -dt * 9.81};
	for (int i = 0; i < 10; i++) {
		cr_expect_float_eq(cJSON_GetArrayItem(next, i)->valuedouble, values[i], 1e-12, "%d", i);
	}
	cr_expect_eq(number(object, "step"), 0.0);
	cr_expect_eq(number(object, "kappa"), 0.0);
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "outcome")), "exact");
	cJSON_Delete(object);
}

/* The state after the step equals that of a run with as many steps. */
Test(grad, step_goes_on_first)
{
	static Call result;
	static const char *const names[] = {"px", "py", "pz", "qw", "qx", "qy", "qz",
	                                    "vx", "vy", "vz", "wx", "wy", "wz"};
	cJSON *object = object_of(&result, "grad " SCENES "cube_drop.json --step 49 --wrt input --json");
	cJSON *run = object_of(&result, "run " SCENES "cube_drop.json --set duration=0.5 --json");
	const cJSON *next = cJSON_GetObjectItemCaseSensitive(object, "state_next");
	const cJSON *last = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(run, "final_state"), 1);
	cr_expect_eq(number(object, "step"), 49.0);
	cr_assert_eq(cJSON_GetArraySize(next), 13);
	for (int i = 0; i < 13; i++) {
		cr_expect_eq(cJSON_GetArrayItem(next, i)->valuedouble, number(last, names[i]), "%s", names[i]);
	}
	const cJSON *blocks = cJSON_GetObjectItemCaseSensitive(object, "blocks");
	cr_expect_eq(cJSON_GetArraySize(blocks), 1);
	expect_shape(object, "input", 12, 6);
	cJSON_Delete(run);
	cJSON_Delete(object);
}

/* A hinge on its limit without load. */
static const char on_limit[] =
    "{\"abut\": 1, \"name\": \"rod\", \"gravity\": [0, 0, 0], \"duration\": 0.1, \"contacts\": [],\n"
    "  \"shapes\": {\"ball\": {\"type\": \"sphere\", \"radius\": 0.1}},\n"
    "  \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"shape\": \"ball\", \"position\": [0.3, 0, 0]}],\n"
    "  \"joints\": [{\"name\": \"pivot\", \"type\": \"hinge\", \"parent\": \"world\", \"child\": \"a\",\n"
    "      \"anchor\": [0, 0, 0], \"axis\": [0, 1, 0], \"limits\": [0, 1]}]}\n";

/* The reason names the option that helps, and blocks only if others exist or were chosen. */
Test(grad, a_step_without_derivative_is_told_the_option)
{
	static Call result;
	set_up();
	write_file("rod.json", on_limit);
	call(&result, "grad rod.json");
	cr_expect_eq(result.status, 1);
	cr_expect(strstr(result.err, "rod.json: step 0 has no derivative: joint 'pivot' is at its limit"), "%s",
	          result.err);
	cr_expect(strstr(result.err, "such as 1e-6 (--kappa-gradient 1e-6)\n"), "%s", result.err);
	call(&result, "grad rod.json --wrt state");
	cr_expect(strstr(result.err, "step 0 has no derivative by state: joint"), "%s", result.err);
	call(&result, "grad rod.json --kappa-gradient 1e-6");
	cr_expect_eq(result.status, 0, "%s", result.err);
	tear_down();
}

/* On the path the next state is different, and kappa may be the scene's. */
Test(grad, on_the_path)
{
	static Call result;
	static const char *const calls[] = {
	    "grad " SCENES "sphere_on_plane.json --json --kappa-gradient 1e-3",
	    "grad " SCENES "sphere_on_plane.json --json --set solver.kappa_gradient=1e-3",
	    "grad " SCENES "sphere_on_plane.json --json --set solver.kappa_gradient=1e-3 --kappa-gradient 0"};
	for (int i = 0; i < 3; i++) {
		cJSON *object = object_of(&result, calls[i]);
		const cJSON *path = cJSON_GetObjectItemCaseSensitive(object, "state_path");
		const cJSON *next = cJSON_GetObjectItemCaseSensitive(object, "state_next");
		cr_expect_eq(number(object, "kappa"), i < 2 ? 1e-3 : 0.0);
		cr_assert_eq(path != NULL, i < 2);
		if (path) {
			cr_expect_eq(cJSON_GetArraySize(path), 13);
			cr_expect_gt(
			    fabs(cJSON_GetArrayItem(path, 2)->valuedouble - cJSON_GetArrayItem(next, 2)->valuedouble),
			    1e-6);
		}
		cJSON_Delete(object);
	}
}

/* A ball ends its step exactly at the floor, so that there are two derivatives by its height. Only the affected block
 * of derivatives is refused. */
Test(grad, refuses_one_sided_blocks)
{
	static Call result;
	write_file("s.json", two_balls);
	call(&result, "grad s.json --check --wrt friction,state,input " AT_THE_FLOOR);
	cr_expect_eq(result.status, 1);
	cr_expect_str_eq(result.out, "");
	cr_expect(strstr(result.err, "no derivative by state,input: "), "%s", result.err);
	cr_expect(strstr(result.err, "'flying' and 'floor' touch and carry no load"), "%s", result.err);
	cr_expect(strstr(result.err, "; --wrt friction has one"), "%s", result.err);
	cJSON_Delete(object_of(&result, "grad s.json --check --json --wrt friction " AT_THE_FLOOR));
}

/* Without names, existing derivatives are printed and the others are listed. The status reports that something is
 * missing. */
Test(grad, leaves_out_what_does_not_exist)
{
	static Call result;
	write_file("s.json", two_balls);
	call(&result, "grad s.json --check --json " AT_THE_FLOOR);
	cr_expect_eq(result.status, 1);
	cr_expect(strstr(result.err, "no derivative by state,input,"), "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *missing = cJSON_GetObjectItemCaseSensitive(object, "missing");
	cr_assert_gt(cJSON_GetArraySize(missing), 1);
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(missing, 0)), "state");
	(void)block_of(object, "friction");
	cr_expect_null(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(object, "blocks"), "state"));
	cr_expect(cJSON_IsTrue(
	    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(object, "check"), "passed")));
	cJSON_Delete(object);
	call(&result, "grad s.json " AT_THE_FLOOR);
	cr_expect_eq(result.status, 1);
	cr_expect(strstr(result.out, "friction") && !strstr(result.out, "state "), "%s", result.out);
}

/* The method has no exact solution. By default its derivative is at a kappa that differences can check. */
Test(grad, of_method_point_ncp)
{
	static Call result;
	cJSON *object = object_of(&result, "grad " SCENES "drop_box.json --method point-ncp --step 60 --json --check");
	cr_expect_eq(number(object, "kappa"), 1e-9);
	cJSON_Delete(object);
	object = object_of(&result,
	                   "grad " SCENES "drop_box.json --method point-ncp --kappa-gradient 1e-4 --step 60 --json");
	cr_expect_eq(number(object, "kappa"), 1e-4);
	cJSON_Delete(object);
}

Test(grad, of_method_lcp)
{
	static Call result;
	cJSON *object =
	    object_of(&result, "grad " SCENES "drop_box.json --method lcp --step 60 --json --check --tolerance 1e-5");
	expect_shape(object, "state", 12, 12);
	expect_shape(object, "input", 12, 6);
	expect_shape(object, "mass", 12, 1);
	cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(object, "blocks")), 3);
	cJSON_Delete(object);
}

Test(grad, wrt_adds_up)
{
	static Call result;
	cJSON *object = object_of(&result, "grad " SCENES "stack_4.json --wrt mass --wrt state,mass --json");
	expect_shape(object, "state", 48, 48);
	expect_shape(object, "mass", 48, 4);
	cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(object, "blocks")), 2);
	cJSON_Delete(object);
}

Test(grad, prints_a_table)
{
	static Call result;
	call(&result, "grad " SCENES "stack_4.json --step 3");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "step 3, beginning at 0.03 s"), "%s", result.out);
	cr_expect(strstr(result.out, "exact, "), "%s", result.out);
	cr_expect(strstr(result.out, "\n  state                48     48 "), "%s", result.out);
	for (int kind = 0; kind < ABUT_PARAMETER_MOTOR; kind++) {
		char line[64];
		snprintf(line, sizeof line, "\n  %s ", abut_parameter_kind_name((AbutParameterKind)kind));
		cr_expect(strstr(result.out, line), "%s: %s", line, result.out);
	}
}

Test(grad, refusals)
{
	static const struct {
		const char *arguments;
		int status;
		const char *message;
	} table[] = {
	    {"grad", 2, "scene is missing"},
	    {"grad nowhere.json", 2, "nowhere.json"},
	    {"grad " SCENES "stack_4.json --wrt stat", 2,
	     "--wrt names 'stat'; did you mean 'state'? the blocks of method single-level are state, input, timestep,"},
	    {"grad " SCENES "stack_4.json --step -1", 2, "--step is '-1'; it must be an integer from 0 to 1000000000"},
	    {"grad " SCENES "stack_4.json --step 10000000000", 2,
	     "--step is '10000000000'; it must be an integer from 0 to 1000000000"},
	    {"grad " SCENES "stack_4.json --wrt state,", 2, "--wrt names ''"},
	    {"grad " SCENES "drop_box.json --method lcp --wrt friction", 2,
	     "blocks of method lcp are state, input, mass"},
	    {"grad " SCENES "drop_box.json --method lcp --kappa-gradient 1e-3", 2,
	     "--kappa-gradient is 0.001; method lcp has no central path"},
	    {"grad " SCENES "drop_box.json --method lcp --set solver.kappa_gradient=1e-3", 2,
	     "the scene's solver.kappa_gradient is 0.001; method lcp has no central path"},
	    {"grad " SCENES "stack_4.json --wrt state --wrt stat", 2, "--wrt names 'stat'"},
	    {"grad " SCENES "stack_4.json --step 1 --step=2", 2, "--step is given twice; it takes one value"},
	    {"grad " SCENES "stack_4.json --method lcp --method lcp", 2, "--method is given twice"},
	    {"grad " SCENES "drop_box.json --step 60 --kappa-gradient 1e-15", 2, "lie in [1e-12, 1]"},
	    {"grad " SCENES "drop_box.json --method convex --wrt timestep", 2,
	     "blocks of method convex are state, input, gravity, mass, inertia, friction"},
	    {"grad " SCENES "drop_box.json --method convex --kappa-gradient 1e-3", 2,
	     "method convex has no central path"},
	    {"grad " SCENES "drop_box.json --method convex --set solver.convex_model=barrier", 2,
	     "\"barrier\", whose steps are not differentiated"},
	    {"grad " SCENES "stack_4.json --method bilevel", 2, "method bilevel has no derivatives"},
	    {"grad " SCENES "drop_cone.json --method point-ncp", 2, "body 'cone' cannot take part"},
	    {"grad " SCENES "stack_4.json --set solver.preset=paper", 2, "\"paper\""},
	    {"grad " SCENES "stack_4.json --kappa-gradient 2", 2,
	     "--kappa-gradient is 2; it must be 0 (at the exact solution) or lie in"},
	    {"grad " SCENES "stack_4.json --kappa-gradient x", 2, "finite number"},
	    {"grad " SCENES "stack_4.json --set solver.kappa_gradient=2", 2, "solver.kappa_gradient: must be 0"},
	    {"grad " SCENES "stack_4.json --step -1", 2, "--step is '-1'; it must be an integer"},
	    {"grad " SCENES "stack_4.json --kappa 1e-4", 2,
	     "unknown option '--kappa'; did you mean '--kappa-gradient'?"},
	    {"grad " SCENES "stack_4.json --tolerance 1e-3", 2, "--tolerance needs --check"},
	    {"grad " SCENES "stack_4.json --check --tolerance 0", 2, "must be a positive number"},
	    {"grad " SCENES "stack_4.json --set bodies[1].static=true --set bodies[2].static=true "
	     "--set bodies[3].static=true --set bodies[4].static=true --set contacts=[]",
	     2, "no body moves"},
	    {"grad " SCENES "stack_4.json --set solver.finish=none", 1, "the step ended relaxed"},
	};
	static Call result;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		call(&result, table[i].arguments);
		cr_expect_eq(result.status, table[i].status, "%s: %d", table[i].arguments, result.status);
		cr_expect_str_eq(result.out, "", "%s", table[i].arguments);
		cr_expect(strstr(result.err, table[i].message), "%s: %s", table[i].arguments, result.err);
		cr_expect_eq(count_lines(result.err), 1, "%s: %s", table[i].arguments, result.err);
	}
}

Test(grad, warns_of_a_step_beyond_the_end)
{
	static Call result;
	call(&result, "grad " SCENES "cube_drop.json --step 149 --wrt state");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.err, "");
	call(&result, "grad " SCENES "cube_drop.json --step 150 --wrt state");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.err, "warning: step 150 is beyond the scene's duration of 150 steps"), "%s",
	          result.err);
}

/* Compares the derivative of ten bodies by method lcp with its central differences. */
Test(grad, bench_lcp)
{
	static Call result;
	call(&result, "bench lcp --json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *cases = cJSON_GetObjectItemCaseSensitive(object, "cases");
	const cJSON *bounds = cJSON_GetObjectItemCaseSensitive(object, "bounds");
	cr_assert_eq(cJSON_GetArraySize(cases), 2);
	cr_assert_eq(cJSON_GetArraySize(bounds), 1);
	double means[2];
	for (int i = 0; i < 2; i++) {
		const cJSON *row = cJSON_GetArrayItem(cases, i);
		means[i] = number(row, "step_time_us_mean");
		cr_expect_eq(number(row, "bodies"), 10.0);
		cr_expect_eq(number(row, "exact_share"), 1.0);
	}
	cr_expect_float_eq(number(cJSON_GetArrayItem(bounds, 0), "value"), means[0] / means[1], 1e-9);
	cJSON_Delete(object);
}

/* The table contains the times from which its ratios are computed. */
Test(grad, bench_table)
{
	static Call result;
	double step = 0.0, with = 0.0, back = 0.0, added = 0.0, total = 0.0;
	call(&result, "bench rollout_cube");
	cr_assert_eq(result.status, 0, "%s", result.err);
	const char *line = strstr(result.out, "with/plain\n");
	cr_assert_not_null(line, "%s", result.out);
	cr_assert_eq(
	    sscanf(line, "with/plain rollout_cube_drop %lf %lf %lf %lf %lf", &step, &with, &back, &added, &total), 5,
	    "%s", result.out);
	cr_expect(back > 0.0 && back < with, "%s", result.out);
	cr_expect_float_eq(added, with / step - 1.0, 0.01, "%s", result.out);
	cr_expect_float_eq(total, with / step, 0.01, "%s", result.out);
}

/* Compares steps with their derivative and steps alone, with a bound on the additional time. */
Test(grad, bench)
{
	static Call result;
	call(&result, "bench gradient_cube --json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *cases = cJSON_GetObjectItemCaseSensitive(object, "cases"), *row = cJSON_GetArrayItem(cases, 0);
	const cJSON *bounds = cJSON_GetObjectItemCaseSensitive(object, "bounds"),
	            *bound = cJSON_GetArrayItem(bounds, 0);
	cr_assert_eq(cJSON_GetArraySize(cases), 1);
	cr_assert_eq(cJSON_GetArraySize(bounds), 1);
	const double plain = number(row, "plain_time_us_mean"), both = number(row, "step_time_us_mean");
	cr_expect_gt(plain, 0.0);
	cr_expect_float_eq(number(row, "derivative_over_step"), both / plain - 1.0, 1e-9);
	cr_expect_eq(number(bound, "value"), number(row, "derivative_over_step"));
	cr_expect_eq(number(row, "exact_share"), 1.0);
	cJSON_Delete(object);
	call(&result, "bench rollout_cube --json");
	object = parse_json(result.out);
	row = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, "cases"), 0);
	const double back = number(row, "adjoint_time_us_mean");
	cr_expect(back > 0.0 && back < number(row, "step_time_us_mean"), "%g", back);
	cr_expect_eq(number(row, "steps"), 4000.0);
	cJSON_Delete(object);
	call(&result, "bench cube_falling --json");
	object = parse_json(result.out);
	cr_expect_null(cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, "cases"), 0), "plain_time_us_mean"));
	cJSON_Delete(object);
}
