/* Tests that every kind of bad input gives an error with status, path, line and a message that names the mistake. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abut/io.h"
#include "io/scene_text.h"

typedef struct Bad {
	const char *find, *replacement; /* a fragment of scene_text */
	AbutStatus status;
	const char *where;
	int line, column;    /* column 0: not checked */
	const char *message; /* a part of it */
} Bad;

/* Input that the parser refuses. */
static const Bad parser_table[] = {
    /* syntax */
    {"{\n  \"abut\"", "abut", ABUT_ERROR_PARSE, "", 1, 1, "'a' where a value is expected"},
    {"  ],\n", "  ]\n", ABUT_ERROR_PARSE, "", 12, 3, "a comma or '}'"},
    {"0.3}]\n}\n", "0.3}]\n", ABUT_ERROR_PARSE, "", 13, 1, "the text ends where"},
    {"0.3}]\n}\n", "0.3}]\n}\n{}", ABUT_ERROR_PARSE, "", 14, 1, "the end of the text"},
    {"\"mass\": 1", "\"mass\": 1,", ABUT_ERROR_PARSE, "bodies[1]", 10, 32, "a key in double quotes"},
    {"\"mass\": 1", "\"mass\": NaN", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30,
     "NaN is not JSON: numbers must be finite"},
    {"\"mass\": 1", "\"mass\": Infinity", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "Infinity is not JSON"},
    {"\"mass\": 1", "\"mass\": -Infinity", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "-Infinity is not JSON"},
    {"\"mass\": 1", "\"mass\": 01", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "malformed number"},
    {"\"mass\": 1", "\"mass\": 1.", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "malformed number"},
    {"\"mass\": 1", "\"mass\": 1e", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "malformed number"},
    {"\"mass\": 1", "\"mass\": -", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "malformed number"},
    {"\"mass\": 1", "\"mass\": 1.000000000000000000000000000000000000000000000000000000000000000001", ABUT_ERROR_PARSE,
     "bodies[1].mass", 10, 30, "at most 63"},
    {"\"mass\": 1", "\"mass\": .5", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "no bare dot"},
    {"\"mass\": 1", "\"mass\": +5", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "malformed number"},
    {"\"mass\": 1", "\"mass\": 1/2", ABUT_ERROR_PARSE, "bodies[1]", 10, 31, "'/' where a comma or '}' is expected"},
    {"\"mass\": 1", "\"mass\" 1", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 29, "a colon after the key"},
    {"[0, 0, 1], \"orientation\"", "[0, 0 1], \"orientation\"", ABUT_ERROR_PARSE, "bodies[1].position", 10, 0,
     "a comma or ']'"},
    {"\"mass\"", "// comment\n\"mass\"", ABUT_ERROR_PARSE, "bodies[1]", 10, 22, "comments are not JSON"},
    {"\"cube\"", "\"cu\tbe\"", ABUT_ERROR_PARSE, "bodies[1].name", 10, 17, "control character (byte 0x09)"},
    {"\"cube\"", "\"cu\\xbe\"", ABUT_ERROR_PARSE, "bodies[1].name", 10, 17, "backslash"},
    {"\"cube\"", "\"cu\\ud800\"", ABUT_ERROR_PARSE, "bodies[1].name", 10, 17, "lone surrogate"},
    {"\"cube\"", "\"cu\\u0000\"", ABUT_ERROR_PARSE, "bodies[1].name", 10, 17, "not NUL"},
    {"\"cube\"", "\"cu\xff\"", ABUT_ERROR_PARSE, "bodies[1].name", 10, 17, "not valid UTF-8"},
    {"\"cube\"", "\"cu\xc0\xaf\"", ABUT_ERROR_PARSE, "bodies[1].name", 10, 17, "not valid UTF-8"},
    {"\"cube\"", "\"cu\xed\xa0\x80\"", ABUT_ERROR_PARSE, "bodies[1].name", 10, 17, "not valid UTF-8"},
    {"{\n  \"abut\"", "\xef\xbb\xbf{\n  \"abut\"", ABUT_ERROR_PARSE, "", 1, 1, "byte order mark"},
    /* keys */
    {"\"mass\"", "\"mas\"", ABUT_ERROR_PARSE, "bodies[1].mas", 10, 22,
     "unknown key \"mas\" in a body; did you mean \"mass\"?"},
    {"\"mass\"", "\"banana\"", ABUT_ERROR_PARSE, "bodies[1].banana", 10, 22, "allowed: name, static, shape"},
    {"\"mass\"", "\"na\\nme\"", ABUT_ERROR_PARSE, "bodies[1][\"na?me\"]", 10, 0, "unknown key"},
    {"\"timestep\"", "\"timstep\"", ABUT_ERROR_PARSE, "timstep", 3, 3, "did you mean \"timestep\"?"},
    {"\"kappa\"", "\"kapa\"", ABUT_ERROR_PARSE, "solver.kapa", 6, 14, "did you mean \"kappa\"?"},
    {"\"half_extents\"", "\"half_extent\"", ABUT_ERROR_PARSE, "shapes.brick.half_extent", 7, 39, "did you mean"},
    {"\"mass\": 1", "\"mass\": 1, \"mass\": 2", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 33, "is given twice"},
    {"\"timestep\": 0.01", "\"timestep\": 0.01, \"timestep\": 1", ABUT_ERROR_PARSE, "timestep", 3, 21,
     "is given twice"},
    {"}},\n", "}, \"brick\": {\"type\": \"sphere\", \"radius\": 1}},\n", ABUT_ERROR_PARSE, "shapes.brick", 7, 73,
     "two shapes"},
    {"\"abut\": 1,", "", ABUT_ERROR_PARSE, "abut", 1, 1, "required key \"abut\" is missing"},
    {"\"abut\": 1", "\"abut\": 2", ABUT_ERROR_UNSUPPORTED, "abut", 2, 11, "must be 1"},
    {"\"abut\": 1", "\"abut\": \"1\"", ABUT_ERROR_PARSE, "abut", 2, 11, "is the string \"1\""},
    {"\"name\": \"cube\", ", "", ABUT_ERROR_PARSE, "bodies[1].name", 10, 5, "required key \"name\" is missing"},
    {"\"shape\": \"brick\", ", "", ABUT_ERROR_PARSE, "bodies[1].shape", 10, 5, "required key \"shape\" is missing"},
    {"\"mass\": 1, ", "", ABUT_ERROR_PARSE, "bodies[1]", 10, 5, "needs the key \"mass\" or \"density\""},
    {"\"mass\": 1", "\"mass\": 1, \"density\": 2", ABUT_ERROR_PARSE, "bodies[1].density", 10, 44, "not both"},
    {", \"offset\": 0", "", ABUT_ERROR_PARSE, "bodies[0].shape.offset", 9, 48, "required key \"offset\" is missing"},
    {"\"type\": \"box\", ", "", ABUT_ERROR_PARSE, "shapes.brick.type", 7, 23, "required key \"type\" is missing"},
    {"\"pair\": [\"floor\", \"cube\"], ", "", ABUT_ERROR_PARSE, "contacts[0].pair", 12, 16,
     "required key \"pair\" is missing"},
    /* types */
    {"\"mass\": 1", "\"mass\": \"1\"", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30,
     "must be a positive, finite number, is the string \"1\""},
    {"\"mass\": 1", "\"mass\": null", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "is null"},
    {"\"mass\": 1", "\"mass\": [1]", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "is an array of length 1"},
    {"\"static\": true", "\"static\": 1", ABUT_ERROR_PARSE, "bodies[0].static", 9, 33, "must be true or false, is 1"},
    {"\"position\": [0, 0, 1]", "\"position\": [0, 0]", ABUT_ERROR_PARSE, "bodies[1].position", 10, 63,
     "must be an array of 3 numbers, is an array of length 2"},
    {"\"position\": [0, 0, 1]", "\"position\": [0, \"a\", 1]", ABUT_ERROR_PARSE, "bodies[1].position[1]", 10, 67,
     "is the string \"a\""},
    {"\"bodies\": [", "\"bodies\": 3, \"exclude\": [", ABUT_ERROR_PARSE, "bodies", 8, 13,
     "must be an array of bodies, is 3"},
    {"{\"kappa\": 1e-6}", "[]", ABUT_ERROR_PARSE, "solver", 6, 13, "must be an object"},
    {"{\"brick\": {\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]}}", "[]", ABUT_ERROR_PARSE, "shapes", 7, 13,
     "an object of named shapes"},
    {"\"shape\": \"brick\"", "\"shape\": 3", ABUT_ERROR_PARSE, "bodies[1].shape", 10, 42,
     "the name of a shape or a shape object, is 3"},
    {"\"name\": \"cube\"", "\"name\": \"\"", ABUT_ERROR_PARSE, "bodies[1].name", 10, 14, "1 to 127 bytes, has 0"},
    {"\"name\": \"cube\"", "\"name\": \"a\\nb\"", ABUT_ERROR_PARSE, "bodies[1].name", 10, 14, "control characters"},
    /* values */
    {"\"mass\": 1", "\"mass\": 1e400", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "past the range of a double"},
    {"\"mass\": 1", "\"mass\": -1", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30,
     "must be a positive, finite number, is -1"},
    {"\"mass\": 1", "\"mass\": 0", ABUT_ERROR_PARSE, "bodies[1].mass", 10, 30, "is 0"},
    {"\"mass\": 1", "\"density\": -2", ABUT_ERROR_PARSE, "bodies[1].density", 10, 33, "is -2"},
    {"\"timestep\": 0.01", "\"timestep\": 0", ABUT_ERROR_PARSE, "timestep", 3, 15, "positive"},
    {"\"timestep\": 0.01", "\"timestep\": -1e400", ABUT_ERROR_PARSE, "timestep", 3, 15, "positive"},
    {"\"duration\": 0.1", "\"duration\": -0.1", ABUT_ERROR_PARSE, "duration", 4, 15, "positive"},
    {"\"duration\": 0.1", "\"duration\": 1e300", ABUT_ERROR_PARSE, "duration", 4, 15, "more than 1000000000 steps"},
    {"\"friction\": 0.5", "\"friction\": -0.5", ABUT_ERROR_PARSE, "friction", 5, 15, "at least 0"},
    {"\"friction\": 0.5", "\"friction\": 1e999", ABUT_ERROR_PARSE, "friction", 5, 15, "at least 0"},
    {"\"friction\": 0.3", "\"friction\": -0.3", ABUT_ERROR_PARSE, "contacts[0].friction", 12, 56, "at least 0"},
    {"\"friction\": 0.3", "\"torsional_radius\": -1", ABUT_ERROR_PARSE, "contacts[0].torsional_radius", 12, 64,
     "at least 0"},
    {"[0.5, 0.5, 0.5]", "[0.5, 0, 0.5]", ABUT_ERROR_PARSE, "shapes.brick.half_extents[1]", 7, 61, "positive"},
    {"[0.5, 0.5, 0.5]", "[0.5, -1, 0.5]", ABUT_ERROR_PARSE, "shapes.brick.half_extents[1]", 7, 61, "positive"},
    {"[1, 0, 0, 0]", "[1, 0, 0, 0.1]", ABUT_ERROR_PARSE, "bodies[1].orientation", 10, 89, "unit quaternion"},
    {"[1, 0, 0, 0]", "[0, 0, 0, 0]", ABUT_ERROR_PARSE, "bodies[1].orientation", 10, 89, "has length 0"},
    {"\"kappa\": 1e-6", "\"kappa\": 2", ABUT_ERROR_PARSE, "solver.kappa", 6, 23, "from 1e-12 to 1"},
    {"\"kappa\": 1e-6", "\"max_iterations\": 1.5", ABUT_ERROR_PARSE, "solver.max_iterations", 6, 32,
     "an integer from 1"},
    {"\"kappa\": 1e-6", "\"max_iterations\": 0", ABUT_ERROR_PARSE, "solver.max_iterations", 6, 32, "an integer from 1"},
    {"[0, 0, 1], \"offset\"", "[0, 0, 0], \"offset\"", ABUT_ERROR_ARGUMENT, "bodies[0].shape.normal", 9, 80, "normal"},
    /* names */
    {"\"shape\": \"brick\"", "\"shape\": \"brik\"", ABUT_ERROR_PARSE, "bodies[1].shape", 10, 42,
     "unknown shape \"brik\"; did you mean \"brick\"?"},
    {"\"shape\": \"brick\"", "\"shape\": \"zzzzzz\"", ABUT_ERROR_PARSE, "bodies[1].shape", 10, 42,
     "the scene has brick"},
    {"\"type\": \"box\"", "\"type\": \"boks\"", ABUT_ERROR_PARSE, "shapes.brick.type", 7, 32,
     "one of halfspace, box, polytope, padded_polytope, sphere, ellipsoid, capsule, cylinder, cone, "
     "minkowski_sum, intersection, conic, superellipsoid, union, mesh, is the string \"boks\""},
    {"\"kappa\": 1e-6", "\"method\": \"magic\"", ABUT_ERROR_PARSE, "solver.method", 6, 24,
     "one of single-level, bilevel, lcp, point-ncp, convex"},
    {"\"kappa\": 1e-6", "\"friction_cone\": \"box\"", ABUT_ERROR_PARSE, "solver.friction_cone", 6, 31,
     "one of soc, pyramid"},
    {"[\"floor\", \"cube\"]", "[\"floor\", \"cub\"]", ABUT_ERROR_PARSE, "contacts[0].pair[1]", 12, 35,
     "unknown body \"cub\"; did you mean \"cube\"?"},
    {"[\"floor\", \"cube\"]", "[\"floor\"]", ABUT_ERROR_PARSE, "contacts[0].pair", 12, 25, "an array of two names"},
    {"[\"floor\", \"cube\"]", "[\"cube\", \"cube\"]", ABUT_ERROR_PARSE, "contacts[0].pair", 12, 25,
     "in contact with itself"},
    {"0.3}]", "0.3}, {\"pair\": [\"cube\", \"floor\"]}]", ABUT_ERROR_PARSE, "contacts[1]", 12, 62, "is listed twice"},
    {"0.3}]", "0.3}], \"exclude\": [[\"cube\", \"floor\"]]", ABUT_ERROR_PARSE, "exclude", 12, 0,
     "works only with \"contacts\": \"all\""},
    {"0.3}]", "0.3}, \"all\"], \"exclude\": [[\"cube\", \"floor\"]]", ABUT_ERROR_PARSE, "exclude[0]", 12, 0,
     "is listed twice"},
    {"[{\"pair\"", "\"every\", \"exclude\": [{\"pair\"", ABUT_ERROR_PARSE, "contacts", 12, 15,
     "\"all\" or an array of contacts"},
    {"\"name\": \"cube\"", "\"name\": \"floor\"", ABUT_ERROR_PARSE, "bodies[1].name", 10, 14,
     "two bodies have the name \"floor\""},
    /* known, in later versions */
    {"\"mass\": 1", "\"mass\": 1, \"planar\": \"xy\"", ABUT_ERROR_PARSE, "bodies[1].planar", 10, 43,
     "must be one of xz"},
    {"\"kappa\": 1e-6", "\"preset\": \"papre\"", ABUT_ERROR_PARSE, "solver.preset", 6, 24, "paper"},
    {"\"kappa\": 1e-6", "\"kappa_gradient\": -1", ABUT_ERROR_PARSE, "solver.kappa_gradient", 6, 32,
     "must be 0 (at the exact solution) or a number from 1e-12 to 1, is -1"},
    /* unions */
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"union\"", ABUT_ERROR_PARSE,
     "shapes.brick.parts", 7, 23, "required key \"parts\" is missing"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"union\", \"parts\": []", ABUT_ERROR_PARSE,
     "shapes.brick.parts", 7, 0, "an array that is not empty"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"union\", \"parts\": [{\"type\": \"union\", \"parts\": [{\"type\": \"sphere\", \"radius\": -1}]}]",
     ABUT_ERROR_PARSE, "shapes.brick.parts[0].parts[0].radius", 7, 0, "positive"},
    /* compositions and conic data */
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"minkowski_sum\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1}]", ABUT_ERROR_PARSE,
     "shapes.brick.parts", 7, 0, "two shapes or more"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"minkowski_sum\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1}, {\"type\": \"halfspace\", "
     "\"normal\": [0, 0, 1], \"offset\": 0}]",
     ABUT_ERROR_ARGUMENT, "shapes.brick.parts", 7, 0, "parts[1] is a halfspace"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"intersection\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1}, {\"type\": \"sphere\", "
     "\"radius\": 1, \"position\": [3, 0, 0]}]",
     ABUT_ERROR_ARGUMENT, "shapes.brick.parts", 7, 0, "the set is empty"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"intersection\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1}, {\"type\": \"sphere\", "
     "\"radius\": 1, \"position\": [2, 0, 0]}]",
     ABUT_ERROR_ARGUMENT, "shapes.brick.parts", 7, 0, "the set is flat"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"intersection\", \"parts\": [{\"type\": \"union\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1}, "
     "{\"type\": \"sphere\", \"radius\": 1, \"position\": [0, 0, 0]}]}, {\"type\": \"halfspace\", \"normal\": [0, 0, "
     "1], \"offset\": -2}]",
     ABUT_ERROR_ARGUMENT, "shapes.brick.parts", 7, 0, "the set is empty"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"conic\", \"A\": [[0, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, 0]], \"d\": [1, 0, 0, 0], \"h\": [0, 0, "
     "0, 0], \"cones\": {\"soc\": [4]}",
     ABUT_ERROR_ARGUMENT, "shapes.brick.A", 7, 0, "unbounded along"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"conic\", \"A\": [[0, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -1]], \"d\": [-1, 0, 0, 0], \"h\": [0, 0, "
     "0, 0], \"cones\": {\"soc\": [4]}",
     ABUT_ERROR_ARGUMENT, "shapes.brick.A", 7, 0, "the set is empty"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"conic\", \"A\": [[0, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -1]], \"d\": [1, 0, 0, 0], \"h\": [0, 0, "
     "0, 0], \"cones\": {\"soc\": [3]}",
     ABUT_ERROR_ARGUMENT, "shapes.brick.cones", 7, 0, "the cones have 3 rows, but A has 4"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"conic\", \"A\": [[0, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -1]], \"d\": [1, 0, 0, 0], \"h\": [0, 0, "
     "0, 0], \"cones\": {\"soc\": [1]}",
     ABUT_ERROR_PARSE, "shapes.brick.cones.soc[0]", 7, 0, "an integer from 2 to 4"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"conic\", \"A\": [[1, 0, 0]], \"d\": [1, 2], \"h\": [0], \"cones\": {\"orthant\": 1}",
     ABUT_ERROR_PARSE, "shapes.brick.d", 7, 0, "an entry for each of the 1 rows of A, has 2"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"conic\", \"A\": [[1, 0, 0]], \"d\": [0], \"h\": [0], \"cones\": {\"orthant\": 1}",
     ABUT_ERROR_ARGUMENT, "shapes.brick.d", 7, 0, "the set is a cone or a point; some row must have at least 1e-09"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"conic\", \"A\": [[0, 0, 0]], \"d\": [1], \"h\": [0], \"cones\": {\"orthant\": 1}",
     ABUT_ERROR_ARGUMENT, "shapes.brick.A", 7, 0, "constrain no point"},
    /* polytopes */
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"polytope\"", ABUT_ERROR_PARSE, "shapes.brick",
     7, 23, "needs \"A\" and \"b\", or \"vertices\""},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"polytope\", \"A\": [[1,0,0]]",
     ABUT_ERROR_PARSE, "shapes.brick.b", 7, 23, "required key \"b\" is missing"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"polytope\", \"A\": [[1,0,0]], \"b\": [1, 2]",
     ABUT_ERROR_PARSE, "shapes.brick.b", 7, 0, "a number for each of the 1 rows of A, has 2"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"polytope\", \"A\": [[1,0]], \"b\": [1]",
     ABUT_ERROR_PARSE, "shapes.brick.A[0]", 7, 0, "an array of 3 numbers"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"polytope\", \"A\": [], \"b\": []",
     ABUT_ERROR_PARSE, "shapes.brick.A", 7, 0, "not empty"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"polytope\", \"vertices\": [], \"A\": []",
     ABUT_ERROR_PARSE, "shapes.brick.A", 7, 0, "not both"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"polytope\", \"A\": [[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1]], \"b\": [1,1,1,1,1]",
     ABUT_ERROR_ARGUMENT, "shapes.brick.A", 7, 0, "bounded"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"polytope\", \"A\": [[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1]], \"b\": [1,-2,1,1,1,1]",
     ABUT_ERROR_ARGUMENT, "shapes.brick.b", 7, 0, ""},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"polytope\", \"vertices\": [[0,0,0],[1,0,0],[0,1,0]]", ABUT_ERROR_ARGUMENT, "shapes.brick.vertices", 7,
     0, "4"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"polytope\", \"vertices\": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]", ABUT_ERROR_ARGUMENT,
     "shapes.brick.vertices", 7, 0, ""},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"padded_polytope\", \"radius\": 0, \"vertices\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]", ABUT_ERROR_PARSE,
     "shapes.brick.radius", 7, 0, "positive"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"sphere\", \"radius\": -1", ABUT_ERROR_PARSE,
     "shapes.brick.radius", 7, 0, "positive"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"capsule\", \"radius\": 1, \"length\": 0",
     ABUT_ERROR_PARSE, "shapes.brick.length", 7, 0, "positive"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]", "\"type\": \"cone\", \"radius\": 1, \"height\": 1e400",
     ABUT_ERROR_PARSE, "shapes.brick.height", 7, 0, "positive"},
    {"\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]",
     "\"type\": \"sphere\", \"radius\": 1, \"orientation\": [2, 0, 0, 0]", ABUT_ERROR_PARSE, "shapes.brick.orientation",
     7, 0, "unit quaternion"},
};

