/* Writes which bodies of an import touch, as `contacts` of a scene file. */
#include "io/import/write_contacts.h"

#include <math.h>
#include <string.h>

#include "io/import/shape.h"
#include "io/robot/contact_mix.h"
#include "io/robot/importer.h"
#include "io/robot/joints.h"
#include "io/scene/write_joints.h"
#include "io/scene/write_shapes.h"

/* Returns the name of the MJCF body that contains the geometry. <exclude> uses these names, but the scene may have
 * merged several such bodies into one. */
static const char *owner_of(const AbutGeom *geom)
{
	const AbutXml *at = geom->element->parent;
	while (at && strcmp(at->name, "body") != 0 && strcmp(at->name, "worldbody") != 0) {
		at = at->parent;
	}
	const char *name = at && strcmp(at->name, "body") == 0 ? abut_xml_get(at, "name") : "world";
	return name ? name : "";
}

/* Returns whether two names are those of a pair, in either order. */
static bool are(const char *const pair[2], const char *a, const char *b)
{
	return (strcmp(pair[0], a) == 0 && strcmp(pair[1], b) == 0) ||
	       (strcmp(pair[0], b) == 0 && strcmp(pair[1], a) == 0);
}

/* Returns whether names in the element `from` can mean two geometries, or the bodies of them. */
static bool reaches(const AbutImport *import, const AbutXml *from, const AbutGeom *a, const AbutGeom *b)
{
	return abut_import_reach(import, from, a->element) > 0 && abut_import_reach(import, from, b->element) > 0;
}

static bool is_excluded(const AbutImport *import, const AbutGeom *a, const AbutGeom *b)
{
	for (int i = 0; i < import->contacts.n_excluded; i++) {
		const AbutImportExclude *exclude = &import->contacts.excluded[i];
		if (are(exclude->body, owner_of(a), owner_of(b)) && reaches(import, exclude->element, a, b)) {
			return true;
		}
	}
	return false;
}

/* Returns the <pair> of two geometries, or NULL. */
static const AbutImportPair *find_pair(const AbutImport *import, const AbutGeom *a, const AbutGeom *b)
{
	const char *names[2] = {abut_importer_name(a->element), abut_importer_name(b->element)};
	for (int i = 0; i < import->contacts.n_pairs && names[0][0] && names[1][0]; i++) {
		const AbutImportPair *pair = &import->contacts.pairs[i];
		if (are(pair->geom, names[0], names[1]) && reaches(import, pair->element, a, b)) {
			return pair;
		}
	}
	return NULL;
}

/* Returns whether two bodies, given by index, were taken apart. */
static bool are_apart(const AbutImport *import, int i, int k)
{
	for (int n = 0; n < import->contacts.n_apart; n++) {
		const int *pair = import->contacts.apart[n];
		if ((pair[0] == i && pair[1] == k) || (pair[0] == k && pair[1] == i)) {
			return true;
		}
	}
	return false;
}

/* Returns whether contype of one geometry and conaffinity of the other share a bit, unless <exclude> lists the pair. */
static bool geoms_touch(const AbutImport *import, const AbutGeom *a, const AbutGeom *b)
{
	const bool told = (a->type & b->affinity) != 0 || (b->type & a->affinity) != 0;
	return told && !(import->contacts.n_excluded > 0 && is_excluded(import, a, b));
}

/* How two bodies touch. */
typedef struct Touch {
	bool may;
	int priority; /* of the geometries that decide */
	AbutContactMix as;
} Touch;

/* Adds the parameters of two geometries: of those with the highest priority, the largest friction counts, and the first
 * spring. */
static void add_geoms(const AbutGeom *a, const AbutGeom *b, const AbutImportPair *pair, Touch *touch)
{
	AbutContactMix as = abut_contact_mix(a, b);
	const int priority = a->priority > b->priority ? a->priority : b->priority;
	if (touch->may && priority < touch->priority) {
		return;
	}
	if (pair) {
		as.friction = pair->friction;
		as.torsion = pair->torsion;
		as.spring = pair->spring;
	}
	if (touch->may && priority == touch->priority) {
		as.friction = fmax(touch->as.friction, as.friction);
		as.torsion = fmax(touch->as.torsion, as.torsion);
		as.spring = touch->as.spring;
	}
	*touch = (Touch){.may = true, .priority = priority, .as = as};
}

/* Returns how two bodies touch. The friction of a <pair> replaces that of the geometries. Bodies that are joined touch
 * only by a <pair>. */
static Touch find_touch(const AbutImport *import, int i, int k)
{
	const AbutImportBody *a = &import->bodies[i], *b = &import->bodies[k];
	Touch touch = {.as = {.friction = -1.0, .torsion = -1.0}};
	const bool joined = abut_import_parent(import, i) == k || abut_import_parent(import, k) == i;
	if ((a->is_static && b->is_static) || are_apart(import, i, k) || (joined && import->contacts.n_pairs == 0)) {
		return touch;
	}
	for (int g = 0; g < a->n_geoms; g++) {
		for (int h = 0; h < b->n_geoms; h++) {
			const AbutGeom *first = &a->geoms[g], *second = &b->geoms[h];
			const AbutImportPair *pair = find_pair(import, first, second);
			if (pair ||
			    (!joined && first->collides && second->collides && geoms_touch(import, first, second))) {
				add_geoms(first, second, pair, &touch);
			}
		}
	}
	return touch;
}

static void write_pair(FILE *file, const AbutImportBody *a, const AbutImportBody *b, const Touch *touch)
{
	fputs("{\"pair\": ", file);
	abut_scene_write_pair(file, a->name, b->name);
	if (touch->as.friction >= 0.0) {
		abut_scene_write_number(file, "friction", touch->as.friction);
	}
	if (touch->as.torsion >= 0.0) {
		abut_scene_write_number(file, "torsional_radius",
		                        touch->as.friction > 0.0 ? touch->as.torsion / touch->as.friction : 0.0);
	}
	if (abut_spring_is_special(&touch->as.spring)) {
		fputs(", ", file);
		abut_scene_write_spring(file, &touch->as.spring);
	}
	fputc('}', file);
}

/* Writes the pairs that never touch, of a scene that does not list its pairs. */
static void write_apart(FILE *file, const AbutImport *import)
{
	for (int i = 0; i < import->contacts.n_apart; i++) {
		const int *pair = import->contacts.apart[i];
		fputs(i > 0 ? ",\n    " : ",\n  \"exclude\": [\n    ", file);
		abut_scene_write_pair(file, import->bodies[pair[0]].name, import->bodies[pair[1]].name);
	}
	fputs(import->contacts.n_apart > 0 ? "\n  ]" : "", file);
}

void abut_import_write_contacts(FILE *file, const AbutImport *import)
{
	int written = 0;
	if (import->contacts.none) {
		fputs(",\n  \"contacts\": []", file);
		return;
	}
	if (!abut_import_lists_pairs(import)) {
		write_apart(file, import);
		return;
	}
	fputs(",\n  \"contacts\": [", file);
	for (int i = 0; i < import->n_bodies; i++) {
		for (int k = i + 1; k < import->n_bodies; k++) {
			const Touch touch = find_touch(import, i, k);
			if (touch.may) {
				fputs(written++ > 0 ? ",\n    " : "\n    ", file);
				write_pair(file, &import->bodies[i], &import->bodies[k], &touch);
			}
		}
	}
	fputs("\n  ]", file);
}
