/* Tests models of URDF and MJCF as scenes: masses and poses by closed forms, unsupported elements, and errors. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "base/rng.h"
#include "io/import/report.h"
#include "io/imported.h"

#define MODELS ABUT_SOURCE_DIR "/tests/io/models/"

/* Masses of a box and a ball 0.5 m apart in a body without a joint, computed by hand (parallel axes). */
Test(import, fixed_bodies_are_parts_with_the_mass_of_all)
{
	Imported imported;
	open_text(&imported,
	          "<mujoco><worldbody><body name=\"b\" pos=\"1 2 3\"><freejoint/>"
	          "<geom type=\"box\" size=\"0.1 0.2 0.3\" mass=\"2\"/>"
	          "<body pos=\"0.5 0 0\" euler=\"0 0 90\"><geom size=\"0.1\" mass=\"1\" pos=\"0 0.1 0\"/></body>"
	          "</body></worldbody></mujoco>");
	const AbutBodyDef *body = find(&imported, "b");
	const double distance = 0.4, reduced = 2.0 / 3.0 * distance * distance;
	const double ball = 0.4 * 0.01,
	             wanted[3] = {2.0 / 3.0 * (0.04 + 0.09) + ball, 2.0 / 3.0 * (0.01 + 0.09) + ball + reduced,
	                          2.0 / 3.0 * (0.01 + 0.04) + ball + reduced};
	const double centre[3] = {distance / 3.0, 0.0, 0.0},
	             diagonal[3] = {body->inertia[0], body->inertia[4], body->inertia[8]};
	cr_expect_float_eq(body->mass, 3.0, 1e-15);
	expect_vector(body->centre_of_mass, centre, 3, 1e-15);
	expect_vector(diagonal, wanted, 3, 1e-15);
	cr_expect_eq(body->n_parts, 2);
	close_import(&imported);
}

/* The link's box and its fin on a fixed joint, computed by hand. Parts that a joint moves are named. */
Test(import, urdf_with_meshes_and_joints)
{
	Imported imported;
	open_import(&imported, MODELS "cube.urdf");
	const AbutBodyDef *base = find(&imported, "base");
	const double centre[3] = {0.02, 0.0, 0.12};
	cr_expect_float_eq(base->mass, 2.5, 1e-15);
	expect_vector(base->centre_of_mass, centre, 3, 1e-15);
	/* Izz does not change with a rotation about z; 2 and 0.5 kg are 0.1 m apart in x: 0.4 * 0.01 */
	cr_expect_float_eq(base->inertia[8], 0.04 + 0.0015 + 0.004, 1e-15);
	cr_expect_eq(base->n_parts, 2);
	cr_expect_eq(abut_scene_def(imported.scene)->n_bodies, 2);
	cr_expect_eq(abut_scene_def(imported.scene)->n_joints, 1);
	cr_expect(has_note(&imported, "<transmission> drive", 32));
	close_import(&imported);
}

Test(import, defaults_and_classes)
{
	Imported imported;
	open_import(&imported, MODELS "toys.xml");
	const double ball = 4.0 / 3.0 * acos(-1.0) * 1e-3;
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	cr_expect_eq(def->timestep, 0.005);
	cr_expect_eq(def->gravity[2], -9.8);
	cr_expect_eq(find(&imported, "ball")->density, 7800.0);
	cr_expect_eq(find(&imported, "cube")->density, 500.0);
	cr_expect_eq(find(&imported, "brick")->mass, 2.0);
	cr_expect_eq(find(&imported, "can")->mass, 0.6);
	cr_expect(find(&imported, "post")->is_static && find(&imported, "ramp")->is_static);
	for (int i = 0; i < def->n_bodies; i++) {
		if (strcmp(def->bodies[i].name, "ball") == 0) {
			cr_expect_float_eq(abut_model_body_mass(imported.model, i), 7800.0 * ball, 1e-12);
		}
	}
	close_import(&imported);
}

