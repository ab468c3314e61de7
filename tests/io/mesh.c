/* Tests shapes of the type "mesh" in scenes: where the file is searched, which mass counts, warnings, and that such a
 * scene is written and read back as the same. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/abut.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "io/mesh/decomposition_cache.h"

#define MESHES ABUT_SOURCE_DIR "/experiments/meshes/"

static AbutError error;

/* Parses a scene with one moving body whose shape has the given keys, like a file in the folder of the meshes. */
static AbutStatus parse(const char *keys, AbutScene **out)
{
	char text[1024];
	snprintf(
	    text, sizeof text,
	    "{\"abut\": 1, \"timestep\": 0.01, \"duration\": 0.1, \"bodies\": [{\"name\": \"thing\", \"density\": 3, "
	    "\"shape\": {\"type\": \"mesh\", %s}}]}",
	    keys);
	memset(&error, 0, sizeof error);
	return abut_scene_parse(text, strlen(text), MESHES "scene.json", 0, NULL, out, &error);
}

static AbutScene *load(const char *keys)
{
	AbutScene *scene = NULL;
	cr_assert_eq(parse(keys, &scene), ABUT_OK, "%s: %s: %s", keys, error.where, error.message);
	return scene;
}

static const AbutShape *shape_of(const AbutScene *scene)
{
	return abut_scene_def(scene)->bodies[0].parts[0];
}

static AbutMassProperties mesh_mass(const char *file)
{
	AbutMesh *mesh = NULL;
	AbutMeshReport report;
	AbutMassProperties mass;
	cr_assert_eq(abut_mesh_load(file, NULL, &mesh, &report, NULL), ABUT_OK);
	cr_assert_eq(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK);
	abut_mesh_destroy(mesh);
	return mass;
}

Test(mesh, has_the_mass_of_the_mesh)
{
	const AbutMassProperties mass = mesh_mass(MESHES "mug.obj");
	AbutScene *scene = load("\"file\": \"mug.obj\", \"max_faces\": 20");
	const AbutShape *shape = shape_of(scene);
	cr_expect(shape->kind == ABUT_SHAPE_POLYTOPE && shape->n_rows <= 20 && shape->mass_given);
	cr_expect_eq(memcmp(&shape->mass, &mass, sizeof mass), 0);
	cr_expect_null(abut_scene_warning(scene, 0));
	/* The scaling centre is that of the polytope. */
	cr_expect_gt(fabs(shape->centre[2] - mass.centre_of_mass[2]), 1e-3);
	abut_scene_destroy(scene);

	scene = load("\"file\": \"mug.obj\", \"mass_of\": \"hull\"");
	cr_expect_gt(shape_of(scene)->mass.volume, 4.0 * mass.volume);
	abut_scene_destroy(scene);

	/* In other units, moved. */
	scene = load("\"file\": \"mug.obj\", \"unit\": \"cm\", \"scale\": 10, \"position\": [1, 0, 0]");
	cr_expect_float_eq(shape_of(scene)->mass.volume, 1e-3 * mass.volume, 1e-12 * mass.volume);
	cr_expect_float_eq(shape_of(scene)->mass.centre_of_mass[0], 1.0 + 0.1 * mass.centre_of_mass[0], 1e-12);
	abut_scene_destroy(scene);
}

Test(mesh, is_written_and_read_back)
{
	static const char *const keys[] = {"\"file\": \"mug.obj\", \"max_faces\": 20, \"position\": [0.1, 0.2, 0.3], "
	                                   "\"orientation\": [0.6, 0, 0.8, 0]",
	                                   "\"file\": \"rock_05.ply\"",
	                                   "\"file\": \"dodecahedron.obj\", \"fit\": \"inner\", \"max_faces\": 10"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		char path[] = "/tmp/abut_mesh_XXXXXX";
		const int file = mkstemp(path);
		cr_assert_geq(file, 0);
		close(file);
		AbutScene *scene = load(keys[i]), *again = NULL;
		const AbutShape *shape = shape_of(scene);
		cr_assert_eq(abut_scene_save(abut_scene_def(scene), path, &error), ABUT_OK, "%s", error.message);
		cr_assert_eq(abut_scene_load(path, 0, NULL, &again, &error), ABUT_OK, "%s", error.message);
		const AbutShape *copy = shape_of(again);
		cr_assert(copy->n_rows == shape->n_rows && copy->n_vertices == shape->n_vertices && copy->mass_given);
		cr_expect_float_eq(copy->mass.volume, shape->mass.volume, 1e-15);
		for (int k = 0; k < 9; k++) {
			cr_expect_float_eq(copy->mass.inertia[k], shape->mass.inertia[k],
			                   1e-13 * shape->mass.inertia[0]);
		}
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(copy->mass.centre_of_mass[k], shape->mass.centre_of_mass[k], 1e-15);
			cr_expect_float_eq(copy->centre[k], shape->centre[k], 1e-12);
		}
		abut_scene_destroy(again);
		abut_scene_destroy(scene);
		unlink(path);
	}
}

