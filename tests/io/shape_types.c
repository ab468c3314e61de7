/* Tests registered shape types: scenes that use them, errors with their place, and what a registry refuses. */
#include "abut/shape_types.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"

/* Creates a frustum of `sides` corners from the keys radii (2), height, sides (optional), and additional points of the
 * hull. */
static AbutStatus create_frustum(const void *data, const AbutShapeValue *values, AbutShape **out, AbutError *error)
{
	const double *radii = values[0].numbers, height = values[1].numbers[0];
	const int sides = values[2].count ? (int)values[2].numbers[0] : *(const int *)data;
	const int n = 2 * sides + values[3].count;
	if (radii[1] == 13.0) { /* for the test: an error at a key */
		snprintf(error->where, sizeof error->where, "radii");
		snprintf(error->message, sizeof error->message, "radii[1] is unlucky");
		return error->status = ABUT_ERROR_ARGUMENT;
	}
	if (radii[1] == 14.0) { /* neither a shape nor an error */
		return ABUT_OK;
	}
	double *points = malloc((size_t)n * 3 * sizeof *points);
	for (int i = 0; i < 2 * sides; i++) {
		const double turn = 2.0 * M_PI * (i / 2) / sides, r = radii[i % 2];
		points[3 * i] = r * cos(turn);
		points[3 * i + 1] = r * sin(turn);
		points[3 * i + 2] = i % 2 ? height : 0.0;
	}
	for (int i = 0; i < 3 * values[3].count; i++) {
		points[6 * sides + i] = values[3].numbers[i];
	}
	const AbutStatus status = abut_shape_create_polytope_from_vertices(n, points, out, error);
	free(points);
	return status;
}

static const AbutShapeKey frustum_keys[] = {
    {.name = "radii", .kind = ABUT_SHAPE_KEY_NUMBERS, .low = 0.01, .high = 100.0, .least = 2, .most = 2},
    {.name = "height", .kind = ABUT_SHAPE_KEY_NUMBER, .low = 0.01, .high = INFINITY},
    {.name = "sides", .kind = ABUT_SHAPE_KEY_NUMBER, .optional = true, .low = 3.0, .high = 64.0},
    {.name = "corners", .kind = ABUT_SHAPE_KEY_POINTS, .optional = true, .low = -10.0, .high = 10.0},
};
static const int usual_sides = 6;
static const AbutShapeType frustum = {
    .name = "frustum", .n_keys = 4, .keys = frustum_keys, .create = create_frustum, .data = &usual_sides};

static AbutShapeTypes *registry(void)
{
	AbutShapeTypes *types = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_shape_types_create(&types, &error), ABUT_OK);
	cr_assert_eq(abut_shape_types_add(types, &frustum, &error), ABUT_OK, "%s", error.message);
	return types;
}

static AbutStatus load(const AbutShapeTypes *types, const char *keys, AbutScene **scene, AbutError *error)
{
	char text[1024];
	const int n =
	    snprintf(text, sizeof text,
	             "{\"abut\": 1,\n \"shapes\": {\"cup\": {\"type\": \"frustum\"%s}},\n \"bodies\": [{\"name\": "
	             "\"a\", \"mass\": 1, \"shape\": \"cup\"}]}",
	             keys);
	return abut_scene_parse_with(text, (size_t)n, "cup.json", types, 0, NULL, scene, error);
}

Test(shape_types, make_shapes_of_scenes)
{
	AbutShapeTypes *types = registry();
	AbutScene *scene = NULL;
	AbutError error = {0};
	cr_assert_eq(load(types, ", \"radii\": [1, 0.5], \"height\": 2, \"position\": [0, 0, 3]", &scene, &error),
	             ABUT_OK, "%s: %s", error.where, error.message);
	abut_shape_types_destroy(types); /* no longer needed */
	const AbutShape *cup = abut_scene_def(scene)->bodies[0].parts[0];
	const double up[3] = {0.0, 0.0, 1.0}, down[3] = {0.0, 0.0, -1.0}, x[3] = {1.0, 0.0, 0.0};
	cr_assert_eq(cup->n_vertices, 12);
	cr_assert_float_eq(abut_shape_support(cup, up, NULL), 5.0, 1e-12);
	cr_assert_float_eq(abut_shape_support(cup, down, NULL), -3.0, 1e-12);
	cr_assert_float_eq(abut_shape_support(cup, x, NULL), 1.0, 1e-12);
	abut_scene_destroy(scene);
	types = registry();
	cr_assert_eq(
	    load(types, ", \"radii\": [1, 0.5], \"height\": 2, \"sides\": 4, \"corners\": [[0, 0, 4]]", &scene, &error),
	    ABUT_OK, "%s: %s", error.where, error.message);
	cr_assert_float_eq(abut_shape_support(abut_scene_def(scene)->bodies[0].parts[0], up, NULL), 4.0, 1e-12);
	abut_scene_destroy(scene);
	abut_shape_types_destroy(types);
}

