/* Tests that valid scenes give the values they state, and the documented defaults (docs/interface.md) for others. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "abut/io.h"
#include "io/scene_text.h"

static AbutScene *parse(const char *text)
{
	AbutScene *scene = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_scene_parse(text, strlen(text), "folder/my scene.json", 0, NULL, &scene, &error), ABUT_OK,
	             "%s: %s", error.where, error.message);
	cr_expect_eq(error.message[0], '\0');
	return scene;
}

static void expect_vector(const double *actual, const double *expected, int n)
{
	for (int i = 0; i < n; i++) {
		cr_expect_float_eq(actual[i], expected[i], 1e-15, "[%d]: %g, not %g", i, actual[i], expected[i]);
	}
}

#define EXPECT_VECTOR(actual, ...)                                                                                     \
	expect_vector(actual, (const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double))

Test(good_input, defaults)
{
	AbutScene *scene =
	    parse("{\"abut\": 1, \"bodies\": [{\"name\": \"ball\", \"density\": 2, \"shape\": {\"type\": "
	          "\"sphere\", \"radius\": 0.5}}]}");
	const AbutSceneDef *def = abut_scene_def(scene);
	cr_expect_str_eq(def->name, "my scene");
	EXPECT_VECTOR(def->gravity, 0, 0, -9.81);
	cr_expect_eq(def->timestep, 0.01);
	cr_expect_eq(def->duration, 1.0);
	cr_expect_eq(def->friction, 0.5);
	cr_expect_eq(def->solver.method, ABUT_METHOD_SINGLE_LEVEL);
	cr_expect_eq(def->solver.kappa, 1e-6);
	cr_expect_eq(def->solver.tolerance, 0.0);
	cr_expect_eq(def->solver.max_iterations, 30);
	cr_expect_eq(def->solver.finish, ABUT_FINISH_EXACT);
	cr_expect_eq(def->solver.friction_cone, ABUT_FRICTION_CONE_SOC);
	cr_expect_eq(def->solver.linear_solver, ABUT_LINEAR_SOLVER_CONDENSED);
	cr_expect(def->solver.retry && def->solver.warm_start);
	cr_expect_eq(def->solver.warm_start_rule, ABUT_WARM_RULE_EXTRAPOLATED);
	cr_expect(def->all_pairs && def->n_pairs == 0 && def->n_exclude == 0);
	cr_assert_eq(def->n_bodies, 1);
	const AbutBodyDef *body = &def->bodies[0];
	cr_expect_str_eq(body->name, "ball");
	cr_expect(!body->is_static && !body->has_inertia && !body->has_centre_of_mass);
	cr_expect_eq(body->mass, 0.0);
	cr_expect_eq(body->density, 2.0);
	cr_expect(body->friction < 0.0);
	EXPECT_VECTOR(body->orientation, 1, 0, 0, 0);
	cr_assert_eq(body->n_parts, 1);
	cr_expect_eq(body->parts[0]->kind, ABUT_SHAPE_SPHERE);
	abut_scene_destroy(scene);
}

Test(good_input, every_key)
{
	AbutScene *scene = parse(
	    "{\"abut\": 1, \"name\": \"all \\u00e9\", \"gravity\": [1, 2, 3], \"timestep\": 0.02, \"duration\": 3, "
	    "\"friction\": 0,"
	    "\"solver\": {\"method\": \"bilevel\", \"kappa\": 1e-4, \"finish\": \"none\", \"tolerance\": 1e-9, "
	    "\"max_iterations\": 50, \"friction_cone\": \"pyramid\", \"retry\": false, \"warm_start\": false, "
	    "\"warm_start_rule\": \"shifted\", \"linear_solver\": \"dense\", \"collision_kappa\": 1e-5, "
	    "\"lcp_gap\": \"full\", \"lcp_solver\": \"pgs\", \"kappa_gradient\": 1e-3, \"solref\": [-100, -5], "
	    "\"solimp\": [0.5, 0.6, 0.01, 0.4, 3], \"impratio\": 2, \"margin\": 0.125, "
	    "\"convex_model\": \"barrier\"},"
	    "\"shapes\": {\"a.b\": {\"type\": \"box\", \"half_extents\": [1, 2, 3], \"position\": [0, 0, 5], "
	    "\"orientation\": "
	    "[0.6, 0.8, 0, 0]}},"
	    "\"bodies\": [{\"name\": \"one\", \"static\": false, \"mass\": 2, \"shape\": \"a.b\", \"inertia\": [1, 2, "
	    "2.5], "
	    "\"centre_of_mass\": [0.1, 0.2, 0.3], \"position\": [4, 5, 6], \"orientation\": [0, 1.0000005, 0, 0], "
	    "\"linear_velocity\": [7, 8, 9], \"angular_velocity\": [0.1, 0.2, 0.3], \"friction\": 0.25, \"planar\": "
	    "\"xz\", \"input\": "
	    "{\"force\": "
	    "[1, 0, 0], \"torque\": [0, 2, 0]}},"
	    "{\"name\": \"two\", \"mass\": 2, \"shape\": \"a.b\", \"inertia\": [[1, 0.1, 0], [0.1, 2, 0], [0, 0, "
	    "2.5]]},"
	    "{\"name\": \"three\", \"static\": true, \"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 2], "
	    "\"offset\": 4}}],"
	    "\"contacts\": [{\"pair\": [\"three\", \"one\"], \"friction\": 0.3, \"torsional_radius\": 0, "
	    "\"solref\": [0.1, 0.5], \"solimp\": [0.1, 0.2, 0.3, 0.4, 5], \"margin\": 0.01}, \"all\"],"
	    "\"exclude\": [[\"two\", \"one\"]]}");
	const AbutSceneDef *def = abut_scene_def(scene);
	cr_expect_str_eq(def->name, "all \xc3\xa9");
	EXPECT_VECTOR(def->gravity, 1, 2, 3);
	cr_expect_eq(def->timestep, 0.02);
	cr_expect_eq(def->duration, 3.0);
	cr_expect_eq(def->friction, 0.0);
	cr_expect_eq(def->solver.method, ABUT_METHOD_BILEVEL);
	cr_expect_eq(def->solver.kappa, 1e-4);
	cr_expect_eq(def->solver.finish, ABUT_FINISH_NONE);
	cr_expect_eq(def->solver.tolerance, 1e-9);
	cr_expect_eq(def->solver.max_iterations, 50);
	cr_expect_eq(def->solver.friction_cone, ABUT_FRICTION_CONE_PYRAMID);
	cr_expect_eq(def->solver.linear_solver, ABUT_LINEAR_SOLVER_DENSE);
	cr_expect(!def->solver.retry && !def->solver.warm_start);
	cr_expect_eq(def->solver.warm_start_rule, ABUT_WARM_RULE_SHIFTED);
	cr_expect_eq(def->solver.collision_kappa, 1e-5);
	cr_expect_eq(def->solver.lcp_gap, ABUT_LCP_GAP_FULL);
	cr_expect_eq(def->solver.lcp_solver, ABUT_LCP_SOLVER_PGS);
	cr_expect_eq(def->solver.kappa_gradient, 1e-3);
	cr_expect_eq(def->solver.impratio, 2.0);
	cr_expect_eq(def->solver.margin, 0.125);
	cr_expect_eq(def->solver.convex_model, ABUT_CONVEX_MODEL_BARRIER);
	cr_expect(def->solver.solref[0] == -100.0 && def->solver.solref[1] == -5.0);
	EXPECT_VECTOR(def->solver.solimp, 0.5, 0.6, 0.01, 0.4, 3);
	cr_assert_eq(def->n_bodies, 3);
	const AbutBodyDef *one = &def->bodies[0], *two = &def->bodies[1], *three = &def->bodies[2];
	cr_expect_eq(one->mass, 2.0);
	cr_expect(one->planar_xz && !two->planar_xz);
	cr_expect(one->has_inertia && one->has_centre_of_mass);
	EXPECT_VECTOR(one->inertia, 1, 0, 0, 0, 2, 0, 0, 0, 2.5);
	EXPECT_VECTOR(one->centre_of_mass, 0.1, 0.2, 0.3);
	EXPECT_VECTOR(one->position, 4, 5, 6);
	EXPECT_VECTOR(one->orientation, 0, 1, 0, 0); /* normalised */
	EXPECT_VECTOR(one->linear_velocity, 7, 8, 9);
	EXPECT_VECTOR(one->angular_velocity, 0.1, 0.2, 0.3);
	EXPECT_VECTOR(one->force, 1, 0, 0);
	EXPECT_VECTOR(one->torque, 0, 2, 0);
	cr_expect_eq(one->friction, 0.25);
	EXPECT_VECTOR(two->inertia, 1, 0.1, 0, 0.1, 2, 0, 0, 0, 2.5);
	cr_expect(three->is_static);
	cr_expect_eq(one->parts[0], two->parts[0]); /* one named shape, shared */
	EXPECT_VECTOR(one->parts[0]->position, 0, 0, 5);
	EXPECT_VECTOR(one->parts[0]->rotation, 1, 0, 0, 0, -0.28, -0.96, 0, 0.96, -0.28);
	cr_expect(def->all_pairs);
	cr_assert_eq(def->n_pairs, 1);
	cr_expect_eq(def->pairs[0].body_a, 2);
	cr_expect_eq(def->pairs[0].body_b, 0);
	cr_expect_eq(def->pairs[0].friction, 0.3);
	cr_expect_eq(def->pairs[0].torsional_radius, 0.0);
	cr_assert_eq(def->n_exclude, 1);
	cr_expect_eq(def->exclude[0][0], 1);
	cr_expect_eq(def->exclude[0][1], 0);
	abut_scene_destroy(scene);
}