/* An open mesh has the mass of its hull, with a warning at its place, unless the mass of the mesh is required. */
Test(mesh, open_meshes_are_told)
{
	char path[] = "/tmp/abut_open_XXXXXX.obj", keys[128];
	const int file = mkstemps(path, 4);
	const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
	cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
	close(file);
	snprintf(keys, sizeof keys, "\"file\": \"%s\"", path);
	AbutScene *scene = load(keys);
	cr_expect_float_eq(shape_of(scene)->mass.volume, 1.0 / 6.0, 1e-12);
	const AbutError *warning = abut_scene_warning(scene, 0);
	cr_assert_not_null(warning);
	cr_expect(strstr(warning->message, "not closed") && strcmp(warning->where, "bodies[0].shape") == 0 &&
	          warning->line == 1 && warning->column > 60);
	cr_expect_null(abut_scene_warning(scene, 1));
	cr_expect_null(abut_scene_warning(scene, -1));
	abut_scene_destroy(scene);
	snprintf(keys, sizeof keys, "\"file\": \"%s\", \"mass_of\": \"mesh\"", path);
	cr_expect_eq(parse(keys, &scene), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "not closed"), "%s", error.message);
	unlink(path);
}

/* --- in parts --- */

/* Copies the mug to a folder of its own, because a decomposition is kept beside its mesh. */
static char workshop[] = "/tmp/abut_parts_XXXXXX";

static void set_up(void)
{
	char command[256];
	cr_assert_not_null(mkdtemp(workshop));
	snprintf(command, sizeof command, "cp '%smug.obj' '%s'", MESHES, workshop);
	cr_assert_eq(system(command), 0);
}

static void tear_down(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -r '%s'", workshop);
	cr_assert_eq(system(command), 0);
}

static AbutStatus parse_there(const char *shape, AbutScene **out)
{
	char text[2048], path[64];
	snprintf(
	    text, sizeof text,
	    "{\"abut\": 1, \"timestep\": 0.01, \"duration\": 0.1, \"bodies\": [{\"name\": \"thing\", \"density\": 3, "
	    "\"shape\": %s}]}",
	    shape);
	snprintf(path, sizeof path, "%s/scene.json", workshop);
	memset(&error, 0, sizeof error);
	return abut_scene_parse(text, strlen(text), path, 0, NULL, out, &error);
}

static AbutScene *load_there(const char *shape)
{
	AbutScene *scene = NULL;
	cr_assert_eq(parse_there(shape, &scene), ABUT_OK, "%s: %s: %s", shape, error.where, error.message);
	return scene;
}

#define IN_PARTS "{\"type\": \"mesh\", \"file\": \"mug.obj\", \"mode\": \"decompose\", \"concavity\": 0.08"

/* Returns the mass of the body that the model makes. */
static double model_mass(const AbutScene *scene)
{
	AbutModel *model = NULL;
	cr_assert_eq(abut_model_create(abut_scene_def(scene), &model, &error), ABUT_OK, "%s", error.message);
	const double mass = abut_model_body_mass(model, 0);
	abut_model_destroy(model);
	return mass;
}

