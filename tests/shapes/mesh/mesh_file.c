/* Tests mesh files: one object is the same in every format; units, axes and placed nodes; files that are not meshes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abut/mesh.h"
#include "base/rng.h"
#include "effort.h"

#define MESHES ABUT_SOURCE_DIR "/experiments/meshes/"

static char folder[] = "/tmp/abut mésh XXXXXX", path[128];
static AbutMeshReport report;
static AbutError error;

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(folder));
}

static void tear_down(void)
{
	if (path[0]) {
		unlink(path);
	}
	rmdir(folder);
}

TestSuite(mesh_file, .init = set_up, .fini = tear_down);

static void write_file(const char *name, const void *bytes, size_t n)
{
	if (path[0]) {
		unlink(path);
	}
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	cr_assert(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

static void write_text(const char *name, const char *text)
{
	write_file(name, text, strlen(text));
}

static AbutMesh *load(const char *file, const AbutMeshOptions *options)
{
	AbutMesh *mesh = NULL;
	cr_assert_eq(abut_mesh_load(file, options, &mesh, &report, &error), ABUT_OK, "%s: %s", file, error.message);
	return mesh;
}

static AbutMassProperties mass_of(const char *file, const AbutMeshOptions *options)
{
	AbutMassProperties mass;
	AbutMesh *mesh = load(file, options);
	cr_assert_eq(abut_mesh_mass(mesh, &mass, &error), ABUT_OK, "%s: %s", file, error.message);
	abut_mesh_destroy(mesh);
	return mass;
}

static void expect_same(const char *file, const AbutMassProperties *a, const AbutMassProperties *b)
{
	cr_expect_float_eq(a->volume, b->volume, 1e-13 * b->volume, "%s: %.17g, not %.17g", file, a->volume, b->volume);
	for (int k = 0; k < 3; k++) {
		cr_expect_float_eq(a->centre_of_mass[k], b->centre_of_mass[k], 1e-13 * cbrt(b->volume), "%s", file);
	}
	for (int i = 0; i < 9; i++) {
		cr_expect_float_eq(a->inertia[i], b->inertia[i], 1e-13 * b->inertia[0], "%s: inertia[%d]", file, i);
	}
}

Test(mesh_file, every_format_holds_the_same)
{
	static const char *const files[] = {"tetrahedron.stl",        "tetrahedron.ascii.stl", "tetrahedron.obj",
	                                    "tetrahedron.ply",        "tetrahedron.gltf",      "tetrahedron.glb",
	                                    "tetrahedron.dae",        "dodecahedron.obj",      "dodecahedron.glb",
	                                    "dodecahedron.ascii.stl", "bracket.stl",           "bracket.dae"};
	AbutMassProperties first = {0};
	AbutMeshReport seen = {0};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char file[256];
		snprintf(file, sizeof file, MESHES "%s", files[i]);
		const AbutMassProperties mass = mass_of(file, NULL);
		if (i == 0 || i == 7 || i == 10) {
			first = mass;
			seen = report;
		}
		expect_same(files[i], &mass, &first);
		cr_expect(report.vertices_in == seen.vertices_in && report.triangles_in == seen.triangles_in &&
		              report.closed && report.n_parts == 1,
		          "%s", files[i]);
	}
	/* Legs of 0.1f. */
	const double leg = (double)0.1f;
	const AbutMassProperties mass = mass_of(MESHES "tetrahedron.glb", NULL);
	cr_expect_float_eq(mass.volume, leg * leg * leg / 6.0, 1e-15);
	cr_expect_float_eq(mass.centre_of_mass[2], leg / 4.0, 1e-15);
}