/* MuJoCo reads defaults in order into one set: of two values for the same attribute, the later one counts. */
Test(import, later_defaults_count)
{
	Imported imported;
	open_text(&imported, "<mujoco><default><geom density=\"1\" size=\"0.1\"/><geom density=\"2\"/>"
	                     "<default class=\"a\"><geom density=\"3\"/><geom density=\"4\"/></default></default>"
	                     "<default><geom density=\"5\"/></default><worldbody>"
	                     "<body name=\"plain\"><freejoint/><geom/></body>"
	                     "<body name=\"classed\"><freejoint/><geom class=\"a\"/></body></worldbody></mujoco>");
	cr_expect_eq(find(&imported, "plain")->density, 5.0);
	cr_expect_eq(find(&imported, "classed")->density, 4.0);
	close_import(&imported);
}

/* A point mass fixed to a body adds m |d|^2. The unit ball has inertia 1. With 2 kg at 3 m along x, the common centre
 * is at 2 m, which adds 4 + 2. */
Test(import, a_part_may_be_a_point_of_mass)
{
	static const double wanted[9] = {1.0, 0.0, 0.0, 0.0, 7.0, 0.0, 0.0, 0.0, 7.0};
	static const char *const texts[] = {
	    "<mujoco><worldbody><body name=\"b\"><freejoint/><geom size=\"1\"/>"
	    "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>"
	    "<body pos=\"3 0 0\"><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"0 0 0\"/></body></body>"
	    "</worldbody></mujoco>",
	    "<robot name=\"r\"><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/>"
	    "</inertial><collision><geometry><sphere radius=\"1\"/></geometry></collision></link><link name=\"p\">"
	    "<inertial><mass value=\"2\"/><inertia ixx=\"0\" iyy=\"0\" izz=\"0\"/></inertial></link>"
	    "<joint name=\"j\" type=\"fixed\"><origin xyz=\"3 0 0\"/><parent link=\"b\"/><child link=\"p\"/></joint>"
	    "</robot>"};
	for (int i = 0; i < 2; i++) {
		Imported imported;
		open_text(&imported, texts[i]);
		const AbutBodyDef *body = find(&imported, "b");
		cr_expect_eq(body->mass, 3.0);
		expect_vector(body->inertia, wanted, 9, 1e-12);
		close_import(&imported);
	}
}

/* Geometries without names are numbered from 2 on, except where a name is taken already. Each of many has its own name.
 * (Looking up each number in turn took minutes for a few thousand.) */
Test(import, many_without_names, .timeout = 30)
{
	enum { MANY = 20000 };
	char path[64], *text = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&text, &length);
	fputs("<mujoco><worldbody><geom name=\"sphere_3\" size=\"1\"/>", stream);
	for (int i = 0; i < MANY; i++) {
		fputs("<geom size=\"1\"/>", stream);
	}
	fputs("</worldbody></mujoco>", stream);
	fclose(stream);
	write_model(text, path);
	free(text);
	AbutImport *import = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_import_read(path, NULL, &import, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_import_counts(import).bodies, MANY + 1);
	stream = open_memstream(&text, &length);
	cr_assert_eq(abut_import_write(import, NULL, stream, &error), ABUT_OK, "%s", error.message);
	fclose(stream);
	const char *at = text;
	for (int i = 1; i <= MANY && at; i++) {
		char name[48];
		snprintf(name, sizeof name, i == 1 ? "\"sphere\"" : "\"sphere_%d\"", i + (i > 2));
		at = strstr(at, name);
		cr_expect(at, "%s is not in its turn", name);
	}
	free(text);
	abut_import_free(import);
	remove_model(path);
}

