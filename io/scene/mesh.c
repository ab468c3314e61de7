/* Reads shapes of type "mesh": the convex hull of a mesh file or the hulls of its parts. The mass is that of the mesh
 * if it has one. */
#include "io/scene/mesh.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "abut/decompose.h"
#include "base/error.h"
#include "io/json/read.h"
#include "io/mesh/decomposition_cache.h"
#include "io/text/words.h"

enum { MODE_HULL, MODE_DECOMPOSE, MODES };

typedef struct MeshKeys {
	const char *file;
	AbutMeshOptions options;
	int mode;
	int max_faces;
	int fit; /* an AbutMeshFit */
	AbutDecomposeOptions parts;
	int mass_of;   /* 0: the mesh, or its hull if it is open; 1: the hull, or the union of the hulls */
	bool has_mass; /* `mass_of` was given */
} MeshKeys;

static void read_unit(const AbutNode *node, double *metres)
{
	AbutNode member;
	const char *name = NULL, *known = NULL;
	if (abut_node_get(node, "unit", &member)) {
		abut_node_name(&member, &name);
		if (abut_node_ok(node) && !abut_mesh_unit(name, metres, &known)) {
			abut_node_fail(&member, ABUT_ERROR_PARSE, "must be one of %s, is \"%s\"", known, name);
		}
	}
}

/* Fails if a key does not apply to the mode: `fit` is only for "hull", `concavity` and `max_parts` only for
 * "decompose". */
static void check_mode(const AbutNode *node, int mode)
{
	static const char *const foreign[MODES][3] = {
	    [MODE_HULL] = {"concavity", "max_parts"}, [MODE_DECOMPOSE] = {"fit"}};
	static const char *const other[MODES] = {[MODE_HULL] = "decompose", [MODE_DECOMPOSE] = "hull"};
	AbutNode member;
	for (int i = 0; foreign[mode][i]; i++) {
		if (abut_node_get(node, foreign[mode][i], &member)) {
			abut_node_fail(&member, ABUT_ERROR_PARSE, "is for the mode \"%s\"", other[mode]);
		}
	}
}

static void read_keys(const AbutNode *node, MeshKeys *keys)
{
	static const char *const modes[MODES] = {"hull", "decompose"}, *const fits[] = {"outer", "inner"},
	                         *const axes[] = {"x", "y", "z"}, *const masses[] = {"mesh", "hull"};
	AbutNode member;
	int axis = 0;
	if (abut_node_require(node, "file", &member)) {
		abut_node_file(&member, &keys->file);
	}
	abut_read_number(node, "scale", ABUT_POSITIVE, &keys->options.scale);
	read_unit(node, &keys->options.unit);
	if (abut_read_choice(node, "up", axes, 3, &axis)) {
		keys->options.up = (AbutMeshUp)(ABUT_MESH_UP_X + axis);
	}
	abut_read_choice(node, "mode", modes, MODES, &keys->mode);
	check_mode(node, keys->mode);
	abut_read_integer(node, "max_faces", 4, INT_MAX, &keys->max_faces);
	abut_read_choice(node, "fit", fits, 2, &keys->fit);
	abut_read_number(node, "concavity", ABUT_POSITIVE, &keys->parts.concavity);
	abut_read_integer(node, "max_parts", 1, ABUT_DECOMPOSE_PARTS_MAX, &keys->parts.max_parts);
	keys->parts.max_faces = keys->max_faces;
	keys->has_mass = abut_read_choice(node, "mass_of", masses, 2, &keys->mass_of);
}

/* Writes the path of the file, relative to the scene's folder, to `path`. Returns false if it is too long. */
static bool find_file(const AbutNode *node, const char *file, char *path, size_t size)
{
	const char *scene = node->reader->source->name, *slash = strrchr(scene, '/');
	const int folder = slash && file[0] != '/' ? (int)(slash - scene) + 1 : 0;
	return (size_t)snprintf(path, size, "%.*s%s", folder, scene, file) < size;
}

/* Reports an error of the mesh at the key "file", with the file name, unless it belongs to another key. */
static AbutStatus fail_file(const MeshKeys *keys, AbutStatus status, AbutError *error)
{
	static const char *const own[] = {"scale", "unit", "max_faces", "concavity", "max_parts"};
	char message[sizeof error->message], quoted[ABUT_QUOTE_SIZE];
	if (abut_text_index(error->where, own, sizeof own / sizeof *own) >= 0) {
		return status;
	}
	memcpy(message, error->message, sizeof message);
	return abut_error_set(error, status, "file", "%s: %s", abut_text_quote(keys->file, quoted), message);
}

