/* Adds bodies, geometries, masses, notes and errors to the model of an import. */
#include "io/robot/importer.h"

#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/robot/pose.h"
#include "io/text/file_text.h"

enum { TEXT_SIZE = 400 };

void abut_importer_fail(AbutImporter *importer, const AbutXml *at, const char *format, ...)
{
	AbutError *error = importer->error;
	char message[TEXT_SIZE];
	va_list arguments;
	if (importer->status != ABUT_OK) {
		return;
	}
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	importer->status = abut_file_fail(error, at->file, ABUT_ERROR_PARSE, "%s", message);
	if (error) {
		snprintf(error->where, sizeof error->where, "<%.60s>", at->name);
		error->line = at->line;
		error->column = at->column;
	}
}

void abut_importer_no_memory(AbutImporter *importer)
{
	if (importer->status == ABUT_OK) {
		importer->status = abut_file_fail(importer->error, importer->path, ABUT_ERROR_MEMORY, "out of memory");
	}
}

void abut_importer_blame_system(AbutImporter *importer, AbutStatus status)
{
	importer->status = status;
	if (importer->error) {
		importer->error->status = status;
	}
}

/* Makes room for one more element of an array. */
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
	*note = (AbutImportNote){at->file, at->name, at->line, 1, strdup(message)};
	if (!note->text) {
		abut_importer_no_memory(importer);
		return;
	}
	import->n_notes++;
}

void abut_importer_count_note(AbutImporter *importer, int count)
{
	if (importer->import->n_notes > 0) {
		importer->import->notes[importer->import->n_notes - 1].count = count;
	}
}

void abut_importer_set_name(AbutImporter *importer, const char *name)
{
	importer->import->name = name ? strdup(name) : NULL;
	if (name && !importer->import->name) {
		abut_importer_no_memory(importer);
	}
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

/* Writes NAME_NUMBER to `made` and returns whether this name is taken. */
static bool number_taken(const AbutImport *import, const char *name, int number, char *made, size_t size)
{
	snprintf(made, size, "%s_%d", name, number);
	return is_taken(import, made);
}

/* Returns `name`, or `name` with the first free number _2, _3, ... if it is taken. Thousands of geometries may have the
 * same name, so the first free number is found by bisection. */
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
	const char *const own = name && name[0] ? name : at->name;
	/* in scenes, "world" means the frame of the world */
	char *const made = make_name(import, strcmp(own, "world") == 0 ? "world_body" : own);
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
	body->carried = -1;
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

void abut_importer_place(AbutImporter *importer, const AbutImportPlace *place)
{
	AbutImport *import = importer->import;
	if (grow(importer, &import->places, &import->places_capacity, import->n_places, sizeof *import->places)) {
		import->places[import->n_places++] = *place;
	}
}

static const AbutXml *root_of(const AbutXml *element)
{
	while (element->parent) {
		element = element->parent;
	}
	return element;
}

int abut_import_reach(const AbutImport *import, const AbutXml *from, const AbutXml *to)
{
	const AbutXml *own = root_of(from);
	return own == root_of(to) ? 2 : own == import->trees[0] ? 1 : 0;
}

const AbutImportPlace *abut_import_find_place(const AbutImport *import, const AbutXml *from, const char *kind,
                                              const char *name)
{
	const AbutImportPlace *found = NULL;
	int nearest = 0;
	for (int i = 0; i < import->n_places && name; i++) {
		const AbutXml *element = import->places[i].element;
		const bool is = strcmp(element->name, kind) == 0 && strcmp(abut_importer_name(element), name) == 0;
		const int reach = is ? abut_import_reach(import, from, element) : 0;
		if (reach > nearest) {
			nearest = reach;
			found = &import->places[i];
		}
	}
	return found;
}

void abut_importer_drop_body(AbutImport *import)
{
	AbutImportBody *body = &import->bodies[--import->n_bodies];
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

const char *abut_importer_name(const AbutXml *element)
{
	const char *name = abut_xml_get(element, "name");
	return name ? name : "";
}