/* An imported body and one written by hand have the same states, bit for bit. */
Test(import, a_drop_is_that_of_the_scene_by_hand)
{
	static const char by_hand[] =
	    "{\"abut\": 1, \"timestep\": 0.005, \"bodies\": [{\"name\": \"floor\", \"static\": true, \"shape\": "
	    "{\"type\": "
	    "\"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}}, {\"name\": \"box\", \"density\": 700, "
	    "\"position\": [0, "
	    "0, 0.4], \"orientation\": [0.9, 0.3, 0.3, 0.1], \"shape\": {\"type\": \"box\", \"half_extents\": [0.1, "
	    "0.2, "
	    "0.15]}}], \"contacts\": [{\"pair\": [\"floor\", \"box\"], \"friction\": 0.7, \"torsional_radius\": 0}]}";
	Imported imported;
	AbutScene *scene = NULL;
	AbutModel *models[2];
	AbutBodyState ends[2];
	open_text(&imported,
	          "<mujoco><option timestep=\"0.005\"/><default><geom friction=\"0.7\"/></default><worldbody>"
	          "<geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>"
	          "<body name=\"box\" pos=\"0 0 0.4\" quat=\"0.9 0.3 0.3 0.1\"><freejoint/>"
	          "<geom type=\"box\" size=\"0.1 0.2 0.15\" density=\"700\"/></body></worldbody></mujoco>");
	cr_assert_eq(abut_scene_parse(by_hand, sizeof by_hand - 1, "h.json", 0, NULL, &scene, NULL), ABUT_OK);
	cr_assert_eq(abut_model_create(abut_scene_def(scene), &models[0], NULL), ABUT_OK);
	models[1] = imported.model;
	for (int i = 0; i < 2; i++) {
		AbutState *state = NULL;
		AbutWorkspace *workspace = NULL;
		AbutStepInfo info = {0};
		cr_assert_eq(abut_state_create(models[i], &state, NULL), ABUT_OK);
		cr_assert_eq(abut_workspace_create(models[i], &workspace, NULL), ABUT_OK);
		for (int k = 0; k < 200; k++) {
			cr_assert_eq(abut_step(models[i], state, workspace, &info), ABUT_OK);
		}
		cr_assert_eq(abut_state_get_body(models[i], state, 1, &ends[i]), ABUT_OK);
		abut_state_destroy(state);
		abut_workspace_destroy(workspace);
	}
	cr_expect_arr_eq(&ends[0], &ends[1], sizeof ends[0]);
	cr_expect_lt(ends[0].position[2], 0.25);
	abut_model_destroy(models[0]);
	abut_scene_destroy(scene);
	close_import(&imported);
}

/* MuJoCo uses the larger friction of two, and no torsional friction below condim 4. Pairs whose bits do not match have
 * no contact. */
Test(import, pairs_touch_as_their_bits_say)
{
	Imported imported;
	open_text(&imported,
	          "<mujoco><worldbody><geom name=\"floor\" type=\"plane\" size=\"1 1 1\" friction=\"0.2 0.03\"/>"
	          "<body name=\"a\"><freejoint/><geom size=\"1\" friction=\"0.6 0.01\"/></body>"
	          "<body name=\"b\"><freejoint/><geom size=\"1\" friction=\"0.1 0.05\" condim=\"4\" contype=\"2\" "
	          "conaffinity=\"3\"/></body>"
	          "<body name=\"c\"><freejoint/><geom size=\"1\" contype=\"4\" conaffinity=\"4\"/></body></worldbody>"
	          "<contact><exclude body1=\"b\" body2=\"a\"/></contact></mujoco>");
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	cr_assert_eq(def->n_pairs, 2);
	cr_expect(def->pairs[0].friction == 0.6 && def->pairs[0].torsional_radius == 0.0);
	cr_expect(def->pairs[1].friction == 0.2 && def->pairs[1].torsional_radius == 0.05 / 0.2);
	close_import(&imported);
}

/* As in MuJoCo, <exclude> refers to the geometries of two bodies of the model: all of the world, or those of a body
 * that became part of another. */
Test(import, excluded_bodies_are_those_of_the_model)
{
	static const struct {
		const char *exclude;
		int n_pairs; /* of floor, post, tool (with its tip) and ball */
	} rows[] = {{"<exclude body1=\"ball\" body2=\"tool\"/>", 5},
	            {"<exclude body1=\"ball\" body2=\"tool\"/><exclude body1=\"tip\" body2=\"ball\"/>", 4},
	            {"<exclude body1=\"world\" body2=\"ball\"/>", 4},
	            {"<exclude body1=\"ball\" body2=\"stand\"/>", 4},
	            {"<exclude body1=\"ball\" body2=\"floor\"/>", 5}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		Imported imported;
		char text[1024];
		snprintf(text, sizeof text,
		         "<mujoco><worldbody><frame><geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/></frame>"
		         "<body name=\"stand\"><geom name=\"post\" size=\"1\"/></body>"
		         "<body name=\"tool\"><freejoint/><geom size=\"1\"/><body name=\"tip\"><geom size=\"1\" "
		         "pos=\"1 0 0\"/></body></body>"
		         "<body name=\"ball\"><freejoint/><geom size=\"1\"/></body></worldbody>"
		         "<contact>%s</contact></mujoco>",
		         rows[i].exclude);
		open_text(&imported, text);
		cr_expect_eq(abut_scene_def(imported.scene)->n_pairs, rows[i].n_pairs, "%s: %d", rows[i].exclude,
		             abut_scene_def(imported.scene)->n_pairs);
		close_import(&imported);
	}
}

