/* Notes elements of MJCF that are left out, and finds names in them that no element of the model has. Tested in
 * tests/io/import_unknown.c. */
#include "io/mjcf/mjcf_names.h"

#include <stdio.h>
#include <string.h>

#include "io/robot/importer.h"
#include "io/text/words.h"

/* MOST_EXPLAINED: notes after which names are no longer searched for, which takes the time of a walk through the model.
 */
enum { MOST_NAMES = 1024, TEXT_SIZE = 240, MOST_EXPLAINED = 1000 };

/* An attribute that names another element. */
typedef struct Reference {
	const char *attribute, *what; /* what: in messages */
	const char *tags[2];          /* of the elements that it may name; NULL: none, or all of the section */
	const char *section;          /* in which they are; NULL: anywhere */
} Reference;

static const Reference references[] = {
    {"joint", "joint", {"joint", "freejoint"}, NULL},
    {"jointinparent", "joint", {"joint", "freejoint"}, NULL},
    {"joint1", "joint", {"joint", "freejoint"}, NULL},
    {"joint2", "joint", {"joint", "freejoint"}, NULL},
    {"site", "site", {"site"}, NULL},
    {"tendon", "tendon", {NULL}, "tendon"},
    {"tendon1", "tendon", {NULL}, "tendon"},
    {"tendon2", "tendon", {NULL}, "tendon"},
    {"actuator", "actuator", {NULL}, "actuator"},
};

/* A search for a name. */
typedef struct Search {
	Reference what;
	const char *word;
	const AbutXml *found;
	int n;
	const char *names[MOST_NAMES]; /* (n) that elements of the kind have */
} Search;

static bool is_in(const AbutXml *at, const char *section)
{
	return at->parent && strcmp(at->parent->name, section) == 0;
}

static bool is_kind(const Reference *what, const AbutXml *at)
{
	if (what->section) {
		return is_in(at, what->section);
	}
	return strcmp(at->name, what->tags[0]) == 0 || (what->tags[1] && strcmp(at->name, what->tags[1]) == 0);
}

static void search_in(Search *search, const AbutXml *element)
{
	for (const AbutXml *at = element->child; at && !search->found; at = at->next) {
		const char *name = abut_importer_name(at);
		if (name[0] && is_kind(&search->what, at)) {
			search->found = strcmp(name, search->word) == 0 ? at : NULL;
			if (search->n < MOST_NAMES) {
				search->names[search->n++] = name;
			}
		}
		if (!search->found) {
			search_in(search, at);
		}
	}
}

/* Finds what an element names. Returns true, and says so in `text`, if there is no element of this name. */
static bool is_unknown(const AbutMjcf *mjcf, const AbutXml *at, const Reference *what, const AbutXml **found,
                       char text[TEXT_SIZE])
{
	const AbutImport *import = mjcf->importer->import;
	Search search = {.what = *what, .word = abut_mjcf_get(mjcf, at, NULL, what->attribute, NULL)};
	*found = NULL;
	if (!search.word) {
		return false;
	}
	for (int i = 0; i < import->n_trees && !search.found; i++) {
		search_in(&search, import->trees[i]);
	}
	*found = search.found;
	if (search.found || strcmp(search.word, "world") == 0) {
		return false;
	}
	const char *near = abut_text_nearest(search.word, search.names, search.n);
	snprintf(text, TEXT_SIZE,
	         near ? "%s \"%.60s\" does not exist; did you mean \"%.60s\"?" : "%s \"%.60s\" does not exist",
	         what->what, search.word, near);
	return true;
}

/* Looks for an unknown name in a sensor of a frame. */
static bool has_unknown_frame(const AbutMjcf *mjcf, const AbutXml *at, char text[TEXT_SIZE])
{
	const char *type = abut_xml_get(at, "objtype");
	const AbutXml *found;
	type = type && strcmp(type, "xbody") == 0 ? "body" : type;
	const Reference what = {"objname", type, {type}, NULL};
	return type && is_unknown(mjcf, at, &what, &found, text);
}

/* Looks for an unknown name in an element, in the parts of a fixed tendon, and in the tendon on which it acts. */
static bool has_unknown(const AbutMjcf *mjcf, const AbutXml *at, char text[TEXT_SIZE])
{
	for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
		const AbutXml *found;
		if (is_unknown(mjcf, at, &references[i], &found, text) ||
		    (found && is_in(at, "actuator") && is_in(found, "tendon") && has_unknown(mjcf, found, text))) {
			return true;
		}
	}
	for (const AbutXml *part = strcmp(at->name, "fixed") == 0 ? at->child : NULL; part; part = part->next) {
		if (has_unknown(mjcf, part, text)) {
			return true;
		}
	}
	return has_unknown_frame(mjcf, at, text);
}

void abut_mjcf_leave_out(const AbutMjcf *mjcf, const AbutXml *at, const char *section, const char *why)
{
	char text[TEXT_SIZE];
	const bool unknown = mjcf->importer->import->n_notes < MOST_EXPLAINED && has_unknown(mjcf, at, text);
	abut_importer_note(mjcf->importer, at, "left out: <%s> \"%.60s\"%s%s%s: %s", at->name, abut_importer_name(at),
	                   section ? " of <" : "", section ? section : "", section ? ">" : "", unknown ? text : why);
}
