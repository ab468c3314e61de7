/* Tests abut mesh as a command: its object, the shape that it writes, files with unusual names, interruption. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/call.h"

#define MESHES "'" ABUT_SOURCE_DIR "/experiments/meshes/'"

TestSuite(mesh, .init = set_up, .fini = tear_down);

static Call result;

Test(mesh, prints_what_the_contract_names)
{
	call(&result, "mesh " MESHES "mug.obj --hull --faces 20 --json --seed 7");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.err, "");
	cr_expect_eq(count_lines(result.out), 1);
	cJSON *object = parse_json(result.out);
	static const char *const keys[] = {"vertices_in", "faces_in", "closed", "volume",    "centre_of_mass",
	                                   "inertia",     "parts",    "hull",   "hausdorff", "warnings"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		cr_expect(cJSON_HasObjectItem(object, keys[i]), "%s", keys[i]);
	}
	const cJSON *part = cJSON_GetArrayItem(cJSON_GetObjectItem(object, "parts"), 0);
	cr_expect(number(object, "vertices_in") == 222 && number(object, "faces_in") == 444);
	cr_expect(number(part, "faces") <= 20 && number(object, "seed") == 7);
	cr_expect_gt(number(part, "volume"), number(cJSON_GetObjectItem(object, "hull"), "volume"));
	cr_expect(number(object, "hausdorff") > 0.0 && number(object, "hausdorff") < 0.005);
	const cJSON *warnings = cJSON_GetObjectItem(object, "warnings");
	cr_assert_eq(cJSON_GetArraySize(warnings), 1);
	cr_expect(strstr(cJSON_GetArrayItem(warnings, 0)->valuestring, "of its hull"));
	cJSON_Delete(object);
}

/* The file is a shape that a scene can use as it is, with the mass of the mesh. */
Test(mesh, writes_a_shape_for_a_scene)
{
	static char shape[1 << 16], scene[1 << 17], path[128];
	call(&result, "mesh " MESHES "mug.obj --faces 30 --inner --quiet --out shape.json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.out, "");
	snprintf(path, sizeof path, "%s/shape.json", folder);
	read_file(path, shape, sizeof shape);
	snprintf(
	    scene, sizeof scene,
	    "{\"abut\": 1, \"timestep\": 0.01, \"duration\": 0.1, \"bodies\": [{\"name\": \"mug\", \"density\": 2400, "
	    "\"shape\": %s}]}",
	    shape);
	write_file("scene.json", scene);
	call(&result, "run scene.json --json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(shape);
	cr_expect_float_eq(number(cJSON_GetObjectItem(object, "mass_properties"), "volume"), 1.2119992898043e-4, 1e-15);
	const cJSON *source = cJSON_GetObjectItem(object, "source");
	cr_expect_str_eq(cJSON_GetObjectItem(source, "file")->valuestring, "mug.obj");
	cr_expect_str_eq(cJSON_GetObjectItem(source, "fit")->valuestring, "inner");
	cJSON_Delete(object);
	call(&result, "mesh " MESHES "mug.obj --quiet --out /no/such/folder/shape.json");
	cr_expect_eq(result.status, 2, "%d", result.status);
}

Test(mesh, takes_any_name_and_says_what_is_wrong)
{
	write_file("pärt of a thing.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
	call(&result, "mesh 'pärt of a thing.obj'");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.err, "abut: pärt of a thing.obj: warning: the surface is not closed (3 edges"), "%s",
	          result.err);
	cr_expect(strstr(result.out, "(of the hull)"), "%s", result.out);
	write_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4\nf 1 4 3\n");
	call(&result, "mesh flat.obj --out shape.json");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "abut: flat.obj: ") && strstr(result.err, "flat"), "%s", result.err);
	cr_expect(!exists("shape.json"));
	write_file("empty.stl", "");
	call(&result, "mesh empty.stl");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "abut: empty.stl: is empty"), "%s", result.err);
}

/* The mesh is not overwritten, whatever path is given. */
Test(mesh, keeps_its_input)
{
	write_file("part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
	call_after(&result, "ln -s part.obj link.obj; ", "mesh part.obj --out ./link.obj");
	cr_expect_eq(result.status, 2, "%d", result.status);
	cr_expect(strstr(result.err, "--out ./link.obj would overwrite the mesh"), "%s", result.err);
	call(&result, "mesh part.obj --quiet --out part.json");
	cr_expect_eq(result.status, 0, "%s", result.err);
}

/* Interrupts as soon as the reading process exists. A million points take longer than that. */
Test(mesh, ends_cleanly_when_interrupted)
{
	call_after(&result,
	           "awk 'BEGIN { for (i = 0; i < 1000000; i++) print \"v\", i, i * i % 997, i * 7 % 991 }' >big.obj; "
	           "env --default-signal=INT",
	           "mesh big.obj --out shape.json & p=$!; "
	           "while [ -z \"$(cat /proc/$p/task/$p/children)\" ]; do sleep 0.01; done; kill -INT $p; wait $p");
	cr_expect_str_eq(result.err, "abut: mesh: interrupted; nothing was written\n", "%s", result.err);
	cr_expect_eq(result.status, 130, "%d", result.status);
	cr_expect(!exists("shape.json"));
}

/* If a name is not UTF-8, the object still is: each invalid byte is replaced by a mark. */
Test(mesh, names_of_any_bytes)
{
	call_after(&result,
	           "printf 'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nv 0 0 1\\nf 1 3 2\\nf 1 2 4\\nf 1 4 3\\nf 2 3 4\\n' >thing; "
	           "cp thing \"$(printf 'p\\303\\244r\\377t\\300\\200\\355\\240\\200.obj')\"; ",
	           "mesh \"$(printf 'p\\303\\244r\\377t\\300\\200\\355\\240\\200.obj')\" --json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	cr_expect_str_eq(cJSON_GetObjectItem(object, "file")->valuestring,
	                 "pär\xef\xbf\xbdt\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd.obj");
	cr_expect(cJSON_HasObjectItem(object, "counted_twice") && cJSON_HasObjectItem(object, "unit_declared"));
	cJSON_Delete(object);
}