/* Scenes that abut_model_create refuses; abut_scene_locate gives their place. */
static const Bad model_table[] = {
    {"\"mass\": 1", "\"mass\": 1, \"inertia\": [1, 1, 3]", ABUT_ERROR_ARGUMENT, "bodies[1].inertia", 10, 44, "inertia"},
    {"\"mass\": 1", "\"mass\": 1, \"inertia\": [1, 1, -1]", ABUT_ERROR_ARGUMENT, "bodies[1].inertia", 10, 44,
     "inertia"},
    {"\"mass\": 1", "\"mass\": 1, \"inertia\": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]", ABUT_ERROR_ARGUMENT,
     "bodies[1].inertia", 10, 44, "symmetric"},
    {"\"mass\": 1", "\"mass\": 1, \"angular_velocity\": [0, 0, 8000]", ABUT_ERROR_ARGUMENT,
     "bodies[1].angular_velocity", 10, 53, "7680"},
    {"\"static\": true", "\"mass\": 1", ABUT_ERROR_ARGUMENT, "bodies[0].shape", 9, 0, "halfspace must be static"},
    {"\"mass\": 1, \"shape\": \"brick\"",
     "\"static\": true, \"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}",
     ABUT_ERROR_ARGUMENT, "contacts[0].pair", 12, 25, "halfspaces"},
    {"\"kappa\": 1e-6", "\"linear_solver\": \"dense\", \"method\": \"point-ncp\"", ABUT_ERROR_UNSUPPORTED,
     "solver.linear_solver", 6, 31, "point-ncp"},
};