/* Makes the hull, with the mass of the mesh unless `mass_of` is "hull". If the mesh has no valid mass and `mass_of` is
 * not given, the mass of the hull is used. For a closed mesh a warning then says so; for an open one the mesh report
 * does. */
static AbutStatus make_hull(const AbutNode *node, const MeshKeys *keys, const AbutMesh *mesh, bool closed,
                            AbutBundle **out, AbutError *error)
{
	AbutShape *shape = NULL;
	AbutMeshHullReport hull;
	AbutStatus status =
	    abut_mesh_hull_with_progress(mesh, keys->max_faces, (AbutMeshFit)keys->fit, keys->options.progress,
	                                 keys->options.context, &shape, &hull, error);
	AbutMassProperties mass = hull.hull;
	if (status == ABUT_OK && keys->mass_of == 0) {
		status = abut_mesh_mass_in_hull(mesh, &hull.hull, &mass, error);
		if (status == ABUT_ERROR_ARGUMENT && !keys->has_mass) {
			status = ABUT_OK;
			if (closed) {
				abut_node_warn(node, "mass and inertia are those of the hull: %s", error->message);
			}
		}
	}
	ABUT_THEN(status, abut_shape_set_mass(shape, &mass, error));
	if (status == ABUT_OK) {
		const AbutShape *const one[1] = {shape};
		status = abut_bundle_create(1, one, out, error);
	}
	abut_shape_destroy(shape);
	return status;
}

/* Makes the hulls of the parts. The decomposition refuses open meshes, so the mesh has a mass. */
static AbutStatus make_parts(const AbutNode *node, const MeshKeys *keys, const char *path, const AbutMesh *mesh,
                             AbutBundle **out, AbutError *error)
{
	AbutDecomposition *parts = NULL;
	AbutMassProperties mass = {.volume = 0.0};
	AbutError cache = {0};
	char warnings[ABUT_DECOMPOSITION_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
	AbutStatus status = abut_decompose_cached(mesh, &keys->parts, path, &parts, &cache, error);
	if (status == ABUT_OK && keys->mass_of == 0) {
		status = abut_mesh_mass(mesh, &mass, error);
	}
	ABUT_THEN(status, abut_decomposition_bundle(parts, keys->mass_of == 0 ? &mass : NULL, out, error));
	const int n = status == ABUT_OK ? abut_decomposition_warnings(parts, warnings) : 0;
	for (int i = 0; i < n; i++) {
		abut_node_warn(node, "%s", warnings[i]);
	}
	if (cache.message[0]) {
		abut_node_warn(node, "%s", cache.message);
	}
	abut_decomposition_destroy(parts);
	return status;
}

static bool goes_on(void *stop, const char *stage, double part)
{
	(void)stage;
	(void)part;
	return !abut_stopped(stop);
}

AbutStatus abut_scene_read_mesh(const AbutNode *node, AbutBundle **out, AbutError *error)
{
	MeshKeys keys = {.options = abut_mesh_options_default()};
	keys.options.progress = keys.parts.progress = goes_on;
	keys.options.context = keys.parts.context = node->reader->stop;
	char path[ABUT_FILE_MAX + 1], warnings[ABUT_MESH_WARNINGS_MAX][ABUT_MESH_WARNING_SIZE];
	read_keys(node, &keys);
	if (!abut_node_ok(node)) {
		return ABUT_OK;
	}
	if (!find_file(node, keys.file, path, sizeof path)) {
		return abut_error_set(error, ABUT_ERROR_PARSE, "file",
		                      "the path, with the scene's folder, is %.60s...; at most %zu bytes are allowed",
		                      keys.file, sizeof path - 1);
	}
	AbutMesh *mesh = NULL;
	AbutMeshReport report;
	AbutStatus status = abut_mesh_load(path, &keys.options, &mesh, &report, error);
	ABUT_THEN(status, keys.mode == MODE_HULL ? make_hull(node, &keys, mesh, report.closed, out, error)
	                                         : make_parts(node, &keys, path, mesh, out, error));
	abut_mesh_destroy(mesh);
	if (status != ABUT_OK) {
		return fail_file(&keys, status, error);
	}
	const int n = abut_mesh_warnings(&report, warnings);
	for (int i = 0; i < n; i++) {
		abut_node_warn(node, "%s", warnings[i]);
	}
	return ABUT_OK;
}
