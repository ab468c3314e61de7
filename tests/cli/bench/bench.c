/* Tests `abut bench` as a command: its objects, and its message if an engine is missing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "cli/call.h"

/* command.c sets up the suite. */
Test(command, bench)
{
	static Call result;
	call(&result, "bench drop_sphere --json");
	cr_expect_leq(result.status, 1, "%s", result.err);
	cJSON *object = parse_json(result.out);
	cr_expect(cJSON_IsString(cJSON_GetObjectItemCaseSensitive(object, "machine")));
	cr_expect(cJSON_IsString(cJSON_GetObjectItemCaseSensitive(object, "version")));
	const cJSON *cases = cJSON_GetObjectItemCaseSensitive(object, "cases");
	cr_assert_eq(cJSON_GetArraySize(cases), 1);
	static const char *const numbers[] = {
	    "bodies",          "steps",          "step_time_us_median", "step_time_us_mean", "step_time_us_p99",
	    "iterations_mean", "iterations_p99", "exact_share",         "failed_steps"};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		cr_expect(cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(cases, 0), numbers[i])),
		          "%s", numbers[i]);
	}
	cJSON_Delete(object);
	call(&result, "bench drop_sphere");
	cr_expect_eq(count_lines(result.out), 3, "%s", result.out);
	/* Bounds apply to the ratios of the scenes that were run: of the ellipsoid, the cylinder, ... to the box. */
	call(&result, "bench drop_ --json");
	object = parse_json(result.out);
	const cJSON *bound, *bounds = cJSON_GetObjectItemCaseSensitive(object, "bounds");
	cr_expect_eq(cJSON_GetArraySize(bounds), 5);
	cJSON_ArrayForEach(bound, bounds)
	{
		const double value = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(bound, "value"));
		const double most = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(bound, "bound"));
		cr_expect_gt(value, 0.0);
		cr_expect_eq((bool)cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(bound, "met")), value <= most);
	}
	cJSON_Delete(object);
}

/* Without other engines the command says what to install. A few steps give numbers but no verdict. */
Test(command, bench_peers)
{
	static Call result;
	call(&result, "bench peers --quick --json");
	if (result.status == 2) {
		cr_expect(strstr(result.err, "libmujoco-dev") && count_lines(result.err) == 1, "%s", result.err);
		return;
	}
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *row, *cases = cJSON_GetObjectItemCaseSensitive(object, "cases");
	cr_expect_gt(cJSON_GetArraySize(cases), 0);
	cJSON_ArrayForEach(row, cases)
	{
		static const char *const numbers[] = {
		    "bodies",           "steps",           "timestep",      "step_time_us_median", "step_time_us_mean",
		    "step_time_us_p99", "max_penetration", "momentum_mean", "failed_steps"};
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
			cr_expect(cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(row, numbers[i])), "%s", numbers[i]);
		}
		cr_expect_not_null(cJSON_GetObjectItemCaseSensitive(row, "ratio_mean")); /* null without MuJoCo */
	}
	const cJSON *search, *searches = cJSON_GetObjectItemCaseSensitive(object, "below_1_mm");
	cr_expect_gt(cJSON_GetArraySize(searches), 1);
	cJSON_ArrayForEach(search, searches)
	{
		cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(search, "trials")), 1);
	}
	const cJSON *target, *targets = cJSON_GetObjectItemCaseSensitive(object, "targets");
	cr_expect_gt(cJSON_GetArraySize(targets), 0);
	cJSON_ArrayForEach(target, targets)
	{
		cr_expect(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(target, "met")));
	}
	cJSON_Delete(object);
	call(&result, "bench peers --quick");
	cr_expect_null(strstr(result.out, "met"), "%s", result.out);
}

/* Queries every pair of bounded kinds exactly, with the libraries that were built in. */
Test(command, bench_query)
{
	static Call result;
	call(&result, "bench query --quick --json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *row, *rows = cJSON_GetObjectItemCaseSensitive(object, "pairs");
	cr_expect_eq(cJSON_GetArraySize(rows), 36);
	cJSON_ArrayForEach(row, rows)
	{
		static const char *const numbers[] = {"cold_us",  "warm_us",     "relaxed_us", "gradient_us",
		                                      "supports", "exact_share", "failed"};
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
			cr_expect(cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(row, numbers[i])), "%s", numbers[i]);
		}
		cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "exact_share")), 1.0);
		cr_expect(cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(row, "others")));
	}
	cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(object, "bounds")), 0); /* it was quick */
	cJSON_Delete(object);
	call(&result, "bench query --quick");
	cr_expect(strstr(result.out, "padded_polytope"), "%s", result.out);
}