static void check(const Bad *bad, bool by_model)
{
	char text[SCENE_TEXT_SIZE];
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutError error = {0};
	cr_assert(scene_replace(bad->find, bad->replacement, text), "no '%s' in the scene", bad->find);
	AbutStatus status = abut_scene_parse(text, strlen(text), "test.json", 0, NULL, &scene, &error);
	if (by_model) {
		cr_assert_eq(status, ABUT_OK, "%s: %s", bad->replacement, error.message);
		status = abut_model_create(abut_scene_def(scene), &model, &error);
		abut_scene_locate(scene, &error);
		abut_scene_destroy(scene);
		cr_expect_null(model);
	} else {
		cr_expect_null(scene);
	}
	cr_expect_eq(status, bad->status, "%s: status %d (%s)", bad->replacement, status, error.message);
	cr_expect_eq(error.status, status);
	cr_expect_str_eq(error.where, bad->where, "%s: where '%s' (%s)", bad->replacement, error.where, error.message);
	cr_expect_str_eq(error.file, "test.json");
	cr_expect_eq(error.line, bad->line, "%s: line %d (%s)", bad->replacement, error.line, error.message);
	cr_expect(bad->column == 0 || error.column == bad->column, "%s: column %d (%s)", bad->replacement, error.column,
	          error.message);
	cr_expect(strstr(error.message, bad->message), "%s: message '%s'", bad->replacement, error.message);
	cr_expect(!strchr(error.message, '\n'));
	/* The path ends in the name. The message must not begin with it again. */
	const char *name = strrchr(error.where, '.');
	const size_t n = name ? strlen(name + 1) : 0;
	cr_expect(n == 0 || strncmp(error.message, name + 1, n) != 0 || error.message[n] != ':', "%s: %s", error.where,
	          error.message);
	cr_expect(strncmp(error.message, "A, b:", 5) != 0, "%s", error.message);
	/* Without an error to fill, the status is the same. */
	if (!by_model) {
		cr_expect_eq(abut_scene_parse(text, strlen(text), "test.json", 0, NULL, &scene, NULL), bad->status);
	}
}

