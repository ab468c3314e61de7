/* The model that an import grows, and its end. */
#include "io/import/model.h"

#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "io/text/file_text.h"

enum { TEXT_SIZE = 400 };

void abut_importer_fail(AbutImporter *importer, const AbutXml *at, const char *format, ...)
{
	char message[TEXT_SIZE];
	va_list arguments;
	if (importer->status != ABUT_OK) {
		return;
	}
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	importer->status = abut_xml_fail(at, importer->error, "%s", message);
}

void abut_importer_no_memory(AbutImporter *importer)
{
	if (importer->status == ABUT_OK) {
		importer->status = abut_file_fail(importer->error, importer->path, ABUT_ERROR_MEMORY, "out of memory");
	}
}

/* Room for one more element of an array. */
static bool grow(AbutImporter *importer, void *array, int *capacity, int n, size_t size)
{
	if (importer->status == ABUT_OK && !abut_grow(array, capacity, n + 1, size)) {
		abut_importer_no_memory(importer);
	}
	return importer->status == ABUT_OK;
}

void abut_importer_note(AbutImporter *importer, const AbutXml *at, const char *format, ...)
{
	AbutImport *import = importer->import;
	char message[TEXT_SIZE];
	va_list arguments;
	if (!grow(importer, &import->notes, &import->notes_capacity, import->n_notes, sizeof *import->notes)) {
		return;
	}
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	AbutImportNote *note = &import->notes[import->n_notes];
	*note = (AbutImportNote){at->file, at->line, strdup(message)};
	if (!note->text) {
		abut_importer_no_memory(importer);
		return;
	}
	import->n_notes++;
}

