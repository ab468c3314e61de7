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

/* Returns the parameters of two geometries. The friction and the springs of a <pair> replace theirs. */
static AbutContactMix mix_of(const AbutGeom *a, const AbutGeom *b, const AbutImportPair *pair)
{
	AbutContactMix as = abut_contact_mix(a, b);
	if (pair) {
		as.friction = pair->friction;
		as.torsion = pair->torsion;
		as.spring = pair->spring;
	}
	return as;
}

/* Adds the parameters of two geometries: of those with the highest priority, the largest friction counts, and the first
 * spring. */
static void add_geoms(const AbutGeom *a, const AbutGeom *b, const AbutImportPair *pair, Touch *touch)
{
	AbutContactMix as = mix_of(a, b, pair);
	const int priority = a->priority > b->priority ? a->priority : b->priority;
	if (touch->may && priority < touch->priority) {
		return;
	}
	if (touch->may && priority == touch->priority) {
		as.friction = fmax(touch->as.friction, as.friction);
		as.torsion = fmax(touch->as.torsion, as.torsion);
		as.spring = touch->as.spring;
	}
	*touch = (Touch){.may = true, .priority = priority, .as = as};
}

/* Two geometries that may touch. */
typedef struct Meeting {
	const AbutGeom *a, *b;
	const AbutImportPair *pair; /* NULL: none */
	int part[2];                /* in the shapes of their bodies; negative: it is not part of it */
} Meeting;

static bool are_joined(const AbutImport *import, int i, int k)
{
	return abut_import_parent(import, i) == k || abut_import_parent(import, k) == i;
}

/* Calls `visit` for each two geometries of two bodies that may touch. Bodies that are joined touch only by a <pair>. */
static void for_each_meeting(const AbutImport *import, int i, int k,
                             void (*visit)(const Meeting *meeting, void *context), void *context)
{
	const AbutImportBody *a = &import->bodies[i], *b = &import->bodies[k];
	const bool joined = are_joined(import, i, k);
	if ((a->is_static && b->is_static) || are_apart(import, i, k) || (joined && import->contacts.n_pairs == 0)) {
		return;
	}
	for (int g = 0, part_a = 0; g < a->n_geoms; part_a += a->geoms[g++].collides) {
		for (int h = 0, part_b = 0; h < b->n_geoms; part_b += b->geoms[h++].collides) {
			const AbutGeom *first = &a->geoms[g], *second = &b->geoms[h];
			const Meeting meeting = {first,
			                         second,
			                         find_pair(import, first, second),
			                         {first->collides ? part_a : -1, second->collides ? part_b : -1}};
			if (meeting.pair ||
			    (!joined && first->collides && second->collides && geoms_touch(import, first, second))) {
				visit(&meeting, context);
			}
		}
	}
}

static void add_meeting(const Meeting *meeting, void *touch)
{
	add_geoms(meeting->a, meeting->b, meeting->pair, touch);
}

/* Writes an entry of `contacts`, up to its springs. */
static void write_values(FILE *file, const AbutImportBody *a, const AbutImportBody *b, const int *part,
                         const AbutContactMix *as)
{
	fputs("{\"pair\": ", file);
	abut_scene_write_pair(file, a->name, b->name);
	if (part) {
		fprintf(file, ", \"parts\": [%d, %d]", part[0], part[1]);
	}
	if (as->friction >= 0.0) {
		abut_scene_write_number(file, "friction", as->friction);
	}
	if (as->torsion >= 0.0) {
		abut_scene_write_number(file, "torsional_radius",
		                        as->friction > 0.0 ? as->torsion / as->friction : 0.0);
	}
}

static void write_pair(FILE *file, const AbutImportBody *a, const AbutImportBody *b, const AbutContactMix *as)
{
	write_values(file, a, b, NULL, as);
	if (abut_spring_is_special(&as->spring)) {
		fputs(", ", file);
		abut_scene_write_spring(file, &as->spring);
	}
	fputc('}', file);
}

/* Where to write the parts of two bodies. */
typedef struct Parts {
	FILE *file;
	const AbutImportBody *a, *b;
	const AbutContactMix *as; /* of the bodies */
} Parts;

/* Writes the parameters of two geometries where they are not those of their bodies. */
static void write_parts(const Meeting *meeting, void *context)
{
	const Parts *parts = context;
	AbutContactMix as = mix_of(meeting->a, meeting->b, meeting->pair);
	const bool springs = as.spring.has_solref && abut_springs_differ(&as.spring, &parts->as->spring);
	if (meeting->part[0] < 0 || meeting->part[1] < 0 ||
	    (as.friction == parts->as->friction && as.torsion == parts->as->torsion && !springs)) {
		return;
	}
	fputs(",\n    ", parts->file);
	write_values(parts->file, parts->a, parts->b, meeting->part, &as);
	if (springs) {
		as.spring.has_margin = true; /* not that of the bodies */
		fputs(", ", parts->file);
		abut_scene_write_spring(parts->file, &as.spring);
	}
	fputc('}', parts->file);
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
			Touch touch = {.as = {.friction = -1.0, .torsion = -1.0}};
			for_each_meeting(import, i, k, add_meeting, &touch);
			if (touch.may) {
				const Parts parts = {file, &import->bodies[i], &import->bodies[k], &touch.as};
				fputs(written++ > 0 ? ",\n    " : "\n    ", file);
				write_pair(file, parts.a, parts.b, &touch.as);
				for_each_meeting(import, i, k, write_parts, (void *)&parts);
			}
		}
	}
	fputs("\n  ]", file);
}