Test(bad_input, parser)
{
	for (size_t i = 0; i < sizeof parser_table / sizeof *parser_table; i++) {
		check(&parser_table[i], false);
	}
}

Test(bad_input, model)
{
	for (size_t i = 0; i < sizeof model_table / sizeof *model_table; i++) {
		check(&model_table[i], true);
	}
}

static AbutStatus parse(const char *text, size_t length, AbutError *error)
{
	AbutScene *scene = NULL;
	const AbutStatus status = abut_scene_parse(text, length, "test.json", 0, NULL, &scene, error);
	cr_expect_null(scene);
	return status;
}

Test(bad_input, cut_off_anywhere)
{
	for (size_t length = 0; length + 2 < sizeof scene_text; length++) {
		AbutError error = {0};
		cr_expect_eq(parse(scene_text, length, &error), ABUT_ERROR_PARSE, "cut at %zu", length);
		cr_expect(error.message[0] && error.line > 0, "cut at %zu", length);
	}
}

Test(bad_input, deep_nesting)
{
	enum { DEPTH = 100000 };
	static const char *const openings[] = {"[", "{\"a\":"};
	for (int i = 0; i < 2; i++) {
		const size_t n = strlen(openings[i]);
		char *text = malloc(DEPTH * n);
		for (int k = 0; k < DEPTH; k++) {
			memcpy(text + (size_t)k * n, openings[i], n);
		}
		AbutError error = {0};
		cr_expect_eq(parse(text, DEPTH * n, &error), ABUT_ERROR_PARSE);
		cr_expect(strstr(error.message, "nested deeper than 64"), "%s", error.message);
		cr_expect_str_eq(error.where, i == 0 ? "[0]" : "a");
		free(text);
	}
}