Test(mesh_file, units_scale_and_axes)
{
	AbutMeshOptions options = abut_mesh_options_default();
	const AbutMassProperties plain = mass_of(MESHES "bracket.stl", NULL);
	options.unit = 1e-3;
	AbutMassProperties mass = mass_of(MESHES "bracket.stl", &options);
	cr_expect_float_eq(mass.volume, 1e-9 * plain.volume, 1e-22);
	cr_expect(report.metres == 1e-3 && !report.has_unit && report.up == 'z');
	options.scale = 500.0;
	mass = mass_of(MESHES "bracket.stl", &options);
	cr_expect_float_eq(mass.inertia[0], plain.inertia[0] / 32.0, 1e-15);

	/* A format that declares its unit refuses another. */
	AbutMesh *mesh = NULL;
	cr_expect_eq(abut_mesh_load(MESHES "tetrahedron.glb", &options, &mesh, &report, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "declares its unit"), "%s", error.message);

	/* The profile lies in x and z, and its width along y: the object is as long along the axis that points up
	 * afterwards. */
	options = abut_mesh_options_default();
	for (int up = 0; up < 3; up++) {
		options.up = (AbutMeshUp)(ABUT_MESH_UP_X + up);
		abut_mesh_destroy(load(MESHES "bracket.stl", &options));
		cr_expect_float_eq(report.high[2] - report.low[2], up == 1 ? 0.04 : 0.06, 1e-8, "up %d", up);
		mass = mass_of(MESHES "bracket.stl", &options); /* no mirror image: a volume, not less than nothing */
		cr_expect_float_eq(mass.volume, plain.volume, 1e-12 * plain.volume);
		cr_expect(!report.inside_out);
	}
	double metres;
	const char *known;
	cr_expect(abut_mesh_unit("in", &metres, NULL) && metres == 0.0254);
	cr_expect(!abut_mesh_unit("furlong", NULL, &known) && strstr(known, "mm"));
}

/* Two nodes place one mesh, the second mirrored and shifted along the file's x axis. One of the nodes is inside
 * another. */
Test(mesh_file, nodes_place_their_meshes)
{
	static char text[4096], head[4096];
	FILE *file = fopen(MESHES "tetrahedron.gltf", "rb");
	cr_assert_not_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	char *nodes = strstr(text, "\"nodes\": [{\"mesh\": 0}]");
	cr_assert_not_null(nodes);
	snprintf(head, sizeof head, "%.*s%s%s", (int)(nodes - text), text,
	         "\"nodes\": [{\"mesh\": 0, \"children\": [1]}, {\"translation\": [-1, 0, 0], \"children\": [2]}, "
	         "{\"scale\": [-2, 2, 2], \"mesh\": 0}]",
	         nodes + strlen("\"nodes\": [{\"mesh\": 0}]"));
	write_text("two.gltf", head);
	const AbutMassProperties one = mass_of(MESHES "tetrahedron.gltf", NULL), two = mass_of(path, NULL);
	cr_expect(report.n_parts == 2 && report.components == 2 && !report.inside_out && report.turned == 0);
	cr_expect_float_eq(two.volume, 9.0 * one.volume, 1e-9 * one.volume);
	cr_expect_float_eq(two.centre_of_mass[0],
	                   (one.centre_of_mass[0] + 8.0 * (-1.0 - 2.0 * one.centre_of_mass[0])) / 9.0, 1e-9);
}

Test(mesh_file, polygons_and_loose_parts)
{
	write_text("box.obj",
	           "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nv 9 9 9\n"
	           "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\nl 1 9\n");
	const AbutMassProperties mass = mass_of(path, NULL);
	cr_expect_float_eq(mass.volume, 8.0, 1e-12);
	cr_expect_eq(report.n_not_triangles, 1);
	cr_expect_float_eq(report.high[0], 1.0, 1e-12, "the point 9 is of no triangle: %g", report.high[0]);
}