Test(mesh, in_parts_has_the_mass_of_the_mesh, .init = set_up, .fini = tear_down)
{
	const AbutMassProperties mass = mesh_mass(MESHES "mug.obj");
	AbutScene *scene = load_there(IN_PARTS ", \"max_faces\": 32}");
	const AbutBodyDef *body = &abut_scene_def(scene)->bodies[0];
	cr_assert(body->n_parts >= 5 && body->n_parts <= 32, "%d parts", body->n_parts);
	for (int i = 0; i < body->n_parts; i++) {
		cr_expect(body->parts[i]->kind == ABUT_SHAPE_POLYTOPE && body->parts[i]->n_rows <= 32);
	}
	cr_assert_not_null(body->parts_mass);
	cr_expect_eq(memcmp(body->parts_mass, &mass, sizeof mass), 0);
	cr_expect_float_eq(model_mass(scene), 3.0 * mass.volume, 1e-12 * mass.volume);
	cr_expect_null(abut_scene_warning(scene, 0));
	const int n = body->n_parts;
	abut_scene_destroy(scene);

	/* Moved; and again, from the kept decomposition. */
	scene = load_there(IN_PARTS ", \"max_faces\": 32, \"position\": [1, 0, 0]}");
	body = &abut_scene_def(scene)->bodies[0];
	cr_expect_eq(body->n_parts, n);
	cr_expect_float_eq(body->parts_mass->centre_of_mass[0], 1.0 + mass.centre_of_mass[0], 1e-15);
	cr_expect_float_eq(body->parts_mass->inertia[4], mass.inertia[4], 1e-12 * mass.inertia[4]);
	abut_scene_destroy(scene);

	/* The mass of the hulls, whose volume is known only approximately: at least the mesh's, at most their sum. */
	scene = load_there(IN_PARTS ", \"mass_of\": \"hull\"}");
	body = &abut_scene_def(scene)->bodies[0];
	double sum = 0.0;
	for (int i = 0; i < body->n_parts; i++) {
		sum += body->parts[i]->mass.volume;
	}
	cr_expect_null(body->parts_mass);
	cr_expect(model_mass(scene) > 3.3 * mass.volume && model_mass(scene) < 3.0 * sum);
	abut_scene_destroy(scene);
}

/* With a separate box, the mass is the sum of both. With given mass properties, it is these. */
Test(mesh, in_parts_within_a_union, .init = set_up, .fini = tear_down)
{
	const AbutMassProperties mass = mesh_mass(MESHES "mug.obj");
	AbutScene *scene = load_there("{\"type\": \"union\", \"parts\": [" IN_PARTS
	                              "}, {\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5], \"position\": [0, 0, "
	                              "4]}]}");
	const AbutBodyDef *body = &abut_scene_def(scene)->bodies[0];
	cr_assert_not_null(body->parts_mass);
	cr_expect_float_eq(body->parts_mass->volume, 1.0 + mass.volume, 1e-12);
	const double z = (4.0 + mass.volume * mass.centre_of_mass[2]) / (1.0 + mass.volume);
	cr_expect_float_eq(body->parts_mass->centre_of_mass[2], z, 1e-12);
	abut_scene_destroy(scene);

	scene =
	    load_there("{\"type\": \"union\", \"parts\": [" IN_PARTS
	               "}], \"mass_properties\": {\"volume\": 2, \"centre_of_mass\": [0, 0, 1], \"inertia\": [[3, 0, "
	               "0], [0, 4, 0], [0, 0, 5]]}, \"source\": {\"any\": 1}, \"position\": [0, 1, 0]}");
	body = &abut_scene_def(scene)->bodies[0];
	cr_expect(body->parts_mass->volume == 2.0 && body->parts_mass->inertia[8] == 5.0);
	cr_expect(body->parts_mass->centre_of_mass[1] == 1.0 && body->parts_mass->centre_of_mass[2] == 1.0);
	abut_scene_destroy(scene);
}

/* With one part and with several, and a density that stays the same. */
Test(mesh, in_parts_is_written_and_read_back, .init = set_up, .fini = tear_down)
{
	static const char *const shapes[] = {IN_PARTS ", \"max_faces\": 32, \"position\": [0.1, 0.2, 0.3]}",
	                                     IN_PARTS ", \"max_parts\": 1}"};
	for (int i = 0; i < 2; i++) {
		char path[64];
		AbutScene *scene = load_there(shapes[i]), *again = NULL;
		snprintf(path, sizeof path, "%s/written.json", workshop);
		cr_assert_eq(abut_scene_save(abut_scene_def(scene), path, &error), ABUT_OK, "%s", error.message);
		cr_assert_eq(abut_scene_load(path, 0, NULL, &again, &error), ABUT_OK, "%s", error.message);
		const AbutBodyDef *a = &abut_scene_def(scene)->bodies[0], *b = &abut_scene_def(again)->bodies[0];
		cr_assert(a->n_parts == b->n_parts && b->parts_mass && b->density == 3.0);
		cr_expect((i == 1) == (a->n_parts == 1));
		cr_expect_eq(memcmp(a->parts_mass, b->parts_mass, sizeof *a->parts_mass), 0);
		abut_scene_destroy(scene);
		abut_scene_destroy(again);
	}
}