Test(bad_input, deepest_allowed_is_freed_and_located)
{
	char text[256] = "";
	for (int i = 0; i < 63; i++) {
		strcat(text, "[");
	}
	for (int i = 0; i < 63; i++) {
		strcat(text, "]");
	}
	char scene[512];
	snprintf(scene, sizeof scene, "{\"abut\": 1, \"bodies\": %s}", text);
	AbutError error = {0};
	cr_expect_eq(parse(scene, strlen(scene), &error), ABUT_ERROR_PARSE);
	cr_expect_str_eq(error.where, "bodies[0]");
}

Test(bad_input, nul_bytes)
{
	char text[sizeof scene_text];
	for (size_t i = 0; i + 1 < sizeof scene_text; i += 7) {
		memcpy(text, scene_text, sizeof text);
		text[i] = '\0';
		AbutError error = {0};
		cr_expect_eq(parse(text, sizeof text - 1, &error), ABUT_ERROR_PARSE, "NUL at %zu", i);
	}
	AbutError error = {0};
	cr_expect_eq(parse(scene_text, sizeof scene_text, &error), ABUT_ERROR_PARSE); /* with its NUL at the end */
	cr_expect(strstr(error.message, "NUL byte"));
}

Test(bad_input, empty_bodies)
{
	const char text[] = "{\"abut\": 1,\n\"bodies\": []}";
	AbutError error = {0};
	cr_expect_eq(parse(text, sizeof text - 1, &error), ABUT_ERROR_PARSE);
	cr_expect_str_eq(error.where, "bodies");
	cr_expect_eq(error.line, 2);
	cr_expect(strstr(error.message, "has 0"));
}

