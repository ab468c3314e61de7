/* Tests `abut collide` as a command: its table, its object, and what it refuses. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/call.h"

TestSuite(collide, .init = set_up, .fini = tear_down);

static const cJSON *first_pair(const cJSON *object)
{
	const cJSON *pair = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, "pairs"), 0);
	cr_assert_not_null(pair);
	return pair;
}

static double entry(const cJSON *object, const char *key, int index)
{
	const cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, key), index);
	cr_assert(cJSON_IsNumber(item), "%s[%d]", key, index);
	return item->valuedouble;
}

/* A sphere of radius 0.5 at height 2 above the floor: scaling 4, gap 1.5 m. */
static const char sphere_above_floor[] =
    "{\"abut\": 1, \"name\": \"s\", \"shapes\": {\"floor\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], "
    "\"offset\": 0},"
    " \"ball\": {\"type\": \"sphere\", \"radius\": 0.5}},"
    " \"bodies\": [{\"name\": \"floor\", \"shape\": \"floor\", \"static\": true},"
    " {\"name\": \"ball\", \"shape\": \"ball\", \"mass\": 1, \"position\": [0.1, -0.2, 2]}]}";

/* A ball of radius 0.1 at the end of an arm of 1 m, on a hinge about y at height 1: turned down by the initial
 * coordinate 0.6, its centre is at height 1 - sin 0.6; at 1.2 it overlaps the floor, of which `validate` warns. */
Test(collide, joints_are_at_their_initial_coordinates)
{
	static const char scene[] =
	    "{\"abut\": 1, \"name\": \"s\", \"shapes\": {\"floor\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], "
	    "\"offset\": 0}, \"ball\": {\"type\": \"sphere\", \"radius\": 0.1}},"
	    " \"bodies\": [{\"name\": \"floor\", \"shape\": \"floor\", \"static\": true},"
	    " {\"name\": \"ball\", \"shape\": \"ball\", \"mass\": 1, \"position\": [1, 0, 1]}],"
	    " \"joints\": [{\"name\": \"h\", \"type\": \"hinge\", \"parent\": \"world\", \"child\": \"ball\","
	    " \"anchor\": [0, 0, 1], \"axis\": [0, 1, 0]}], \"initial\": {\"joints\": {\"h\": %g}}}";
	static Call result;
	char text[1024];
	snprintf(text, sizeof text, scene, 0.6);
	write_file("s.json", text);
	call(&result, "collide s.json --json --kappa 0");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	cr_expect_float_eq(number(first_pair(object), "gap"), 1.0 - sin(0.6) - 0.1, 1e-12);
	cJSON_Delete(object);
	snprintf(text, sizeof text, scene, 1.2);
	write_file("s.json", text);
	call(&result, "validate s.json");
	cr_expect_not_null(strstr(result.err, "floor and ball overlap by 0.032 m"), "%s", result.err);
}

Test(collide, exact_and_relaxed_queries_of_a_sphere)
{
	static Call result;
	write_file("s.json", sphere_above_floor);
	for (int i = 0; i < 2; i++) {
		const double tolerance = i == 0 ? 1e-12 : 1e-6;
		call(&result, i == 0 ? "collide s.json --json --kappa 0" : "collide s.json --json");
		cr_assert_eq(result.status, 0, "%s", result.err);
		cJSON *object = parse_json(result.out);
		const cJSON *pair = first_pair(object), *slope = cJSON_GetObjectItemCaseSensitive(pair, "dscaling");
		cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(pair, "a")), "floor");
		cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(pair, "b")), "ball");
		cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(pair, "outcome")),
		                 i == 0 ? "exact" : "relaxed");
		cr_expect_float_eq(number(pair, "scaling"), 4.0, tolerance);
		cr_expect_float_eq(number(pair, "gap"), 1.5, tolerance);
		cr_expect_float_eq(entry(pair, "normal", 2), 1.0, 1e-12);
		cr_expect_float_eq(entry(pair, "point", 2), 0.0, tolerance);
		cr_expect_float_eq(entry(pair, "point", 0), 0.1, i == 0 ? 1e-12 : 1e-3);
		cr_assert_eq(slope != NULL, i == 1);
		if (slope) {
			const cJSON *of_b = cJSON_GetObjectItemCaseSensitive(slope, "b");
			cr_expect_float_eq(entry(of_b, "position", 2), 2.0, 1e-6);
			cr_expect_float_eq(entry(of_b, "rotation", 0), 0.0, 1e-6);
			cr_expect_float_eq(entry(of_b, "size", 0), -8.0, 1e-6); /* of 2 / r */
		}
		cJSON_Delete(object);
	}
}