/* A few steps of every robot give numbers but no verdict; without MuJoCo there are no ratios. */
Test(command, bench_robots)
{
	static Call result;
	call(&result, "bench robots --quick --json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *row, *rows = cJSON_GetObjectItemCaseSensitive(object, "cases");
	cr_expect_eq(cJSON_GetArraySize(rows), 6);
	cJSON_ArrayForEach(row, rows)
	{
		cr_expect_gt(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "step_time_us_mean")), 0.0);
		cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "exact_share")), 1.0);
		cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "failed_steps")), 0.0);
		cr_expect_lt(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "max_joint_violation")), 1e-10);
		cr_expect(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(row, "met")));
		cr_expect_not_null(cJSON_GetObjectItemCaseSensitive(row, "ratio_mean"));
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, "name"));
		const bool on_floor = strcmp(name, "ant_standing") == 0 || strcmp(name, "ant_moving") == 0;
		const double share = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "jacobian_share"));
		const cJSON *ratio = cJSON_GetObjectItemCaseSensitive(row, "jacobian_over_step");
		cr_expect_eq(share, on_floor ? 0.0 : 1.0, "%s: %g", name, share); /* standing has no derivative */
		cr_expect(on_floor ? cJSON_IsNull(ratio) : cJSON_GetNumberValue(ratio) > 0.0, "%s", name);
	}
	cJSON_Delete(object);
	call(&result, "bench robots ant --quick");
	cr_expect(strstr(result.out, "ant_standing") && !strstr(result.out, "chain_5"), "%s", result.out);
	call(&result, "bench robots no_such_case");
	cr_expect_eq(result.status, 2);
}

/* Without --data, only our own ant is measured, with both methods; quickly it falls freely in its first two steps. */
Test(command, bench_derivatives)
{
	static Call result;
	call(&result, "bench derivatives --quick --json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.err, "atlas_lcp: left out; --data names no folder"), "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *row, *rows = cJSON_GetObjectItemCaseSensitive(object, "cases");
	cr_expect_eq(cJSON_GetArraySize(rows), 2);
	cJSON_ArrayForEach(row, rows)
	{
		cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "bodies")), 9.0);
		cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "coordinates")), 14.0);
		cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "motors")), 8.0);
		cr_expect_gt(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "derivatives")), 0.0);
		cr_expect_gt(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "ratio")), 1.0);
		cr_expect(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(row, "met")));
	}
	cJSON_Delete(object);
	call(&result, "bench derivatives own_ant_lcp --quick");
	cr_expect(strstr(result.out, "own_ant_lcp") && !strstr(result.out, "own_ant_single"), "%s", result.out);
	call(&result, "bench derivatives no_such_case");
	cr_expect_eq(result.status, 2);
	call(&result, "bench robots --data .");
	cr_expect_eq(result.status, 2);
}

/* Every state has an inverse that returns the forces which caused it. */
Test(command, bench_inverse)
{
	static Call result;
	call(&result, "bench inverse --json --seed 2");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *row, *rows = cJSON_GetObjectItemCaseSensitive(object, "inverse");
	cr_expect_eq(cJSON_GetArraySize(rows), 4);
	cJSON_ArrayForEach(row, rows)
	{
		cr_expect_gt(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "per_second")), 0.0);
		cr_expect_lt(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "largest_error")), 1e-6);
		cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "unsolved")), 0.0);
	}
	cJSON_Delete(object);
	call(&result, "bench inverse");
	cr_expect(strstr(result.out, "241774"), "%s", result.out);
}

/* Selects some of the cases by the beginning of their names. */
Test(command, bench_peers_by_name)
{
	static Call result;
	call(&result, "bench peers no_such_case");
	cr_expect_eq(result.status, 2);
	call(&result, "bench drop_box drop_cone");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "are two names; it takes one"), "%s", result.err);
	call(&result, "bench peers cube_ --quick --json");
	if (result.status == 2) {
		return;
	}
	cJSON *object = parse_json(result.out);
	const cJSON *row, *cases = cJSON_GetObjectItemCaseSensitive(object, "cases");
	cr_expect_gt(cJSON_GetArraySize(cases), 0);
	cJSON_ArrayForEach(row, cases)
	{
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, "name"));
		cr_expect_eq(strncmp(name, "cube_", 5), 0, "%s", name);
	}
	cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(object, "below_1_mm")), 0);
	cJSON_Delete(object);
}