Test(bad_input, long_names_stay_short_in_messages)
{
	char name[3001], replacement[3100], text[SCENE_TEXT_SIZE];
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	AbutError error = {0};
	snprintf(replacement, sizeof replacement, "\"name\": \"%s\"", name);
	cr_assert(scene_replace("\"name\": \"cube\"", replacement, text));
	cr_expect_eq(parse(text, strlen(text), &error), ABUT_ERROR_PARSE);
	cr_expect(strstr(error.message, "has 3000"), "%s", error.message);
	snprintf(replacement, sizeof replacement, "\"%s\": 1", name);
	cr_assert(scene_replace("\"mass\": 1", replacement, text));
	cr_expect_eq(parse(text, strlen(text), &error), ABUT_ERROR_PARSE);
	cr_expect(strstr(error.message, "...\""), "%s", error.message);
	cr_expect_eq(error.line, 10);
	snprintf(replacement, sizeof replacement, "\"shape\": \"%s\"", name);
	cr_assert(scene_replace("\"shape\": \"brick\"", replacement, text));
	cr_expect_eq(parse(text, strlen(text), &error), ABUT_ERROR_PARSE);
	cr_expect(strstr(error.message, "unknown shape \"xxx"), "%s", error.message);
}

/* --- files --- */

static AbutStatus load(const char *path, AbutError *error)
{
	AbutScene *scene = NULL;
	const AbutStatus status = abut_scene_load(path, 0, NULL, &scene, error);
	cr_expect_null(scene);
	return status;
}