Test(shape_types, mistakes_have_their_place)
{
	static const struct {
		const char *keys, *where, *message;
	} bad[] = {
	    {", \"radii\": [1, 1]", "shapes.cup.height", "missing"},
	    {", \"radii\": [1, 1], \"height\": 2, \"hight\": 3", "shapes.cup.hight", "did you mean \"height\""},
	    {", \"radii\": [1, 1], \"height\": 2, \"colour\": 3", "shapes.cup.colour", "unknown key"},
	    {", \"radii\": [1, 1], \"height\": 2, \"height\": 2", "shapes.cup.height", "twice in a shape \"frustum\""},
	    {", \"radii\": [1, 1], \"height\": 0.001", "shapes.cup.height", "at least 0.01, is 0.001"},
	    {", \"radii\": [1, 1], \"height\": \"2\"", "shapes.cup.height", "a finite number, is the string"},
	    {", \"radii\": [1, 1], \"height\": 1e999", "shapes.cup.height", "finite"},
	    {", \"radii\": [1, 200], \"height\": 2", "shapes.cup.radii[1]", "from 0.01 to 100, is 200"},
	    {", \"radii\": [1], \"height\": 2", "shapes.cup.radii", "an array of length 2, is an array of length 1"},
	    {", \"radii\": 1, \"height\": 2", "shapes.cup.radii", "an array, is 1"},
	    {", \"radii\": [1, 1], \"height\": 2, \"corners\": []", "shapes.cup.corners", "at least 1"},
	    {", \"radii\": [1, 1], \"height\": 2, \"corners\": [[0, 0]]", "shapes.cup.corners[0]", "3"},
	    {", \"radii\": [1, 1], \"height\": 2, \"corners\": [[0, 0, 11]]", "shapes.cup.corners[0][2]",
	     "to 10, is 11"},
	    {", \"radii\": [1, 13], \"height\": 2", "shapes.cup.radii", "unlucky"},
	    {", \"radii\": [1, 14], \"height\": 2", "shapes.cup", "returned neither a shape"},
	};
	AbutShapeTypes *types = registry();
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		AbutScene *scene = NULL;
		AbutError error = {0};
		cr_expect_neq(load(types, bad[i].keys, &scene, &error), ABUT_OK, "%s", bad[i].keys);
		cr_expect_null(scene);
		cr_expect_str_eq(error.where, bad[i].where, "%s: %s: %s", bad[i].keys, error.where, error.message);
		cr_expect(strstr(error.message, bad[i].message), "%s: %s", bad[i].keys, error.message);
		cr_expect_eq(error.line, 2, "%s: line %d", bad[i].keys, error.line);
		cr_expect_gt(error.column, 1);
	}
	abut_shape_types_destroy(types);
}

/* Without the registry the name is unknown, and the message suggests a similar one. */
Test(shape_types, are_known_to_their_loader_alone)
{
	AbutScene *scene = NULL;
	AbutError error = {0};
	cr_assert_eq(load(NULL, ", \"radii\": [1, 1], \"height\": 2", &scene, &error), ABUT_ERROR_PARSE);
	cr_assert_str_eq(error.where, "shapes.cup.type");
	cr_assert(strstr(error.message, "superellipsoid"), "%s", error.message);
	AbutShapeTypes *types = registry();
	const char text[] =
	    "{\"abut\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"frustrum\"}}]}";
	cr_assert_eq(abut_scene_parse_with(text, strlen(text), "x", types, 0, NULL, &scene, &error), ABUT_ERROR_PARSE);
	cr_assert(strstr(error.message, "frustum"), "%s", error.message);
	abut_shape_types_destroy(types);
}

Test(shape_types, what_a_registry_refuses)
{
	AbutShapeTypes *types = registry();
	AbutError error = {0};
	static const char *const names[] = {"box", "superellipsoid", "mesh", "frustum", "", NULL};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		AbutShapeType type = frustum;
		type.name = names[i];
		cr_expect_eq(abut_shape_types_add(types, &type, &error), ABUT_ERROR_ARGUMENT, "%s",
		             names[i] ? names[i] : "NULL");
		cr_expect_gt(strlen(error.message), 10);
	}
	static const AbutShapeKey keys[] = {
	    {.name = "type", .low = 0.0, .high = 1.0},
	    {.name = "orientation", .low = 0.0, .high = 1.0},
	    {.name = "", .low = 0.0, .high = 1.0},
	    {.name = "a", .low = 1.0, .high = 0.0},
	    {.name = "a", .low = (double)NAN, .high = 1.0},
	    {.name = "a", .low = 0.0, .high = 1.0, .least = 3, .most = 2},
	};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const AbutShapeType type = {.name = "new", .n_keys = 1, .keys = &keys[i], .create = create_frustum};
		cr_expect_eq(abut_shape_types_add(types, &type, &error), ABUT_ERROR_ARGUMENT, "key %zu", i);
	}
	AbutShapeType type = frustum;
	type.name = "new";
	type.create = NULL;
	cr_expect_eq(abut_shape_types_add(types, &type, &error), ABUT_ERROR_ARGUMENT);
	type.create = create_frustum;
	type.n_keys = ABUT_SHAPE_KEYS_MAX + 1;
	cr_expect_eq(abut_shape_types_add(types, &type, &error), ABUT_ERROR_ARGUMENT);
	type.n_keys = 0;
	for (int i = 1; i < ABUT_SHAPE_TYPES_MAX; i++) {
		char name[16];
		snprintf(name, sizeof name, "n%d", i);
		type.name = name;
		cr_assert_eq(abut_shape_types_add(types, &type, &error), ABUT_OK, "%s", error.message);
	}
	type.name = "one more";
	cr_expect_eq(abut_shape_types_add(types, &type, &error), ABUT_ERROR_UNSUPPORTED);
	abut_shape_types_destroy(types);
}