Test(mesh, in_parts_warns_at_its_place, .init = set_up, .fini = tear_down)
{
	char command[640];
	AbutScene *scene = load_there(IN_PARTS ", \"max_parts\": 2}");
	const AbutError *warning = abut_scene_warning(scene, 0);
	cr_assert_not_null(warning);
	cr_expect(strstr(warning->message, "before the bound") && strcmp(warning->where, "bodies[0].shape") == 0, "%s",
	          warning->message);
	abut_scene_destroy(scene);
	/* The kept decomposition has another number of parts. It is out of date, which needs no warning. */
	scene = load_there(IN_PARTS "}");
	cr_expect_null(abut_scene_warning(scene, 0));
	abut_scene_destroy(scene);
	/* A block, and one around it. */
	snprintf(
	    command, sizeof command,
	    "cd '%s' && { for s in 1 3; do for z in -$s $s; do for y in -$s $s; do "
	    "for x in -$s $s; do echo v $x $y $z; done; done; done; done; for o in 0 8; do "
	    "for t in '1 3 2' '2 3 4' '5 6 7' '6 8 7' '1 2 5' '2 6 5' '3 7 4' '4 7 8' '1 5 3' '3 5 7' '2 4 6' '4 8 6'; "
	    "do set -- $t; echo f $(($1+o)) $(($2+o)) $(($3+o)); done; done; } >nest.obj",
	    workshop);
	cr_assert_eq(system(command), 0);
	scene = load_there("{\"type\": \"mesh\", \"file\": \"nest.obj\", \"mode\": \"decompose\"}");
	warning = abut_scene_warning(scene, 0);
	cr_expect(warning && strstr(warning->message, "inside another solid"), "%s", warning ? warning->message : "");
	abut_scene_destroy(scene);
}

Test(mesh, in_parts_refusals, .init = set_up, .fini = tear_down)
{
	static const struct {
		const char *shape, *where, *message;
	} cases[] = {
	    {IN_PARTS ", \"fit\": \"outer\"}", "bodies[0].shape.fit", "is for the mode \"hull\""},
	    {IN_PARTS ", \"max_parts\": 0}", "bodies[0].shape.max_parts", "1"},
	    {IN_PARTS ", \"max_parts\": 1025}", "bodies[0].shape.max_parts", "1024"},
	    {IN_PARTS ", \"max_faces\": 3}", "bodies[0].shape.max_faces", "4"},
	    {"{\"type\": \"mesh\", \"file\": \"mug.obj\", \"mode\": \"decompose\", \"concavity\": 2}",
	     "bodies[0].shape.concavity", "between 1e-4 and 1"},
	    {"{\"type\": \"mesh\", \"file\": \"mug.obj\", \"max_parts\": 4}", "bodies[0].shape.max_parts",
	     "is for the mode \"decompose\""},
	    {"{\"type\": \"mesh\", \"file\": \"open.obj\", \"mode\": \"decompose\"}", "bodies[0].shape.file",
	     "\"open.obj\": the mesh is not closed"},
	};
	char command[256];
	snprintf(command, sizeof command, "sed '$d' '%s/mug.obj' >'%s/open.obj'", workshop, workshop);
	cr_assert_eq(system(command), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AbutScene *scene = NULL;
		cr_expect_neq(parse_there(cases[i].shape, &scene), ABUT_OK, "%s", cases[i].shape);
		cr_expect_null(scene);
		cr_expect_str_eq(error.where, cases[i].where, "%s: %s", cases[i].shape, error.where);
		cr_expect(strstr(error.message, cases[i].message), "%s: %s", cases[i].shape, error.message);
	}
}

