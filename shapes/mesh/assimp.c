/* Reads mesh files with Assimp. No other file includes its headers.
 *
 * Assimp's coordinates have single precision. A file is a tree of nodes with transforms, which place meshes; all placed
 * meshes are joined into one. The unit and the axis that points up depend on the format. Assimp converts COLLADA to
 * metres with y up, by the root's transform. glTF is in metres with y up by its specification. This file applies what
 * FBX and AMF declare. Other formats are taken as they are. */
#include "shapes/mesh/assimp.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/vec3.h"
#include "shapes/geometry/weld.h"
#include "shapes/mesh/file.h"

/* A node, with the transform p -> M p + t from its frame to that of the mesh. */
typedef struct Place {
	const struct aiNode *node;
	double M[9], t[3];
} Place;

typedef struct Work {
	const struct aiScene *scene;
	AbutMeshReport *report;
	AbutError *error;
	double turn[9]; /* rotation from the scene's axes to z up, times the unit in metres */
	int n_places, capacity;
	Place *places; /* all nodes */
	AbutWeld weld;
	int n_triangles;
	int *triangles; /* (n_triangles x 3) */
} Work;

static AbutStatus fail_memory(Work *work)
{
	return abut_error_set(work->error, ABUT_ERROR_MEMORY, NULL, "no memory for the triangles of the file");
}

/* --- axes and unit --- */

/* Finds a number among the file's properties. Returns false if none has this name. */
static bool find_property(const struct aiMetadata *properties, const char *name, double *out)
{
	for (unsigned i = 0; properties && i < properties->mNumProperties; i++) {
		const struct aiMetadataEntry *entry = &properties->mValues[i];
		if (strcmp(properties->mKeys[i].data, name) != 0) {
			continue;
		}
		if (entry->mType == AI_INT32) {
			int32_t value;
			memcpy(&value, entry->mData, sizeof value);
			*out = value;
			return true;
		}
		if (entry->mType == AI_FLOAT) {
			float value;
			memcpy(&value, entry->mData, sizeof value);
			*out = (double)value;
			return true;
		}
		if (entry->mType == AI_DOUBLE) {
			memcpy(out, entry->mData, sizeof *out);
			return true;
		}
	}
	return false;
}

/* Returns the value of an attribute of an XML element, in single or double quotes; NULL if it is missing. */
static const char *find_attribute(const char *element, const char *name, size_t *length)
{
	static const char blanks[] = " \t\r\n";
	for (const char *at = strstr(element, name); at; at = strstr(at + 1, name)) {
		const char *value = at + strlen(name);
		value += strspn(value, blanks);
		if (at == element || !strchr(blanks, at[-1]) || *value != '=') {
			continue; /* the end of another name, or text inside a value */
		}
		value++;
		value += strspn(value, blanks);
		const char *end = *value == '"' || *value == '\'' ? strchr(value + 1, *value) : NULL;
		*length = end ? (size_t)(end - value - 1) : 0;
		return end ? value + 1 : value;
	}
	return NULL;
}

/* Returns the unit of an AMF file in metres, which Assimp does not report. The first element declares it, as in <amf
 * unit="inch">; the default is millimetres. Returns 0 if the unit is unknown, or if the element is not found, as in a
 * compressed file. */
static double amf_unit(const char *path)
{
	static const struct {
		const char *name;
		double metres;
	} units[] = {{"millimeter", 1e-3}, {"inch", 0.0254}, {"feet", 0.3048}, {"meter", 1.0}, {"micron", 1e-6}};
	char head[2048] = "";
	FILE *file = fopen(path, "rb");
	if (file) {
		head[fread(head, 1, sizeof head - 1, file)] = '\0';
		fclose(file);
	}
	char *element = strstr(head, "<amf"), *end = element ? strchr(element, '>') : NULL;
	if (!end) {
		return 0.0;
	}
	*end = '\0';
	size_t length = 0;
	const char *unit = find_attribute(element, "unit", &length);
	for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++) {
		if (length == strlen(units[i].name) && strncmp(unit, units[i].name, length) == 0) {
			return units[i].metres;
		}
	}
	return unit ? 0.0 : 1e-3;
}

/* Returns the unit that the file declares, in metres, or 0. `up` becomes the declared axis that points up, or 0. Assimp
 * converts COLLADA to metres; for FBX it reports centimetres and the axis, and rotates nothing. */
