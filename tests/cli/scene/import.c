/* Tests abut import: what it writes, prints and refuses. Its scene runs from a folder other than the model's. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cli/call.h"

#define MODELS "'" ABUT_SOURCE_DIR "/tests/io/models'/"

TestSuite(import_verb, .init = set_up, .fini = tear_down);

/* Mesh paths are relative to the folder of the scene, or to the present one if the scene is printed. */
Test(import_verb, a_scene_runs_from_anywhere)
{
	static Call result;
	call_after(&result, "mkdir scenes models && cp " MODELS "* models &&",
	           "import models/toys.xml -o scenes/toys.json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.out, "scenes/toys.json: 14 bodies\n");
	cr_expect(strstr(result.err, "abut: models/toys.xml:18: left out: 1 <light>, the first here\n"), "%s",
	          result.err);
	call(&result, "run scenes/toys.json --set duration=0.05 --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	call(&result, "import models/toys.xml --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.err, "");
	cJSON *scene = parse_json(result.out);
	cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(scene, "bodies")), 14);
	cJSON_Delete(scene);
}

Test(import_verb, what_is_left_out_as_json)
{
	static Call result;
	call(&result, "import " MODELS "humanoid.xml --json -o humanoid.json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.err, "");
	cJSON *object = parse_json(result.out);
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "scene")), "humanoid.json");
	cr_expect_eq(number(object, "bodies"), 4.0);
	cr_expect_eq(number(object, "joints"), 2.0);
	bool camera = false;
	const cJSON *note, *left_out = cJSON_GetObjectItemCaseSensitive(object, "left_out");
	cJSON_ArrayForEach(note, left_out)
	{
		const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(note, "text"));
		const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(note, "file"));
		cr_assert(text && file && strstr(file, "humanoid.xml"));
		camera |= strcmp(text, "left out: 1 <camera>, the first here") == 0 && number(note, "line") == 11.0;
	}
	cr_expect(camera, "%s", result.out);
	const cJSON *element, *elements = cJSON_GetObjectItemCaseSensitive(object, "elements");
	int seen = 0;
	cJSON_ArrayForEach(element, elements)
	{
		const char *tag = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(element, "element"));
		if (strcmp(tag, "camera") == 0) {
			cr_expect_eq(number(element, "count"), 1.0);
			cr_expect_eq(number(element, "left_out"), 1.0);
			cr_expect_eq(number(element, "kept"), 0.0);
			seen++;
		} else if (strcmp(tag, "body") == 0) {
			cr_expect_eq(number(element, "kept"), number(element, "count"));
			seen++;
		}
	}
	cr_expect_eq(seen, 2);
	cJSON_Delete(object);
	call(&result, "import " MODELS "humanoid.xml --json");
	cr_expect_eq(result.status, 2);
	cr_expect_str_eq(result.err,
	                 "abut: import: --json needs --out: without it the standard output holds the scene\n");
}

/* There is one line on stderr, with file, line, column and element, and no file is written. */
Test(import_verb, wrong_models_are_refused)
{
	static Call result;
	write_file("bad.xml", "<mujoco><worldbody>\n  <geom size=\"0\"/></worldbody></mujoco>");
	call(&result, "import bad.xml -o bad.json");
	cr_expect_eq(result.status, 2);
	cr_expect_str_eq(result.err, "abut: bad.xml:2:3: <geom>: size: must be at least 1e-9, is 0\n");
	cr_expect_not(exists("bad.json"));
	write_file("cut.urdf", "<robot name=\"r\">\n<link");
	call(&result, "import cut.urdf");
	cr_expect_eq(result.status, 2);
	cr_expect(strncmp(result.err, "abut: cut.urdf:2:", 17) == 0 && count_lines(result.err) == 1, "%s", result.err);
	cr_expect_str_eq(result.out, "");
	call(&result, "import none.urdf");
	cr_expect(result.status == 2 && strstr(result.err, "none.urdf"), "%s", result.err);
	write_file("pipe.urdf", "<robot name=\"r\"><link name=\"l\"><collision><geometry>\n"
	                        "<mesh filename=\"package://p/m.stl\"/></geometry></collision></link></robot>");
	call_after(&result, "cat pipe.urdf |", "import /dev/stdin");
	cr_expect_eq(result.status, 2, "%d", result.status);
	cr_expect(strstr(result.err, "abut: /dev/stdin:2:1: <mesh>: filename: \"package://p/m.stl\": no folder above"),
	          "%s", result.err);
	call(&result, "import");
	cr_expect(result.status == 2 && strstr(result.err, "model"), "%s", result.err);
}

/* A robot model in place of a scene gets the command that imports it. */
Test(import_verb, a_model_in_place_of_a_scene_is_explained)
{
	static Call result;
	static const char *const verbs[] = {"run", "validate"};
	for (int i = 0; i < 2; i++) {
		char arguments[64];
		snprintf(arguments, sizeof arguments, "%s robot.urdf", verbs[i]);
		call_after(&result, "echo '<robot/>' >robot.urdf &&", arguments);
		cr_expect_eq(result.status, 2);
		cr_expect(strstr(result.err, "is XML, not a scene; a robot model must be imported first: `abut import "
		                             "robot.urdf -o robot.json`"),
		          "%s", result.err);
		cr_expect_eq(count_lines(result.err), 1, "%s", result.err);
	}
}