/* Each file is refused, or gives a warning with a remedy. */
Test(mesh_file, bad_files_are_told)
{
	static const struct {
		const char *name, *text, *message;
	} cases[] = {
	    {"empty.stl", "", "is empty"},
	    {"texture.png", "\x89PNG\r\n\x1a\nxxxxxxxxxxxxxxxx", "is a PNG image"},
	    {"texture.stl", "\xff\xd8\xff\xe0xxxxxxxxxxxxxxxx", "is a JPEG image"},
	    {"page.obj", "<!DOCTYPE html><html></html>", "is a web page"},
	    {"part.step", "ISO-10303-21;\n", "is not a mesh that Assimp can read"},
	    {"noise.stl", "solid nothing here", "contains no triangles"},
	    {"nan.obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n", "which is not finite"},
	    {"huge.obj", "v 0 0 0\nv 1 0 0\nv 1e12 1 0\nf 1 2 3\n", "must be finite and at most"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AbutMesh *mesh = NULL;
		write_text(cases[i].name, cases[i].text);
		const AbutStatus status = abut_mesh_load(path, NULL, &mesh, &report, &error);
		cr_expect(status != ABUT_OK && !mesh, "%s", cases[i].name);
		cr_expect(strstr(error.message, cases[i].message), "%s: %s", cases[i].name, error.message);
		cr_expect_str_eq(error.file, path);
	}
	AbutMesh *mesh = NULL;
	cr_expect_eq(abut_mesh_load("/no/such.stl", NULL, &mesh, &report, &error), ABUT_ERROR_IO);
	cr_expect_eq(abut_mesh_load("/", NULL, &mesh, &report, &error), ABUT_ERROR_IO);
	AbutMeshOptions options = abut_mesh_options_default();
	options.scale = -1.0;
	cr_expect_eq(abut_mesh_load(MESHES "mug.obj", &options, &mesh, &report, &error), ABUT_ERROR_ARGUMENT);
}

/* Fills `bytes` with a shipped file and returns its length. */
static size_t read_shipped(const char *name, unsigned char *bytes, size_t size)
{
	char file[256];
	snprintf(file, sizeof file, MESHES "%s", name);
	FILE *in = fopen(file, "rb");
	cr_assert_not_null(in, "%s", file);
	const size_t n = fread(bytes, 1, size, in);
	fclose(in);
	return n;
}

/* Loading gives ABUT_OK and a mesh, or an error with a message and no mesh. */
static void check_load(const char *name, size_t at)
{
	AbutMesh *mesh = NULL;
	memset(&error, 0, sizeof error);
	const AbutStatus status = abut_mesh_load(path, NULL, &mesh, &report, &error);
	cr_assert((status == ABUT_OK) == (mesh != NULL), "%s at %zu", name, at);
	cr_assert(status == ABUT_OK || error.message[0], "%s at %zu", name, at);
	if (mesh) {
		AbutMassProperties mass;
		AbutShape *shape = NULL;
		char warnings[ABUT_MESH_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
		abut_mesh_warnings(&report, warnings);
		cr_assert_eq(abut_mesh_mass(mesh, &mass, NULL) == ABUT_OK && !report.closed, false);
		if (abut_mesh_hull(mesh, 8, ABUT_MESH_FIT_OUTER, &shape, NULL, NULL) == ABUT_OK) {
			cr_assert_leq(shape->n_rows, 8, "%s at %zu", name, at);
		}
		abut_shape_destroy(shape);
	}
	abut_mesh_destroy(mesh);
}

static const char *const fuzzed[] = {"tetrahedron.stl", "tetrahedron.ascii.stl", "tetrahedron.obj", "tetrahedron.ply"};

Test(mesh_file, cut_short_anywhere)
{
	static unsigned char bytes[1 << 14];
	for (size_t i = 0; i < sizeof fuzzed / sizeof *fuzzed; i++) {
		const size_t n = read_shipped(fuzzed[i], bytes, sizeof bytes);
		/* If the head of a PLY file is cut, Assimp searches until its time is over: some seconds each. */
		const char *head_end = strstr(fuzzed[i], "ply") ? strstr((char *)bytes, "end_header") : NULL;
		const size_t first = head_end ? (size_t)(head_end - (char *)bytes) + strlen("end_header\n") : 0;
		for (size_t cut = first; cut < n; cut += 4 / TEST_EFFORT(4)) {
			write_file(fuzzed[i], bytes, cut);
			check_load(fuzzed[i], cut);
		}
	}
}

Test(mesh_file, changed_anywhere)
{
	static unsigned char bytes[1 << 14], changed[1 << 14];
	for (size_t i = 0; i < sizeof fuzzed / sizeof *fuzzed; i++) {
		const size_t n = read_shipped(fuzzed[i], bytes, sizeof bytes);
		for (unsigned seed = 1; seed <= TEST_EFFORT(300); seed++) {
			AbutRng rng = abut_rng_stream(seed, i);
			memcpy(changed, bytes, n);
			const size_t at = abut_rng_next(&rng) % n;
			changed[at] ^= (unsigned char)(1 + abut_rng_next(&rng) % 255);
			write_file(fuzzed[i], changed, n);
			check_load(fuzzed[i], at);
		}
	}
}

/* The buffer of a file is a pipe that nobody fills. Reading waits without using processor time, and still ends. */
Test(mesh_file, waiting_ends)
{
	static char text[1 << 12];
	char pipe_path[160];
	const size_t n = read_shipped("tetrahedron.gltf", (unsigned char *)text, sizeof text - 1);
	text[n] = '\0';
	char *data = strstr(text, "data:"), *end = data ? strchr(data, '"') : NULL;
	cr_assert_not_null(end);
	memcpy(data, "pipe.bin", 8);
	memmove(data + 8, end, strlen(end) + 1);
	write_text("waiting.gltf", text);
	snprintf(pipe_path, sizeof pipe_path, "%s/pipe.bin", folder);
	cr_assert_eq(mkfifo(pipe_path, 0600), 0);
	AbutMesh *mesh = NULL;
	const AbutStatus status = abut_mesh_load(path, NULL, &mesh, &report, &error);
	unlink(pipe_path);
	cr_expect_eq(status, ABUT_ERROR_PARSE);
	cr_expect(!mesh && strstr(error.message, "did not finish within 9 s;"), "%s", error.message);
}

/* A file that claims more than the memory it may use is a damaged file, not a failure of the machine. */
Test(mesh_file, too_much_memory_is_an_error_of_the_file)
{
	static const char *const texts[] = {
	    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
	    "element face 99999999\nproperty list uchar int vertex_indices\nend_header\n"
	    "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n",
	    "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
	    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0123456789",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		AbutMesh *mesh = NULL;
		write_text("claims.ply", texts[i]);
		cr_expect_eq(abut_mesh_load(path, NULL, &mesh, &report, &error), ABUT_ERROR_PARSE);
		cr_expect(!mesh && strstr(error.message, TEST_TOO_MUCH_MEMORY), "%s", error.message);
		cr_expect_str_eq(error.file, path);
	}
}

/* Memory that the process has reserved before does not count against the limit of the file. The file repeats a
 * tetrahedron so often that the reserve of an allocator is not enough. */
Test(mesh_file, a_large_process_can_read)
{
	enum { COPIES = 120000, HEAD = 84, TRIANGLES = 4 * 50 };
	const size_t size = (size_t)1 << 36, n = HEAD + (size_t)COPIES * TRIANGLES;
	unsigned char *bytes = calloc(1, n);
	cr_assert(bytes && read_shipped("tetrahedron.stl", bytes, n) == HEAD + TRIANGLES);
	for (size_t i = 1; i < COPIES; i++) {
		memcpy(bytes + HEAD + i * TRIANGLES, bytes + HEAD, TRIANGLES);
	}
	const uint32_t count = 4 * COPIES;
	memcpy(bytes + HEAD - sizeof count, &count, sizeof count);
	write_file("copies.stl", bytes, n);
	void *reserved = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	cr_assert_neq(reserved, MAP_FAILED);
	abut_mesh_destroy(load(path, NULL));
	munmap(reserved, size);
	free(bytes); /* not before: the copy of this process would live on what is free here */
	cr_expect_eq(report.duplicate, 4 * COPIES - 4);
}

/* A tetrahedron of legs 1, in inches, y up. */
static const char fbx[] = "; FBX 7.4.0 project file\n"
                          "FBXHeaderExtension:  {\n"
                          "FBXHeaderVersion: 1003\n"
                          "FBXVersion: 7400\n"
                          "Creator: \"x\"\n"
                          "}\n"
                          "GlobalSettings:  {\n"
                          "Version: 1000\n"
                          "Properties70:  {\n"
                          "P: \"UpAxis\", \"int\", \"Integer\", \"\",1\n"
                          "P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n"
                          "P: \"FrontAxis\", \"int\", \"Integer\", \"\",1\n"
                          "P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1\n"
                          "P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n"
                          "P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n"
                          "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54\n"
                          "}\n"
                          "}\n"
                          "Definitions:  {\n"
                          "Version: 100\n"
                          "Count: 2\n"
                          "ObjectType: \"Geometry\" {\n"
                          "Count: 1\n"
                          "}\n"
                          "ObjectType: \"Model\" {\n"
                          "Count: 1\n"
                          "}\n"
                          "}\n"
                          "Objects:  {\n"
                          "Geometry: 10, \"Geometry::\", \"Mesh\" {\n"
                          "Vertices: *12 {\n"
                          "a: 0,0,0,1,0,0,0,1,0,0,0,1\n"
                          "}\n"
                          "PolygonVertexIndex: *12 {\n"
                          "a: 0,2,-2,0,1,-4,0,3,-3,1,2,-4\n"
                          "}\n"
                          "GeometryVersion: 124\n"
                          "}\n"
                          "Model: 11, \"Model::t\", \"Mesh\" {\n"
                          "Version: 232\n"
                          "}\n"
                          "}\n"
                          "Connections:  {\n"
                          "C: \"OO\",11,0\n"
                          "C: \"OO\",10,11\n"
                          "}\n";

/* The same, with the unit to be filled in. */
static const char amf[] = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                          "<amf%s version=\"1.1\"><object id=\"1\"><mesh><vertices>\n"
                          "<vertex><coordinates><x>0</x><y>0</y><z>0</z></coordinates></vertex>\n"
                          "<vertex><coordinates><x>1</x><y>0</y><z>0</z></coordinates></vertex>\n"
                          "<vertex><coordinates><x>0</x><y>1</y><z>0</z></coordinates></vertex>\n"
                          "<vertex><coordinates><x>0</x><y>0</y><z>1</z></coordinates></vertex></vertices>\n"
                          "<volume>\n"
                          "<triangle><v1>0</v1><v2>2</v2><v3>1</v3></triangle>\n"
                          "<triangle><v1>0</v1><v2>1</v2><v3>3</v3></triangle>\n"
                          "<triangle><v1>0</v1><v2>3</v2><v3>2</v3></triangle>\n"
                          "<triangle><v1>1</v1><v2>2</v2><v3>3</v3></triangle>\n"
                          "</volume></mesh></object></amf>\n";

/* FBX and AMF declare a unit, which is applied; FBX also declares an axis. */
Test(mesh_file, declared_units)
{
	static const struct {
		const char *attribute;
		double metres;
	} units[] = {{" unit=\"inch\"", 0.0254}, {" unit=\"millimeter\"", 1e-3}, {" unit=\"micron\"", 1e-6},
	             {" unit=\"meter\"", 1.0},   {" unit=\"feet\"", 0.3048},     {"", 1e-3},
	             {" unit='inch'", 0.0254},   {" unit = \"inch\"", 0.0254},   {" unit\t=\n'feet'", 0.3048},
	             {" subunit='inch'", 1e-3}};
	AbutMeshOptions options = abut_mesh_options_default();
	write_text("inches.fbx", fbx);
	AbutMassProperties mass = mass_of(path, NULL);
	cr_expect(report.has_unit && report.has_up && report.up == 'y' &&
	          fabs(report.metres - 0.0254) < 1e-8); /* told in single precision */
	cr_expect_float_eq(mass.volume, 0.0254 * 0.0254 * 0.0254 / 6.0, 1e-11);
	cr_expect_lt(mass.centre_of_mass[1], 0.0); /* the file's z */
	options.unit = 1e-3;
	AbutMesh *mesh = NULL;
	cr_expect_eq(abut_mesh_load(path, &options, &mesh, &report, &error), ABUT_ERROR_ARGUMENT);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		static char text[sizeof amf + 64];
		const double m = units[i].metres;
		snprintf(text, sizeof text, amf, units[i].attribute);
		write_text("units.amf", text);
		mass = mass_of(path, NULL);
		cr_expect(report.has_unit && !report.has_up && !report.hides_unit && report.metres == m, "%s: %g",
		          units[i].attribute, report.metres);
		cr_expect_float_eq(mass.volume, m * m * m / 6.0, 1e-6 * m * m * m, "%s", units[i].attribute);
	}
	/* Assimp refuses units that AMF does not have, but not an empty one. */
	static char text[sizeof amf + 64];
	snprintf(text, sizeof text, amf, " unit='furlong'");
	write_text("units.amf", text);
	cr_expect_eq(abut_mesh_load(path, NULL, &mesh, &report, &error), ABUT_ERROR_PARSE);
	snprintf(text, sizeof text, amf, " unit=\"\"");
	write_text("units.amf", text);
	mass_of(path, NULL);
	cr_expect(!report.has_unit && report.hides_unit, "%g", report.metres);
}