Test(good_input, every_shape)
{
	static const struct {
		const char *text;
		AbutShapeKind kind;
		double top; /* support along +z */
	} shapes[] = {
	    {"\"type\": \"halfspace\", \"normal\": [0, 0, 2], \"offset\": 4", ABUT_SHAPE_HALFSPACE, 2.0},
	    {"\"type\": \"box\", \"half_extents\": [1, 2, 3]", ABUT_SHAPE_BOX, 3.0},
	    {"\"type\": \"polytope\", \"A\": [[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1]], \"b\": "
	     "[1,1,1,1,0.5,1]",
	     ABUT_SHAPE_POLYTOPE, 0.5},
	    {"\"type\": \"polytope\", \"vertices\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]", ABUT_SHAPE_POLYTOPE, 1.0},
	    {"\"type\": \"padded_polytope\", \"vertices\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], \"radius\": 0.25",
	     ABUT_SHAPE_PADDED_POLYTOPE, 1.25},
	    {"\"type\": \"sphere\", \"radius\": 0.5", ABUT_SHAPE_SPHERE, 0.5},
	    {"\"type\": \"ellipsoid\", \"radii\": [1, 2, 3]", ABUT_SHAPE_ELLIPSOID, 3.0},
	    {"\"type\": \"capsule\", \"radius\": 0.5, \"length\": 2", ABUT_SHAPE_CAPSULE, 1.5},
	    {"\"type\": \"cylinder\", \"radius\": 0.5, \"length\": 3", ABUT_SHAPE_CYLINDER, 1.5},
	    {"\"type\": \"cone\", \"radius\": 0.5, \"height\": 4", ABUT_SHAPE_CONE, 3.0},
	};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		char text[512];
		snprintf(text, sizeof text,
		         "{\"abut\": 1, \"bodies\": [{\"name\": \"a\", \"static\": true, \"shape\": {%s}}]}",
		         shapes[i].text);
		AbutScene *scene = parse(text);
		const AbutShape *shape = abut_scene_def(scene)->bodies[0].parts[0];
		cr_expect_eq(shape->kind, shapes[i].kind, "%s", shapes[i].text);
		cr_expect_float_eq(abut_shape_support(shape, (const double[3]){0, 0, 1}, NULL), shapes[i].top, 1e-12,
		                   "%s", shapes[i].text);
		abut_scene_destroy(scene);
	}
}