Test(import, what_is_left_out_is_named)
{
	Imported imported;
	open_import(&imported, MODELS "humanoid.xml");
	cr_expect_eq(abut_import_counts(imported.import).bodies, 4);
	cr_expect_not(has_note(&imported, "<tendon>", 30), "a fixed tendon by itself does nothing");
	cr_expect(has_note(&imported, "1 <camera>", 11));
	close_import(&imported);
	open_text(&imported, "<mujoco>\n\n<worldbody>\n"
	                     "<body name=\"b\" gravcomp=\"1\"><freejoint/><geom size=\"1\"/></body>\n"
	                     "<body gravcomp=\"0.0\"><freejoint/><geom size=\"1\"/></body></worldbody></mujoco>");
	cr_expect(has_note(&imported, "gravcomp=\"1\" of body \"b\"", 4));
	cr_expect_not(has_note(&imported, "gravcomp", 5));
	close_import(&imported);
}

/* Errors of wrong values give the line, the element, the value and what is allowed. */
Test(import, what_is_wrong_is_refused_by_name)
{
#define BODY(inner) "<mujoco>\n<worldbody><body name=\"b\"><freejoint/>" inner "</body></worldbody></mujoco>"
#define LINK(inner) "<robot name=\"r\">\n<link name=\"l\">" inner "</link></robot>"
	static const struct {
		const char *text, *where, *message;
		int line;
	} cases[] = {
	    {"<html/>", "<html>", "must be <robot> (URDF) or <mujoco> (MJCF)", 1},
	    {"<mujoco>\n<worldbody></mujoco>", "XML", "mismatched tag", 2},
	    {"<!DOCTYPE m [<!ENTITY a \"aaaa\">]>\n<mujoco/>", "XML", "declares an entity", 1},
	    {BODY("<geom size=\"nan\"/>"), "<geom>", "size: must be numbers of at most 1e9 in size, is \"nan\"", 2},
	    {BODY("<geom size=\"1e300\"/>"), "<geom>", "is \"1e300\"", 2},
	    {BODY("<geom size=\"-1\"/>"), "<geom>", "size: must be at least 1e-9, is -1", 2},
	    {BODY("<geom size=\"1 2 3 4\"/>"), "<geom>", "size: must be up to 3 numbers, is 4: \"1 2 3 4\"", 2},
	    {BODY("<geom size=\"0.1\" pos=\"1 2\"/>"), "<geom>", "pos: must be 3 numbers, is 2", 2},
	    {BODY("<geom type=\"box\" size=\"1 2\"/>"), "<geom>", "size: must have 3 numbers, has 2", 2},
	    {BODY("<geom type=\"bx\" size=\"1\"/>"), "<geom>", "type: must be plane, sphere", 2},
	    {BODY("<geom type=\"mesh\" mesh=\"m\"/>"), "<geom>", "mesh: must name a <mesh> of <asset>, is \"m\"", 2},
	    {BODY("<geom size=\"1\" class=\"c\"/>"), "<geom>", "class: must name a <default class>, is \"c\"", 2},
	    {BODY("<geom size=\"1\" mass=\"-2\"/>"), "<geom>", "mass: must be at least 0, is -2", 2},
	    {BODY("<geom size=\"1\" quat=\"0 0 0 0\"/>"), "<geom>", "quat: must have a direction", 2},
	    {BODY("<geom type=\"plane\" size=\"1 1 1\"/>"), "<geom>", "only static bodies may have a plane", 2},
	    {BODY("<geom size=\"1\"/><body><freejoint/></body>"), "<freejoint>", "this body is in \"b\"", 2},
	    {BODY("<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 3\"/><geom size=\"1\"/>"), "<inertial>",
	     "is impossible: its principal moments must be at least 0 and none may exceed", 2},
	    {BODY("<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0 0 0\"/><geom size=\"1\"/>"), "<body>",
	     "least principal moment of its inertia must be positive, is 0", 2},
	    {BODY("<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"-1 1 1\"/><geom size=\"1\"/>"), "<inertial>",
	     "must be at least 0 and none may exceed", 2},
	    {BODY("<geom size=\"1\"/><include file=\"m.xml\"/>"), "<include>",
	     "is already included; a file may be included only once", 2},
	    {"<mujoco>\n<compiler angle=\"turns\"/></mujoco>", "<compiler>",
	     "angle: must be \"degree\" or \"radian\", is \"turns\"", 2},
	    {"<mujoco>\n<compiler eulerseq=\"xyw\"/></mujoco>", "<compiler>", "eulerseq: must be three of", 2},
	    {"<mujoco>\n<option timestep=\"0\"/></mujoco>", "<option>", "timestep: must be at least 1e-9, is 0", 2},
	    {LINK("<collision><geometry><box size=\"1 1\"/></geometry></collision>"), "<box>",
	     "size: must be 3 numbers, is 2", 2},
	    {LINK("<collision><geometry><ball/></geometry></collision>"), "<ball>",
	     "must be box, sphere, cylinder, capsule or mesh", 2},
	    {LINK("<collision><geometry><mesh filename=\"package://p/m.stl\"/></geometry></collision>"), "<mesh>",
	     "no folder above the model is or contains this package", 2},
	    {LINK("<collision><geometry><sphere radius=\"${r}\"/></geometry></collision>"), "<sphere>", "is xacro", 2},
	    {LINK("<inertial><mass value=\"1\"/></inertial>"), "<inertial>", "<inertia> is missing", 2},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[64];
		AbutImport *import = NULL;
		AbutError error = {0};
		write_model(cases[i].text, path);
		const AbutStatus status = abut_import_read(path, NULL, &import, &error);
		cr_expect_eq(status, ABUT_ERROR_PARSE, "%s: %d", cases[i].text, status);
		cr_expect_null(import);
		cr_expect_str_eq(error.where, cases[i].where, "%s: %s: %s", cases[i].text, error.where, error.message);
		cr_expect(strstr(error.message, cases[i].message), "%s: %s", cases[i].text, error.message);
		cr_expect_eq(error.line, cases[i].line, "%s: line %d", cases[i].text, error.line);
		cr_expect_str_eq(error.file, path);
		abut_import_free(import);
		remove_model(path);
	}
}

