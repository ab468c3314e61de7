/* Notes the parts of an MJCF model that a scene does not support. */
#include "io/mjcf/mjcf_rest.h"

#include <stdlib.h>
#include <string.h>

#include "io/robot/importer.h"
#include "io/text/words.h"

static int count_children(const AbutXml *element)
{
	int n = 0;
	for (const AbutXml *child = element->child; child; child = child->next) {
		n++;
	}
	return n;
}

/* Notes unsupported sections. Sections that only set visual options or memory sizes are not mentioned. */
static void note_sections(AbutMjcf *mjcf)
{
	static const char *const left[] = {"custom", "deformable", "skin", "extension"};
	for (const AbutXml *at = mjcf->root->child; at; at = at->next) {
		if (abut_text_index(at->name, left, sizeof left / sizeof *left) >= 0) {
			const int n = count_children(at);
			abut_importer_note(mjcf->importer, at, "left out: <%s> with %d element%s", at->name, n,
			                   n == 1 ? "" : "s");
		}
	}
}

/* Notes the keyframes, unless one of them is the initial state. */
static void note_keys(AbutMjcf *mjcf)
{
	for (const AbutXml *at = abut_xml_child(mjcf->root, "keyframe"); at && !mjcf->key; at = abut_xml_next(at)) {
		const int n = count_children(at);
		abut_importer_note(mjcf->importer, n > 0 ? at->child : at,
		                   "left out: <keyframe> with %d element%s; --keyframe starts at one of them", n,
		                   n == 1 ? "" : "s");
		abut_importer_count_note(mjcf->importer, n);
	}
}

typedef struct Counted {
	const char *name;
	const AbutXml *first;
	int n;
} Counted;

/* Counts the listed elements over the whole tree of bodies. */
static void count_in_bodies(const AbutXml *body, Counted *counted, int n)
{
	for (const AbutXml *at = body->child; at; at = at->next) {
		for (int i = 0; i < n; i++) {
			if (strcmp(at->name, counted[i].name) == 0) {
				counted[i].first = counted[i].first ? counted[i].first : at;
				counted[i].n++;
			}
		}
		if (strcmp(at->name, "body") == 0 || strcmp(at->name, "frame") == 0 ||
		    strcmp(at->name, "replicate") == 0) {
			count_in_bodies(at, counted, n);
		}
	}
}

static void note_options(AbutMjcf *mjcf, const AbutXml *option)
{
	static const char *const media[] = {"density", "viscosity", "wind", "magnetic"};
	for (size_t i = 0; i < sizeof media / sizeof *media; i++) {
		const char *text = abut_xml_get(option, media[i]);
		if (text && strspn(text, "0. ") != strlen(text) && strcmp(media[i], "magnetic") != 0) {
			abut_importer_note(mjcf->importer, option,
			                   "left out: <option %s=\"%.60s\">: bodies move in a vacuum", media[i], text);
		}
	}
	const char *cone = abut_xml_get(option, "cone"), *ratio = abut_xml_get(option, "impratio");
	const char *integrator = abut_xml_get(option, "integrator");
	if (cone && strcmp(cone, "elliptic") != 0) {
		abut_importer_note(mjcf->importer, option,
		                   "left out: <option cone=\"%.60s\">: friction cones are elliptic", cone);
	}
	if (ratio && strtod(ratio, NULL) != 1.0) {
		abut_importer_note(mjcf->importer, option, "left out: <option impratio=\"%.60s\">: it is 1", ratio);
	}
	if (integrator && strcmp(integrator, "Euler") != 0) {
		abut_importer_note(mjcf->importer, option,
		                   "left out: <option integrator=\"%.60s\">: `solver.method` decides", integrator);
	}
}

void abut_mjcf_note_rest(AbutMjcf *mjcf)
{
	Counted counted[] = {
	    {"camera", NULL, 0}, {"light", NULL, 0}, {"composite", NULL, 0}, {"flexcomp", NULL, 0}, {"plugin", NULL, 0},
	};
	const int n = sizeof counted / sizeof *counted;
	for (const AbutXml *at = abut_xml_child(mjcf->root, "option"); at; at = abut_xml_next(at)) {
		note_options(mjcf, at);
	}
	for (const AbutXml *at = abut_xml_child(mjcf->root, "worldbody"); at; at = abut_xml_next(at)) {
		count_in_bodies(at, counted, n);
	}
	for (int i = 0; i < n; i++) {
		if (counted[i].n > 0) {
			abut_importer_note(mjcf->importer, counted[i].first, "left out: %d <%s>, the first here",
			                   counted[i].n, counted[i].name);
			abut_importer_count_note(mjcf->importer, counted[i].n);
		}
	}
	note_keys(mjcf);
	note_sections(mjcf);
}
