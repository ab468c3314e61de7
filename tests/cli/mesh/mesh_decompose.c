/* Tests `abut mesh --decompose` as a command: the mug, twice with the same result, and what is refused. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cli/call.h"
#include "effort.h"

TestSuite(mesh_decompose, .init = set_up, .fini = tear_down);

/* Copies the mug to the test's folder, where its cache is written. */
#define COPY "cp " SCENES "../meshes/mug.obj 'a mug.obj' &&"
#define MUG "mesh 'a mug.obj' --decompose --concavity 0.08 "
#define CACHE "a mug.obj.abut-decomposition.json"

Test(mesh_decompose, mug)
{
	static Call result;
	static char files[2][1 << 18];
	for (int i = 0; i < 2; i++) {
		call_after(&result, COPY,
		           i == 0 ? MUG "--no-cache --max-parts 20 --faces 32 --json --out a.json"
		                  : MUG "--no-cache --max-parts 20 --faces 32 --json --out b.json");
		cr_assert_eq(result.status, 0, "%s", result.err);
		cJSON *object = parse_json(result.out);
		const cJSON *parts = cJSON_GetObjectItemCaseSensitive(object, "parts"), *part = NULL;
		const int n = cJSON_GetArraySize(parts);
		cr_assert(n >= 5 && n <= 20, "%d parts", n);
		double sum = 0.0, pieces = 0.0;
		cJSON_ArrayForEach(part, parts)
		{
			cr_assert_leq(number(part, "faces"), 32.0);
			sum += number(part, "volume");
			pieces += number(part, "piece_volume");
		}
		cr_assert_float_eq(sum, number(object, "hull_volume"), 1e-12 * sum);
		cr_assert_float_eq(pieces, number(object, "volume"), 1e-9 * pieces);
		cJSON_Delete(object);
	}
	for (int i = 0; i < 2; i++) {
		char path[128];
		snprintf(path, sizeof path, "%s/%c.json", folder, 'a' + i);
		read_file(path, files[i], sizeof files[i]);
	}
	cr_assert_str_eq(files[0], files[1]);
	cJSON *shape = parse_json(files[0]);
	cr_assert_str_eq(cJSON_GetObjectItemCaseSensitive(shape, "type")->valuestring, "union");
	cJSON_Delete(shape);
	cr_assert_not(exists(CACHE));
}

/* The parts are the same, computed or cached. A damaged or edited cache is reported. One of another mesh or other
 * options is out of date. A cache that cannot be written is no error. */