Test(good_input, numbers_as_written)
{
	static const struct {
		const char *text;
		double value;
	} numbers[] = {{"1e-3", 1e-3},
	               {"2.5E+2", 250.0},
	               {"0.1", 0.1},
	               {"4.9e-324", 4.9e-324},
	               {"1.7976931348623157e308", 1.7976931348623157e308}};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		char text[SCENE_TEXT_SIZE], replacement[64];
		snprintf(replacement, sizeof replacement, "\"mass\": %s", numbers[i].text);
		cr_assert(scene_replace("\"mass\": 1", replacement, text));
		AbutScene *scene = parse(text);
		cr_expect_eq(abut_scene_def(scene)->bodies[1].mass, numbers[i].value, "%s", numbers[i].text);
		abut_scene_destroy(scene);
	}
}

Test(good_input, two_static_halfspaces)
{
	AbutScene *scene =
	    parse("{\"abut\": 1, \"$schema\": \"x\", \"contacts\": \"all\", \"shapes\": {\"wall\": {\"type\": "
	          "\"halfspace\", \"normal\": [0, 1, 0], \"offset\": 0}}, \"bodies\": [{\"name\": \"a\", "
	          "\"static\": true, \"shape\": \"wall\"}, {\"name\": \"b\", \"static\": true, \"shape\": \"wall\"}]}");
	AbutModel *model = NULL;
	cr_expect_eq(abut_model_create(abut_scene_def(scene), &model, NULL), ABUT_OK);
	cr_expect_eq(abut_model_pair_count(model), 0);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
}

