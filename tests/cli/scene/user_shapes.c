/* Tests wrong shapes of the user. `abut validate` reports in one line the place, the check that failed, and a remedy.
 * The messages are for users who write the matrices by hand. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cli/call.h"

TestSuite(user_shapes, .init = set_up, .fini = tear_down);

#define BALL_ROWS "[[0, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -1]]"
#define SMOOTH "{\"type\": \"superellipsoid\", \"radii\": [1, 1, 1], \"exponents\": [3, 3]}"

typedef struct Wrong {
	const char *shape;   /* begins line 6 */
	const char *anchor;  /* the shape's text from the column of the error on */
	const char *path;    /* after bodies[1].shape */
	const char *message; /* what is wrong, a part of it */
	const char *cure;    /* and what is allowed */
} Wrong;

static const Wrong table[] = {
    {"{\"type\": \"conic\", \"A\": [[0, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, 0]], \"d\": [1, 0, 0, 0], "
     "\"h\": [0, 0, 0, 0], \"cones\": {\"soc\": [4]}}",
     "[[0, 0, 0]", ".A", "unbounded along", "add rows that bound it"},
    {"{\"type\": \"conic\", \"A\": " BALL_ROWS
     ", \"d\": [-1, 0, 0, 0], \"h\": [0, 0, 0, 0], \"cones\": {\"soc\": [4]}}",
     "[[0, 0, 0]", ".A", "the set is empty", "remove or move some of them"},
    {"{\"type\": \"conic\", \"A\": [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], "
     "\"d\": [1, 1, 1, 1, 0, 0], \"h\": [0, 0, 0, 0, 0, 0], \"cones\": {\"orthant\": 6}}",
     "[[1, 0, 0]", ".A", "the set is flat", "give it some thickness"},
    {"{\"type\": \"conic\", \"A\": " BALL_ROWS ", \"d\": [1, 0, 0, 0], \"h\": [0, 0, 0, 0], \"cones\": {\"soc\": [3]}}",
     "{\"soc\"", ".cones", "the cones have 3 rows, but A has 4", "cover each row once"},
    {"{\"type\": \"conic\", \"A\": " BALL_ROWS ", \"d\": [1, 0, 0], \"h\": [0, 0, 0, 0], \"cones\": {\"soc\": [4]}}",
     "[1, 0, 0]", ".d", "has 3", "an entry for each of the 4 rows"},
    {"{\"type\": \"conic\", \"A\": " BALL_ROWS ", \"B\": [[1], [0], [0]], \"d\": [1, 0, 0, 0], \"h\": [0, 0, 0, 0], "
     "\"cones\": {\"soc\": [4]}}",
     "[[1], [0]", ".B", "has 3", "an entry for each of the 4 rows"},
    {"{\"type\": \"conic\", \"A\": [[0, 0], [-1, 0]], \"d\": [1, 0], \"h\": [0, 0], \"cones\": {\"soc\": [2]}}",
     "[0, 0], [-1", ".A[0]", "an array of length 2", "an array of 3 numbers"},
    {"{\"type\": \"superellipsoid\", \"radii\": [1, 1, 1], \"exponents\": [1.5, 2]}", "[1.5", ".exponents",
     "exponents[0] is 1.5", "between 2 and 20"},
    {"{\"type\": \"superellipsoid\", \"radii\": [1, -2, 1], \"exponents\": [2, 2]}", "-2", ".radii[1]", "is -2",
     "a positive, finite number"},
    {"{\"type\": \"minkowski_sum\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1}, " SMOOTH "]}",
     "{\"type\": \"superellipsoid\"", ".parts[1]", "is a smooth shape", "use an ellipsoid or a polytope instead"},
    {"{\"type\": \"intersection\", \"parts\": [" SMOOTH ", {\"type\": \"sphere\", \"radius\": 1}]}",
     "{\"type\": \"superellipsoid\"", ".parts[0]", "is a smooth shape", "use an ellipsoid or a polytope instead"},
    {"{\"type\": \"intersection\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1}, {\"type\": \"union\", \"parts\": "
     "[{\"type\": \"sphere\", \"radius\": 1}, " SMOOTH "]}]}",
     "{\"type\": \"union\"", ".parts[1]", "is a smooth shape", "use an ellipsoid or a polytope instead"},
    {"{\"type\": \"minkowski_sum\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1}, {\"type\": \"intersection\", "
     "\"parts\": [{\"type\": \"sphere\", \"radius\": 1}, " SMOOTH "]}]}",
     "{\"type\": \"superellipsoid\"", ".parts[1].parts[1]", "is a smooth shape", "instead"},
    {"{\"type\": \"padded_polytope\", \"radius\": 0.1, \"core\": " SMOOTH "}", "\"core\"", ".core", "unknown key",
     "allowed: type, A, b, vertices, radius"},
};

Test(user_shapes, one_line_with_place_check_and_cure)
{
	static Call result;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const Wrong *wrong = &table[i];
		char text[2048], place[128];
		snprintf(
		    text, sizeof text,
		    "{\n  \"abut\": 1, \"name\": \"s\",\n  \"bodies\": [\n    {\"name\": \"floor\", \"static\": true, "
		    "\"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}},\n    {\"name\": "
		    "\"thing\", \"mass\": 1, \"position\": [0, 0, 2], \"shape\":\n%s\n    }\n  ]\n}\n",
		    wrong->shape);
		write_file("s.json", text);
		call(&result, "validate s.json");
		const char *anchor = strstr(wrong->shape, wrong->anchor);
		cr_assert_not_null(anchor, "case %d", (int)i);
		snprintf(place, sizeof place,
		         "abut: s.json:6:%d: bodies[1].shape%s: ", (int)(anchor - wrong->shape) + 1, wrong->path);
		cr_expect_eq(result.status, 2, "case %d: %d", (int)i, result.status);
		cr_expect_eq(count_lines(result.err), 1, "case %d: %s", (int)i, result.err);
		cr_expect_eq(strncmp(result.err, place, strlen(place)), 0, "case %d: %s is not at %s", (int)i,
		             result.err, place);
		cr_expect(strstr(result.err, wrong->message), "case %d: %s", (int)i, result.err);
		cr_expect(strstr(result.err, wrong->cure), "case %d: %s", (int)i, result.err);
	}
}