Test(collide, table_of_the_near_pairs)
{
	static Call result;
	call(&result, "collide " SCENES "stack_4.json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect_eq(count_lines(result.out), 1 + 10, "%s", result.out);
	call(&result, "collide " SCENES "stack_4.json --near 0.1");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect_eq(count_lines(result.out), 1 + 4, "%s", result.out);
	call(&result, "collide " SCENES "stack_4.json --near 0.1 --set bodies[4].position=[0,0,4] --kappa 0");
	cr_expect_eq(count_lines(result.out), 1 + 3, "%s", result.out);
}

/* The order of a rule is that of contacts.csv: b is the second body that it names. */
Test(collide, a_and_b_as_the_pair_has_them)
{
	static Call result;
	char text[1024];
	static const char *const orders[] = {"\"floor\", \"ball\"", "\"ball\", \"floor\""};
	for (int i = 0; i < 2; i++) {
		snprintf(text, sizeof text, "%.*s, \"contacts\": [{\"pair\": [%s], \"friction\": 0.3}]}",
		         (int)strlen(sphere_above_floor) - 1, sphere_above_floor, orders[i]);
		write_file("s.json", text);
		call(&result, "collide s.json --json");
		cr_assert_eq(result.status, 0, "%s", result.err);
		cJSON *object = parse_json(result.out);
		const cJSON *pair = first_pair(object);
		cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(pair, "a")),
		                 i ? "ball" : "floor");
		cr_expect_float_eq(entry(pair, "normal", 2), i ? -1.0 : 1.0, 1e-12);
		cr_expect_float_eq(entry(cJSON_GetObjectItemCaseSensitive(
		                             cJSON_GetObjectItemCaseSensitive(pair, "dscaling"), i ? "a" : "b"),
		                         "position", 2),
		                   2.0, 1e-6);
		cJSON_Delete(object);
	}
}

/* Below the plane the scaling is 0 and the gap is still correct. If centres coincide there is no derivative. */
Test(collide, deep_overlap)
{
	static Call result;
	write_file("s.json", sphere_above_floor);
	call(&result, "collide s.json --json --set bodies[1].position=[0,0,-10]");
	cJSON *object = parse_json(result.out);
	cr_expect_float_eq(number(first_pair(object), "gap"), -10.5, 1e-12);
	cr_expect_float_eq(number(first_pair(object), "scaling"), 0.0, 1e-7);
	cJSON_Delete(object);
	call(&result,
	     "collide " SCENES "ellipsoid_on_ellipsoid.json --json --near -0.1 --set bodies[1].position=[0,0,5] "
	     "--set bodies[2].position=[0,0,5]");
	cr_assert_eq(result.status, 0, "%s", result.err);
	object = parse_json(result.out);
	cr_expect(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(first_pair(object), "dscaling")), "%s", result.out);
	cJSON_Delete(object);
}

Test(collide, refusals)
{
	static const char *const wrong[][2] = {
	    {"collide", "scene is missing"},
	    {"collide " SCENES "stack_4.json --kappa 1", "lie in [1e-12, 0.01]"},
	    {"collide " SCENES "stack_4.json --kappa x", "finite number"},
	    {"collide " SCENES "stack_4.json --near nan", "finite number"},
	    {"collide nowhere.json", "nowhere.json"},
	};
	static Call result;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		call(&result, wrong[i][0]);
		cr_expect_eq(result.status, 2, "%s", wrong[i][0]);
		cr_expect_str_eq(result.out, "");
		cr_expect(strstr(result.err, wrong[i][1]), "%s: %s", wrong[i][0], result.err);
		cr_expect_eq(count_lines(result.err), 1, "%s", result.err);
	}
}

/* `--near` searches boxes instead of all pairs; it must find the same pairs, in the same order. */
Test(collide, near_pairs_are_those_of_all_pairs)
{
	static Call all, near;
	static const char *const gaps[] = {"0", "0.3", "-0.05"};
	call(&all, "collide " SCENES "pile_10.json --set bodies.sphere.position=[0,0,0.3] --json --kappa 0");
	cJSON *object = parse_json(all.out);
	for (int i = 0; i < 3; i++) {
		char arguments[160];
		snprintf(arguments, sizeof arguments,
		         "collide " SCENES
		         "pile_10.json --set bodies.sphere.position=[0,0,0.3] --json --kappa 0 --near %s",
		         gaps[i]);
		call(&near, arguments);
		cJSON *found = parse_json(near.out);
		const cJSON *expected, *pair = first_pair(found);
		int n = 0;
		cJSON_ArrayForEach(expected, cJSON_GetObjectItemCaseSensitive(object, "pairs"))
		{
			if (number(expected, "gap") <= strtod(gaps[i], NULL)) {
				cr_assert(cJSON_Compare(expected, pair, true), "%s: pair %d", gaps[i], n);
				pair = pair->next;
				n++;
			}
		}
		cr_expect(n > 0 && !pair, "%s: %d pairs, and more", gaps[i], n);
		cJSON_Delete(found);
	}
	cJSON_Delete(object);
}