Test(bad_input, unreadable_files)
{
	AbutError error = {0};
	cr_expect_eq(load("/nonexistent/scene.json", &error), ABUT_ERROR_IO);
	cr_expect_str_eq(error.file, "/nonexistent/scene.json");
	cr_expect(strstr(error.message, "No such file"), "%s", error.message);
	cr_expect_eq(error.line, 0);
	cr_expect_eq(load("/tmp", &error), ABUT_ERROR_IO);
	cr_expect(strstr(error.message, "Is a directory"), "%s", error.message);
	if (geteuid() != 0) {
		char path[] = "/tmp/abut-test-XXXXXX";
		const int file = mkstemp(path);
		cr_assert(file >= 0 && fchmod(file, 0) == 0);
		close(file);
		cr_expect_eq(load(path, &error), ABUT_ERROR_IO);
		cr_expect(strstr(error.message, "Permission denied"), "%s", error.message);
		unlink(path);
	}
}

Test(bad_input, huge_files)
{
	char path[] = "/tmp/abut-test-XXXXXX";
	const int file = mkstemp(path);
	AbutError error = {0};
	cr_assert(file >= 0 && ftruncate(file, 100000000) == 0);
	cr_expect_eq(load(path, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "larger than 64 MiB"), "%s", error.message);
	close(file);
	unlink(path);
	/* A device has no size. Reading must still be bounded. */
	cr_expect_eq(load("/dev/zero", &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "larger than 64 MiB"), "%s", error.message);
	cr_expect_eq(load("/dev/null", &error), ABUT_ERROR_PARSE);
}

Test(bad_input, many_names_stay_quick)
{
	enum { N = ABUT_BODIES_MAX };
	char *text = malloc(100 + (size_t)N * 80);
	size_t n = (size_t)sprintf(text, "{\"abut\": 1, \"bodies\": [");
	for (int i = 0; i < N; i++) {
		n += (size_t)sprintf(
		    text + n,
		    "%s{\"name\": \"b%d\", \"static\": true, \"shape\": {\"type\": \"sphere\", \"radius\": 1}}",
		    i ? "," : "", i == N - 1 ? 5 : i);
	}
	n += (size_t)sprintf(text + n, "]}");
	AbutError error = {0};
	cr_expect_eq(parse(text, n, &error), ABUT_ERROR_PARSE);
	cr_expect_str_eq(error.where, "bodies[19999].name");
	free(text);
}