/* Unions of depth 4, each moved and rotated by 90 degrees about z. Their parts are flattened, in order, at the poses
 * that all moves give. */
Test(good_input, nested_unions)
{
	enum { DEPTH = 4 };
	char text[4096], inner[2048] = "{\"type\": \"box\", \"half_extents\": [0.1, 0.2, 0.3]}";
	double expected[DEPTH + 1][3] = {{0.0}};
	for (int level = 0; level < DEPTH; level++) {
		char outer[2048];
		snprintf(outer, sizeof outer,
		         "{\"type\": \"union\", \"position\": [1, 0, %d], \"orientation\": [0.7071067811865476, 0, 0, "
		         "0.7071067811865476], \"parts\": [%s, {\"type\": \"sphere\", \"radius\": 0.1}]}",
		         level, inner);
		memcpy(inner, outer, sizeof inner);
		for (int i = 0; i <= level + 1; i++) { /* the sphere of this level lies at its origin */
			const double x = expected[i][0], y = expected[i][1];
			expected[i][0] = 1.0 - y;
			expected[i][1] = x;
			expected[i][2] += level;
		}
	}
	snprintf(text, sizeof text,
	         "{\"abut\": 1, \"shapes\": {\"tree\": %s}, \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"shape\": "
	         "\"tree\"}, {\"name\": \"b\", \"mass\": 1, \"shape\": \"tree\"}]}",
	         inner);
	AbutScene *scene = parse(text);
	const AbutBodyDef *body = &abut_scene_def(scene)->bodies[1];
	cr_assert_eq(body->n_parts, DEPTH + 1);
	cr_expect_eq(body->parts, abut_scene_def(scene)->bodies[0].parts);
	for (int i = 0; i <= DEPTH; i++) {
		cr_expect_eq(body->parts[i]->kind, i == 0 ? ABUT_SHAPE_BOX : ABUT_SHAPE_SPHERE);
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(body->parts[i]->position[k], expected[i][k], 1e-12, "part %d: %g, %g", i,
			                   body->parts[i]->position[k], expected[i][k]);
		}
	}
	abut_scene_destroy(scene);
}

static const char *const shipped[] = {"cube_drop",
                                      "stack_4",
                                      "drop_box",
                                      "drop_polytope",
                                      "drop_padded_polytope",
                                      "drop_sphere",
                                      "drop_ellipsoid",
                                      "drop_capsule",
                                      "drop_cylinder",
                                      "drop_cone",
                                      "incline_below",
                                      "incline_above",
                                      "cylinder_rolling",
                                      "capsule_on_box",
                                      "ellipsoid_on_ellipsoid",
                                      "pile_10",
                                      "sphere_on_plane",
                                      "drop_union",
                                      "drop_sum",
                                      "drop_intersection",
                                      "drop_conic",
                                      "pendulum",
                                      "double_pendulum",
                                      "chain",
                                      "four_bar",
                                      "slider_crank",
                                      "table",
                                      "gripper",
                                      "cart_pendulum",
                                      "hopper",
                                      "quadruped",
                                      "biped",
                                      "arm",
                                      "closed_leg_walker"};

Test(good_input, shipped_scenes_make_models)
{
	for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
		char path[512];
		AbutScene *scene = NULL;
		AbutModel *model = NULL;
		AbutError error = {0};
		snprintf(path, sizeof path, "%s/experiments/scenes/%s.json", ABUT_SOURCE_DIR, shipped[i]);
		cr_assert_eq(abut_scene_load(path, 0, NULL, &scene, &error), ABUT_OK, "%s: %s: %s", path, error.where,
		             error.message);
		cr_expect_eq(abut_model_create(abut_scene_def(scene), &model, &error), ABUT_OK, "%s: %s: %s", path,
		             error.where, error.message);
		abut_model_destroy(model);
		abut_scene_destroy(scene);
	}
}