static double find_declared(const Work *work, const char *path, char *up)
{
	double unit = 0.0, axis = -1.0, sense = 1.0;
	*up = '\0';
	if (abut_has_ending(path, ".gltf") || abut_has_ending(path, ".glb") || abut_has_ending(path, ".dae")) {
		*up = 'y';
		return 1.0;
	}
	if (abut_has_ending(path, ".amf")) {
		return amf_unit(path);
	}
	const struct aiMetadata *properties = work->scene->mMetaData;
	find_property(properties, "UpAxisSign", &sense);
	if (find_property(properties, "UpAxis", &axis) && sense > 0.0 && (axis == 0.0 || axis == 1.0 || axis == 2.0)) {
		*up = "xyz"[(int)axis];
	}
	return find_property(properties, "UnitScaleFactor", &unit) && unit > 0.0 && unit <= 1e9 ? 0.01 * unit : 0.0;
}

/* Computes `turn`: the rotation to z up, times the unit in metres. */
static AbutStatus set_frame(Work *work, const char *path, const AbutMeshOptions *options)
{
	static const double turns[3][9] = {
	    {0, 0, -1, 0, 1, 0, 1, 0, 0}, {1, 0, 0, 0, 0, -1, 0, 1, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
	AbutMeshReport *report = work->report;
	char up;
	const double declared = find_declared(work, path, &up);
	report->has_unit = declared > 0.0;
	report->has_up = up != '\0';
	report->hides_unit = !report->has_unit && options->unit == 0.0 &&
	                     (abut_has_ending(path, ".3mf") || abut_has_ending(path, ".amf"));
	if (report->has_unit && options->unit > 0.0) {
		return abut_error_set(
		    work->error, ABUT_ERROR_ARGUMENT, "unit",
		    "this file declares its unit and was converted to metres; use a scale to correct it");
	}
	const double given = options->unit > 0.0 ? options->unit : 1.0;
	report->metres = options->scale * (report->has_unit ? declared : given);
	report->up = report->has_up ? up : 'z';
	if (options->up != ABUT_MESH_UP_DECLARED) {
		report->up = "xyz"[options->up - ABUT_MESH_UP_X];
	}
	for (int i = 0; i < 9; i++) {
		work->turn[i] = report->metres * turns[report->up - 'x'][i];
	}
	return ABUT_OK;
}

/* --- nodes --- */

static bool add_place(Work *work, const struct aiNode *node, const double M[9], const double t[3])
{
	if (!node || !abut_grow(&work->places, &work->capacity, work->n_places + 1, sizeof *work->places)) {
		return false;
	}
	const struct aiMatrix4x4 *local = &node->mTransformation;
	const double R[9] = {(double)local->a1, (double)local->a2, (double)local->a3,
	                     (double)local->b1, (double)local->b2, (double)local->b3,
	                     (double)local->c1, (double)local->c2, (double)local->c3};
	const double shift[3] = {(double)local->a4, (double)local->b4, (double)local->c4};
	Place *place = &work->places[work->n_places++];
	place->node = node;
	abut_mat3_mul(M, R, place->M);
	abut_mat3_vec(M, shift, place->t);
	abut_add3(place->t, t, place->t);
	return true;
}

/* Collects all nodes, parents before their children. */
static AbutStatus find_places(Work *work)
{
	const double origin[3] = {0.0};
	bool complete = add_place(work, work->scene->mRootNode, work->turn, origin);
	for (int i = 0; complete && i < work->n_places; i++) {
		const Place place = work->places[i]; /* a copy, because the array may move */
		for (unsigned k = 0; complete && k < place.node->mNumChildren; k++) {
			complete = add_place(work, place.node->mChildren[k], place.M, place.t);
		}
	}
	return complete ? ABUT_OK : fail_memory(work);
}

static const struct aiMesh *mesh_of(const Work *work, const struct aiNode *node, unsigned k)
{
	return node->mMeshes[k] < work->scene->mNumMeshes ? work->scene->mMeshes[node->mMeshes[k]] : NULL;
}

static AbutStatus count_triangles(Work *work)
{
	size_t n = 0;
	for (int i = 0; i < work->n_places; i++) {
		const struct aiNode *node = work->places[i].node;
		for (unsigned k = 0; k < node->mNumMeshes; k++) {
			const struct aiMesh *mesh = mesh_of(work, node, k);
			n += mesh ? mesh->mNumFaces : 0;
			if (n > ABUT_MESH_TRIANGLES_MAX) {
				return abut_error_set(work->error, ABUT_ERROR_UNSUPPORTED, NULL,
				                      "has more than %d triangles; simplify the mesh in a mesh editor",
				                      (int)ABUT_MESH_TRIANGLES_MAX);
			}
		}
	}
	work->triangles = malloc((3 * n + 1) * sizeof *work->triangles);
	return work->triangles ? ABUT_OK : fail_memory(work);
}

/* --- triangles --- */

static void take_face(Work *work, const struct aiFace *face, const int *point, unsigned n_points, bool mirrored)
{
	if (face->mNumIndices != 3) {
		work->report->n_not_triangles++;
		return;
	}
	int *out = &work->triangles[3 * (size_t)work->n_triangles];
	for (int k = 0; k < 3; k++) {
		const unsigned index = face->mIndices[mirrored ? 2 - k : k];
		if (index >= n_points) {
			work->report->n_not_triangles++;
			return;
		}
		out[k] = point[index];
	}
	work->n_triangles++;
}

static AbutStatus take_mesh(Work *work, const struct aiMesh *mesh, const Place *place)
{
	int *point = malloc(((size_t)mesh->mNumVertices + 1) * sizeof *point);
	if (!point) {
		return fail_memory(work);
	}
	for (unsigned i = 0; i < mesh->mNumVertices; i++) {
		const struct aiVector3D *v = &mesh->mVertices[i];
		double p[3] = {(double)v->x, (double)v->y, (double)v->z};
		if (!abut_all_finite(p, 3)) {
			free(point);
			return abut_error_set(work->error, ABUT_ERROR_PARSE, NULL,
			                      "contains the point (%g, %g, %g), number %u of its mesh, which is not "
			                      "finite; export the mesh again",
			                      p[0], p[1], p[2], i + 1);
		}
		abut_mat3_vec(place->M, p, p);
		abut_add3(p, place->t, p);
		point[i] = abut_weld_add(&work->weld, p);
		if (point[i] < 0) {
			free(point);
			return fail_memory(work);
		}
	}
	double cross[3];
	abut_cross3(&place->M[0], &place->M[3], cross);
	const bool mirrored = abut_dot3(cross, &place->M[6]) < 0.0;
	for (unsigned f = 0; f < mesh->mNumFaces; f++) {
		take_face(work, &mesh->mFaces[f], point, mesh->mNumVertices, mirrored);
	}
	work->report->n_parts++;
	free(point);
	return ABUT_OK;
}

static AbutStatus take_all(Work *work)
{
	for (int i = 0; i < work->n_places; i++) {
		const Place *place = &work->places[i];
		for (unsigned k = 0; k < place->node->mNumMeshes; k++) {
			const struct aiMesh *mesh = mesh_of(work, place->node, k);
			const AbutStatus status = mesh && mesh->mVertices ? take_mesh(work, mesh, place) : ABUT_OK;
			if (status != ABUT_OK) {
				return status;
			}
		}
	}
	if (work->weld.n == 0) {
		return abut_error_set(work->error, ABUT_ERROR_PARSE, NULL,
		                      "contains no triangles and no points; export the mesh itself");
	}
	return ABUT_OK;
}

/* Assimp does not report why it cannot read, and may take a part of the file for the whole. */
static bool is_of_system(int reason)
{
	return reason == ENOMEM || reason == EIO || reason == EINTR || reason == EMFILE || reason == ENFILE;
}

static AbutStatus import(Work *work, const char *path)
{
	errno = 0;
	work->scene = aiImportFile(path, aiProcess_Triangulate);
	if (is_of_system(errno)) {
		return abut_error_set(work->error, abut_read_status(errno), NULL, "cannot be read: %s",
		                      strerror(errno));
	}
	if (!work->scene) {
		char reason[256];
		snprintf(reason, sizeof reason, "%s", aiGetErrorString());
		reason[strcspn(reason, "\r\n")] = '\0';
		return abut_error_set(work->error, ABUT_ERROR_PARSE, NULL,
		                      "is not a mesh that Assimp can read, or is truncated: %s",
		                      reason[0] ? reason : "it gives no reason");
	}
	return ABUT_OK;
}

AbutStatus abut_mesh_read(const char *path, const AbutMeshOptions *options, AbutMesh **out, AbutMeshReport *report,
                          AbutError *error)
{
	Work work = {.report = report, .error = error};
	AbutStatus status = import(&work, path);
	ABUT_THEN(status, set_frame(&work, path, options));
	ABUT_THEN(status, find_places(&work));
	ABUT_THEN(status, count_triangles(&work));
	ABUT_THEN(status, take_all(&work));
	if (work.scene) {
		aiReleaseImport(work.scene); /* frees memory before the copy below, to lower the peak */
	}
	free(work.places);
	ABUT_THEN(status,
	          abut_mesh_create(work.weld.n, work.weld.points, work.n_triangles, work.triangles, out, error));
	abut_weld_free(&work.weld);
	free(work.triangles);
	return status;
}