/* A superellipsoid in a scene, its errors, and its reading back from a file. Functions are not written. */
Test(shape_types, superellipsoids_of_scenes)
{
	static const struct {
		const char *keys, *where, *message;
	} bad[] = {
	    {"\"radii\": [1, 1, 1]", "bodies[0].shape", "one of them"},
	    {"\"radii\": [1, 1, 1], \"exponent\": 3, \"exponents\": [3, 3]", "bodies[0].shape", "not both"},
	    {"\"radii\": [1, 1, 1], \"exponent\": 1.5", "bodies[0].shape", "between 2 and 20"},
	    {"\"radii\": [1, 1, 1], \"exponents\": [2, 30]", "bodies[0].shape.exponents", "between 2 and 20"},
	    {"\"radii\": [1, 1], \"exponent\": 3", "bodies[0].shape.radii", "3"},
	};
	char text[512];
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		AbutScene *scene = NULL;
		AbutError error = {0};
		const int n =
		    snprintf(text, sizeof text,
		             "{\"abut\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": "
		             "\"superellipsoid\", %s}}]}",
		             bad[i].keys);
		cr_expect_neq(abut_scene_parse(text, (size_t)n, "x", 0, NULL, &scene, &error), ABUT_OK);
		cr_expect_str_eq(error.where, bad[i].where, "%s: %s", error.where, error.message);
		cr_expect(strstr(error.message, bad[i].message), "%s", error.message);
	}
	AbutScene *scene = NULL, *back = NULL;
	AbutError error = {0};
	cr_assert_eq(
	    abut_scene_load(ABUT_SOURCE_DIR "/experiments/scenes/drop_superellipsoid.json", 0, NULL, &scene, &error),
	    ABUT_OK, "%s", error.message);
	const char *path = "superellipsoid_saved.json";
	cr_assert_eq(abut_scene_save(abut_scene_def(scene), path, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_scene_load(path, 0, NULL, &back, &error), ABUT_OK, "%s", error.message);
	remove(path);
	double radii[2][3], exponents[2][2];
	cr_assert(abut_shape_is_superellipsoid(abut_scene_def(scene)->bodies[1].parts[0], radii[0], exponents[0]));
	cr_assert(abut_shape_is_superellipsoid(abut_scene_def(back)->bodies[1].parts[0], radii[1], exponents[1]));
	cr_assert_eq(memcmp(radii[0], radii[1], sizeof radii[0]), 0);
	cr_assert_eq(memcmp(exponents[0], exponents[1], sizeof exponents[0]), 0);
	abut_scene_destroy(scene);
	abut_scene_destroy(back);
}

/* Wants to stop at its fourth question. */
static bool wants_to_stop(void *context)
{
	return ++*(int *)context >= 4;
}

/* The mass of this sum takes seconds. */
Test(shape_types, the_reading_of_a_scene_can_be_stopped)
{
	static char text[1 << 14];
	AbutShapeTypes *types = registry();
	AbutScene *scene = NULL;
	AbutError error = {0};
	int asked = 0;
	size_t n = (size_t)snprintf(text, sizeof text,
	                            "{\"abut\": 1, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": "
	                            "\"minkowski_sum\", \"parts\": [");
	for (int i = 0; i < 40; i++) {
		const double size = 1.0 + 0.01 * i;
		n += (size_t)snprintf(text + n, sizeof text - n, "%s{\"type\": \"ellipsoid\", \"radii\": [%g, %g, %g]}",
		                      i % 20 ? ", "
		                      : i    ? "]}, {\"type\": \"intersection\", \"parts\": ["
		                             : "{\"type\": \"intersection\", \"parts\": [",
		                      size, 1.0 / size, 1.0);
	}
	n += (size_t)snprintf(text + n, sizeof text - n, "]}]}}]}");
	abut_shape_types_set_stop(types, &(AbutStop){wants_to_stop, &asked});
	cr_expect_eq(abut_scene_parse_with(text, n, "x", types, 0, NULL, &scene, &error), ABUT_ERROR_STOPPED, "%s",
	             error.message);
	cr_expect(!scene && asked == 4, "asked %d times", asked);
	cr_expect(strncmp(error.where, "bodies[0].shape.parts[0]", 24) == 0, "%s", error.where);
	abut_shape_types_destroy(types);
}