/* The other keys change a preset, wherever it is among them. */
Test(good_input, preset)
{
	static const char with_preset[] =
	    "{\"abut\": 1, \"solver\": {\"kappa\": 1e-4, \"retry\": true, \"preset\": \"paper\"%s}, \"bodies\": "
	    "[{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 1}}]}";
	static const struct {
		const char *more;
		AbutMethod method;
		AbutLinearSolver linear_solver;
	} cases[] = {{"", ABUT_METHOD_SINGLE_LEVEL, ABUT_LINEAR_SOLVER_DENSE},
	             {", \"linear_solver\": \"condensed\"", ABUT_METHOD_SINGLE_LEVEL, ABUT_LINEAR_SOLVER_CONDENSED},
	             {", \"method\": \"bilevel\"", ABUT_METHOD_BILEVEL, ABUT_LINEAR_SOLVER_DENSE}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[512];
		snprintf(text, sizeof text, with_preset, cases[i].more);
		AbutScene *scene = parse(text);
		const AbutSolverOptions *solver = &abut_scene_def(scene)->solver;
		cr_expect_eq(solver->preset, ABUT_PRESET_PAPER);
		cr_expect_eq(solver->method, cases[i].method);
		cr_expect_eq(solver->linear_solver, cases[i].linear_solver);
		cr_expect_eq(solver->finish, ABUT_FINISH_NONE);
		cr_expect_eq(solver->friction_cone, ABUT_FRICTION_CONE_PYRAMID);
		cr_expect(solver->kappa == 1e-4 && solver->retry && !solver->warm_start);
		abut_scene_destroy(scene);
	}
}

/* Barriers have a kappa, but no springs; springs have no kappa. */
Test(good_input, what_a_model_of_convex_does_not_use_is_noted)
{
	static const struct {
		const char *model, *where;
	} cases[] = {{"soft", "solver.kappa"}, {"barrier", "solver.solref"}};
	for (int i = 0; i < 2; i++) {
		char text[400];
		AbutScene *scene = NULL;
		snprintf(text, sizeof text,
		         "{\"abut\": 1, \"timestep\": 0.01, \"duration\": 1, \"solver\": {\"method\": \"convex\", "
		         "\"convex_model\": \"%s\", \"kappa\": 1e-4, \"solref\": [0.1, 1], \"solimp\": "
		         "[0.1, 0.9, 0.01, 0.5, 2]},"
		         "\"bodies\": [{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": "
		         "1}}]}",
		         cases[i].model);
		AbutError error = {.status = ABUT_OK};
		cr_assert_eq(abut_scene_parse(text, strlen(text), "test.json", 0, NULL, &scene, &error), ABUT_OK,
		             "%s: %s", error.where, error.message);
		const AbutError *warning = abut_scene_warning(scene, 0);
		cr_assert_not_null(warning);
		cr_expect_str_eq(warning->where, cases[i].where);
		cr_expect_null(abut_scene_warning(scene, 1));
		abut_scene_destroy(scene);
	}
}

/* The methods lcp and convex have no path, and warn about keys of one. */
Test(good_input, what_lcp_does_not_use_is_noted)
{
	static const char *const methods[] = {"single-level", "lcp", "convex"};
	for (int i = 0; i < 3; i++) {
		char text[400];
		AbutScene *scene = NULL;
		snprintf(text, sizeof text,
		         "{\"abut\": 1, \"timestep\": 0.01, \"duration\": 1, \"solver\": {\"method\": \"%s\", "
		         "\"kappa\": 1e-4},"
		         "\"bodies\": [{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": "
		         "1}}]}",
		         methods[i]);
		AbutError error = {.status = ABUT_OK};
		cr_assert_eq(abut_scene_parse(text, strlen(text), "test.json", 0, NULL, &scene, &error), ABUT_OK,
		             "%s: %s", error.where, error.message);
		const AbutError *warning = abut_scene_warning(scene, 0);
		cr_expect_eq(warning != NULL, i > 0, "%s", methods[i]);
		cr_expect(!warning || strcmp(warning->where, "solver.kappa") == 0);
		abut_scene_destroy(scene);
	}
}