void abut_importer_keep(AbutImporter *importer, AbutXml *tree)
{
	AbutImport *import = importer->import;
	const bool has_room =
	    grow(importer, &import->trees, &import->trees_capacity, import->n_trees, sizeof *import->trees);
	if (has_room && import->trees) {
		import->trees[import->n_trees++] = tree;
	} else {
		abut_xml_free(tree);
	}
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static bool is_taken(const AbutImport *import, const char *name)
{
	return tfind(name, &import->names, compare_names) != NULL;
}

/* Whether `name` with the number behind it is taken, which is written to `made`. */
static bool number_taken(const AbutImport *import, const char *name, int number, char *made, size_t size)
{
	snprintf(made, size, "%s_%d", name, number);
	return is_taken(import, made);
}

/* `name`, or with a number behind it that makes it new: 2, 3, ... in turn. Thousands of geometries may have no name, so
 * the first number that is free is looked for by halves. */
static char *make_name(const AbutImport *import, const char *name)
{
	const size_t size = strlen(name) + 16;
	char *const made = malloc(size);
	if (!made) {
		return NULL;
	}
	snprintf(made, size, "%s", name);
	if (is_taken(import, made)) {
		int taken = 1, free_one = 2;
		while (number_taken(import, name, free_one, made, size)) {
			taken = free_one;
			free_one *= 2;
		}
		while (free_one - taken > 1) {
			const int middle = taken + (free_one - taken) / 2;
			const bool is = number_taken(import, name, middle, made, size);
			taken = is ? middle : taken;
			free_one = is ? free_one : middle;
		}
		snprintf(made, size, "%s_%d", name, free_one);
	}
	return made;
}

AbutImportBody *abut_importer_body(AbutImporter *importer, const AbutXml *at, const char *name)
{
	AbutImport *import = importer->import;
	if (!grow(importer, &import->bodies, &import->bodies_capacity, import->n_bodies, sizeof *import->bodies)) {
		return NULL;
	}
	char *const made = make_name(import, name && name[0] ? name : at->name);
	if (!made || !tsearch(made, &import->names, compare_names)) {
		free(made);
		abut_importer_no_memory(importer);
		return NULL;
	}
	AbutImportBody *body = &import->bodies[import->n_bodies++];
	memset(body, 0, sizeof *body);
	body->element = at;
	body->name = made;
	body->pose = abut_pose_identity();
	body->friction = body->torsion = -1.0;
	return body;
}

AbutGeom *abut_importer_geom(AbutImporter *importer, AbutImportBody *body, const AbutXml *at)
{
	if (!grow(importer, &body->geoms, &body->geoms_capacity, body->n_geoms, sizeof *body->geoms)) {
		return NULL;
	}
	AbutGeom *geom = &body->geoms[body->n_geoms++];
	memset(geom, 0, sizeof *geom);
	geom->element = at;
	geom->pose = geom->mesh.origin = abut_pose_identity();
	geom->mesh.scale[0] = geom->mesh.scale[1] = geom->mesh.scale[2] = 1.0;
	geom->collides = geom->weighs = true;
	geom->friction = geom->torsion = -1.0;
	geom->type = geom->affinity = ~0U;
	return geom;
}

AbutImportMass *abut_importer_mass(AbutImporter *importer, AbutImportBody *body)
{
	if (!grow(importer, &body->masses, &body->masses_capacity, body->n_masses, sizeof *body->masses)) {
		return NULL;
	}
	AbutImportMass *mass = &body->masses[body->n_masses++];
	memset(mass, 0, sizeof *mass);
	return mass;
}

static void free_body(AbutImport *import, AbutImportBody *body)
{
	tdelete(body->name, &import->names, compare_names);
	for (int i = 0; i < body->n_geoms; i++) {
		abut_shape_destroy(body->geoms[i].shape);
		free(body->geoms[i].mesh.file);
		free(body->geoms[i].mesh.vertices);
	}
	free(body->geoms);
	free(body->masses);
	free(body->name);
}

void abut_importer_drop_body(AbutImporter *importer)
{
	AbutImport *import = importer->import;
	free_body(import, &import->bodies[--import->n_bodies]);
}

void abut_import_free(AbutImport *import)
{
	if (!import) {
		return;
	}
	for (int i = 0; i < import->n_bodies; i++) {
		free_body(import, &import->bodies[i]);
	}
	for (int i = 0; i < import->n_notes; i++) {
		free(import->notes[i].text);
	}
	for (int i = 0; i < import->n_trees; i++) {
		abut_xml_free(import->trees[i]);
	}
	free(import->bodies);
	free(import->notes);
	free(import->trees);
	free(import->excluded);
	free(import->name);
	free(import);
}

int abut_import_body_count(const AbutImport *import)
{
	return import->n_bodies;
}

const AbutImportNote *abut_import_note(const AbutImport *import, int i)
{
	return i < import->n_notes ? &import->notes[i] : NULL;
}

AbutStatus abut_import_read(const char *path, AbutImport **out, AbutError *error)
{
	AbutXml *root = NULL;
	AbutImporter importer = {.import = calloc(1, sizeof *importer.import), .path = path, .error = error};
	*out = NULL;
	if (!importer.import) {
		return abut_file_fail(error, path, ABUT_ERROR_MEMORY, "out of memory");
	}
	importer.import->gravity[2] = -9.81;
	importer.import->timestep = 0.01;
	importer.status = abut_xml_read(path, "model", &root, error);
	if (importer.status == ABUT_OK) {
		abut_importer_keep(&importer, root);
	}
	if (importer.status == ABUT_OK && strcmp(root->name, "robot") == 0) {
		abut_import_urdf(&importer, root);
	} else if (importer.status == ABUT_OK && strcmp(root->name, "mujoco") == 0) {
		abut_import_mjcf(&importer, root);
	} else {
		abut_importer_fail(&importer, root, "must be <robot> (URDF) or <mujoco> (MJCF)");
	}
	abut_importer_finish(&importer);
	if (importer.status != ABUT_OK) {
		abut_import_free(importer.import);
	} else {
		*out = importer.import;
	}
	return importer.status;
}