/* Truncated and changed models are refused or read, but never crash (the sanitizers watch). */
Test(import, broken_models_are_refused_or_read)
{
	static const char *const models[] = {"toys.xml", "humanoid.xml", "cube.urdf"};
	static char text[1 << 14];
	enum { TRIALS = 400, SEED = 8 };
	char path[64];
	AbutRng rng = {SEED};
	write_model("", path);
	for (int trial = 0; trial < TRIALS; trial++) {
		char name[256];
		snprintf(name, sizeof name, "%s%s", MODELS, models[trial % 3]);
		FILE *file = fopen(name, "r");
		cr_assert_not_null(file);
		size_t n = fread(text, 1, sizeof text, file);
		fclose(file);
		if (trial % 4 == 0) {
			n = (size_t)(abut_rng_next(&rng) % n);
		}
		for (int k = 0; k < 1 + trial % 8 && n > 0; k++) {
			static const char changes[] = "<>\"/=0-9e.& \n~";
			text[abut_rng_next(&rng) % n] = changes[abut_rng_next(&rng) % (sizeof changes - 1)];
		}
		file = fopen(path, "w");
		fwrite(text, 1, n, file);
		fclose(file);
		AbutImport *import = NULL;
		AbutError error = {0};
		const AbutStatus status = abut_import_read(path, NULL, &import, &error);
		cr_expect((status == ABUT_OK) == (import != NULL), "trial %d of seed %d", trial, SEED);
		cr_expect(status == ABUT_OK || error.message[0], "trial %d of seed %d: %d", trial, SEED, status);
		abut_import_free(import);
	}
	remove_model(path);
}