Test(mesh_decompose, cache)
{
	static Call first, result;
	static char cached[1 << 18];
	char path[128];
	snprintf(path, sizeof path, "%s/%s", folder, CACHE);
	call_after(&first, COPY, MUG "--json");
	cr_assert_eq(first.status, 0, "%s", first.err);
	cr_assert_not_null(strstr(first.out, "\"warnings\": []"));
	cr_assert(exists(CACHE));
	call(&result, MUG "--json");
	cr_assert_str_eq(result.out, first.out);

	read_file(path, cached, sizeof cached);
	const size_t length = strlen(cached);
	for (int i = 0; i < 8; i += i < 6 ? 3 / TEST_EFFORT(3) : 1) {
		static char spoilt[1 << 18];
		memcpy(spoilt, cached, length + 1);
		if (i < 6) {
			spoilt[length * (size_t)i / 6] = '\0';
		} else {
			char *digit = strstr(spoilt, i == 6 ? "vertices" : "mesh") + 14;
			*digit = *digit == '1' ? '2' : '1';
		}
		write_file(CACHE, spoilt);
		call(&result, MUG "--json");
		cr_assert_eq(result.status, 0, "%s", result.err);
		cr_assert_eq(strstr(result.out, "is torn or edited") != NULL, i < 7, "%d: %s", i, result.out);
		read_file(path, spoilt, sizeof spoilt);
		cr_assert_str_eq(spoilt, cached, "%d: the cache is not mended", i);
	}
	call(&result, MUG "--max-parts 3 --json");
	cr_assert_null(strstr(result.out, "is torn"));
	cr_assert_not_null(strstr(result.out, "\"within_bound\": false"));
	cr_assert_not_null(strstr(result.out, "was reached before the bound on concavity"));
	call_after(&result, "rm -f '" CACHE "' && mkdir '" CACHE "' &&", MUG "--json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_assert_not_null(strstr(result.out, "the parts are not kept"), "%s", result.out);
}

/* Writes a scene in which a mug of 2400 kg/m^3 with this shape falls on the floor, tilted. */
static void write_drop(const char *shape)
{
	static char scene[1 << 18];
	snprintf(
	    scene, sizeof scene,
	    "{\"abut\": 1, \"timestep\": 0.01, \"duration\": 1.5, \"bodies\": [{\"name\": \"floor\", \"static\": "
	    "true, \"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}}, {\"name\": \"mug\", "
	    "\"density\": 2400, \"position\": [0, 0, 0.15], \"orientation\": [0.8, 0.6, 0, 0], \"shape\": %s}]}",
	    shape);
	write_file("scene.json", scene);
}

/* The mug lies on its side, at rest, and no step failed. Returns the energy that it lost. */
static double check_drop(void)
{
	static Call result;
	static char rows[1 << 18];
	char path[128];
	call(&result, "validate scene.json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.err, "");
	call(&result, "run scene.json --json --out run");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	cr_expect_eq(number(object, "failed_steps"), 0.0);
	cr_expect_eq(number(object, "steps"), 150.0);
	cr_expect_lt(number(object, "max_penetration"), 1e-9);
	const double lost = number(object, "energy_drift");
	cJSON_Delete(object);
	/* Of every two rows of the trajectory the second is the mug's. At the end and one step earlier it is in the
	 * same place. */
	snprintf(path, sizeof path, "%s/run/trajectory.csv", folder);
	read_file(path, rows, sizeof rows);
	double z[2] = {-1.0, -2.0};
	char *last = strrchr(rows, '\n');
	for (int i = 0; i < 3; i++) {
		*last = '\0';
		last = strrchr(rows, '\n');
		cr_assert(i == 1 || sscanf(last + 1, "%*f,mug,%*f,%*f,%lf", &z[i / 2]) == 1, "%s", last + 1);
	}
	cr_expect(z[0] > 0.03 && z[0] < 0.05, "at %g m", z[0]);
	cr_expect_float_eq(z[0], z[1], 1e-6);
	return lost;
}

/* The shape that the command writes, at the place of docs/decomposition.md, and the scene that names the mesh give the
 * same fall, bit for bit. */
Test(mesh_decompose, falls_in_a_scene)
{
	static Call result;
	static char shape[1 << 17];
	char path[128];
	call_after(&result, COPY, MUG "--faces 32 --no-cache --quiet --out mug.json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	snprintf(path, sizeof path, "%s/mug.json", folder);
	read_file(path, shape, sizeof shape);
	cJSON *object = parse_json(shape);
	cr_expect_float_eq(number(cJSON_GetObjectItem(object, "mass_properties"), "volume"), 1.2119992898043e-4, 1e-15);
	cr_expect_str_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(object, "source"), "file")->valuestring, "a mug.obj");
	cJSON_Delete(object);
	write_drop(shape);
	const double written = check_drop();
	cr_assert_not(exists(CACHE));
	write_drop("{\"type\": \"mesh\", \"file\": \"a mug.obj\", \"mode\": \"decompose\", \"concavity\": 0.08, "
	           "\"max_faces\": 32}");
	cr_expect_eq(check_drop(), written);
	cr_assert(exists(CACHE));
	cr_expect_eq(check_drop(), written);
}

Test(mesh_decompose, refusals)
{
	static Call result;
	static const char *const calls[][2] = {
	    {MUG "--hull", "cannot be combined"},
	    {"mesh 'a mug.obj' --max-parts 4", "--decompose"},
	    {"mesh 'a mug.obj' --decompose --concavity 3", "between 1e-4 and 1"},
	    {MUG "--max-parts 0", "--max-parts is '0'; it must be an integer from 1 to 2147483647"},
	};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		call_after(&result, COPY, calls[i][0]);
		cr_assert_eq(result.status, 2, "%s: %s", calls[i][0], result.err);
		cr_assert_not_null(strstr(result.err, calls[i][1]), "%s", result.err);
	}
}