Test(mesh, refusals_name_the_key)
{
	static const struct {
		const char *keys, *where, *message;
	} cases[] = {
	    {"\"scale\": 1", "bodies[0].shape.file", "required key \"file\" is missing"},
	    {"\"file\": \"no_such.stl\"", "bodies[0].shape.file", "\"no_such.stl\": cannot open"},
	    {"\"file\": \"mug.obj\", \"scale\": 0", "bodies[0].shape.scale", "positive"},
	    {"\"file\": \"mug.obj\", \"unit\": \"furlong\"", "bodies[0].shape.unit", "um, mm"},
	    {"\"file\": \"tetrahedron.glb\", \"unit\": \"mm\"", "bodies[0].shape.unit", "declares its unit"},
	    {"\"file\": \"mug.obj\", \"max_faces\": 3", "bodies[0].shape.max_faces", "4"},
	    {"\"file\": \"mug.obj\", \"fit\": \"tight\"", "bodies[0].shape.fit", "outer"},
	    {"\"file\": \"mug.obj\", \"mode\": \"soup\"", "bodies[0].shape.mode", "hull"},
	    {"\"file\": \"mug.obj\", \"scale\": 1e-9", "bodies[0].shape.file", "must be at least"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AbutScene *scene = NULL;
		cr_expect_neq(parse(cases[i].keys, &scene), ABUT_OK, "%s", cases[i].keys);
		cr_expect_null(scene);
		cr_expect_str_eq(error.where, cases[i].where, "%s: %s", cases[i].keys, error.where);
		cr_expect(strstr(error.message, cases[i].message), "%s: %s", cases[i].keys, error.message);
	}
}

/* In any orientation of the mesh, no part made from its vertices has more faces than requested. */
Test(mesh, parts_have_no_more_faces_than_asked_for)
{
	enum { MOST = 10 };
	AbutMesh *mesh = NULL;
	AbutMeshReport report;
	cr_assert_eq(abut_mesh_load(MESHES "mug.obj", NULL, &mesh, &report, NULL), ABUT_OK);
	double *points = malloc(3 * (size_t)mesh->n_vertices * sizeof *points);
	cr_assert_not_null(points);
	for (unsigned seed = 1; seed <= 8; seed++) {
		AbutRng rng = abut_rng_stream(seed, 0);
		double q[4], R[9];
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		for (int i = 0; i < mesh->n_vertices; i++) {
			double p[3];
			abut_mat3_vec(R, &mesh->vertices[3 * i], p);
			for (int k = 0; k < 3; k++) {
				points[3 * i + k] = (double)(float)(p[k] + 1.0); /* as files hold them */
			}
		}
		AbutMesh *turned = NULL;
		AbutDecomposition *parts = NULL;
		AbutError warning;
		const AbutDecomposeOptions options = {.concavity = 0.15, .max_parts = 8, .max_faces = MOST};
		cr_assert_eq(
		    abut_mesh_create(mesh->n_vertices, points, mesh->n_triangles, mesh->triangles, &turned, &error),
		    ABUT_OK);
		cr_assert_eq(abut_decompose_cached(turned, &options, NULL, &parts, &warning, &error), ABUT_OK,
		             "seed %u: %s", seed, error.message);
		for (int i = 0; i < parts->n_parts; i++) {
			cr_expect_leq(parts->parts[i].shape->n_rows, MOST, "seed %u: part %d has %d faces", seed, i,
			              parts->parts[i].shape->n_rows);
		}
		abut_decomposition_destroy(parts);
		abut_mesh_destroy(turned);
	}
	free(points);
	abut_mesh_destroy(mesh);
}

/* A path of 2000 bytes is valid; one of 5000 bytes is too long for any system. */
Test(mesh, long_paths)
{
	char keys[6000] = "\"file\": \"", *end = keys + strlen(keys);
	for (int i = 0; i < 1000; i++) {
		memcpy(end + 2 * i, "./", 3);
	}
	strcat(keys, "mug.obj\"");
	static char text[8192];
	AbutScene *scene = NULL;
	for (int trial = 0; trial < 2; trial++) {
		if (trial == 1) {
			memset(end, 'x', 5000);
			memcpy(end + 5000, "\"", 2);
		}
		snprintf(text, sizeof text,
		         "{\"abut\": 1, \"timestep\": 0.01, \"duration\": 0.1, \"bodies\": [{\"name\": \"thing\", "
		         "\"density\": 3, \"shape\": {\"type\": \"mesh\", %s}}]}",
		         keys);
		const AbutStatus status =
		    abut_scene_parse(text, strlen(text), MESHES "scene.json", 0, NULL, &scene, &error);
		cr_expect_eq(status, trial == 0 ? ABUT_OK : ABUT_ERROR_PARSE, "%d: %s", trial, error.message);
		abut_scene_destroy(scene);
	}
	cr_expect(strstr(error.message, "4095 bytes"), "%s", error.message);
}
