/* Notes elements and attributes that a language of models does not have. Tested in tests/io/import_unknown.c. */
#include "io/robot/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/robot/importer.h"
#include "io/text/words.h"

enum { NAMES_SIZE = 2000, NAMES_MAX = 200 };

/* An unknown element, or an attribute of an element, at its first place. */
typedef struct Unknown {
	const AbutXml *first;
	const char *attribute; /* NULL: the element itself */
	int n;
} Unknown;

typedef struct Checking {
	AbutImporter *importer;
	const AbutKnown *rows;
	int n_rows;
	const char *silent;
	int n, capacity;
	Unknown *unknown;
} Checking;

/* Returns whether a list of names, separated by spaces, has the name. */
static bool has(const char *list, const char *name)
{
	const size_t length = strlen(name);
	for (const char *at = strstr(list, name); at; at = strstr(at + 1, name)) {
		if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' ')) {
			return true;
		}
	}
	return false;
}

/* Returns the row of an element in its parent, or NULL. */
static const AbutKnown *find_row(const Checking *checking, const char *parent, const char *tag)
{
	for (int i = 0; i < checking->n_rows; i++) {
		if (has(checking->rows[i].tag, tag) && has(checking->rows[i].parents, parent)) {
			return &checking->rows[i];
		}
	}
	return NULL;
}

static void add(Checking *checking, const AbutXml *at, const char *attribute)
{
	for (int i = 0; i < checking->n; i++) {
		Unknown *own = &checking->unknown[i];
		const bool is_attribute = own->attribute && attribute && strcmp(own->attribute, attribute) == 0;
		const bool is_same = strcmp(own->first->name, at->name) == 0 &&
		                     (is_attribute || (!own->attribute && !attribute &&
		                                       strcmp(own->first->parent->name, at->parent->name) == 0));
		if (is_same) {
			own->n++;
			return;
		}
	}
	if (!abut_grow(&checking->unknown, &checking->capacity, checking->n + 1, sizeof *checking->unknown)) {
		abut_importer_no_memory(checking->importer);
		return;
	}
	checking->unknown[checking->n++] = (Unknown){at, attribute, 1};
}

static void check(Checking *checking, const AbutXml *parent)
{
	for (const AbutXml *at = parent->child; at && checking->importer->status == ABUT_OK; at = at->next) {
		const AbutKnown *row = find_row(checking, parent->name, at->name);
		if (!row && !strchr(at->name, ':') && !has(checking->silent, parent->name)) {
			add(checking, at, NULL);
		}
		if (!row || !row->attributes) {
			continue;
		}
		for (int i = 0; i < at->n_attributes; i++) {
			const char *name = at->attributes[i].name;
			if (!strchr(name, ':') && !has(row->attributes, name)) {
				add(checking, at, name);
			}
		}
		check(checking, at);
	}
}

/* Splits a list at its spaces, in place, and appends the names to `names`. Returns their number. */
static int split(char *list, int n, const char *names[NAMES_MAX])
{
	char *rest = NULL;
	for (char *name = strtok_r(list, " ", &rest); name && n < NAMES_MAX; name = strtok_r(NULL, " ", &rest)) {
		names[n++] = name;
	}
	return n;
}

/* Writes the nearest known name, as a question, or nothing. */
static void suggest(const Checking *checking, const Unknown *unknown, char *text, size_t size)
{
	const AbutXml *at = unknown->first;
	const char *names[NAMES_MAX], *nearest = NULL;
	char list[NAMES_SIZE] = "";
	if (unknown->attribute) {
		const AbutKnown *row = find_row(checking, at->parent->name, at->name);
		snprintf(list, sizeof list, "%s", row ? row->attributes : "");
	} else {
		for (int i = 0; i < checking->n_rows; i++) {
			const size_t length = strlen(list);
			if (has(checking->rows[i].parents, at->parent->name)) {
				snprintf(list + length, sizeof list - length, " %s", checking->rows[i].tag);
			}
		}
	}
	nearest = abut_text_nearest(unknown->attribute ? unknown->attribute : at->name, names, split(list, 0, names));
	text[0] = '\0';
	if (nearest) {
		snprintf(text, size, unknown->attribute ? "; did you mean \"%.40s\"?" : "; did you mean <%.40s>?",
		         nearest);
	}
}

static void note(const Checking *checking, const Unknown *unknown, const char *language)
{
	char nearest[80], times[60] = "";
	suggest(checking, unknown, nearest, sizeof nearest);
	if (unknown->n > 1) {
		snprintf(times, sizeof times, " (%d times, the first here)", unknown->n);
	}
	if (unknown->attribute) {
		abut_importer_note(checking->importer, unknown->first,
		                   "approximated: attribute \"%.60s\" of <%.60s> is ignored%s: %s does not have it%s",
		                   unknown->attribute, unknown->first->name, times, language, nearest);
	} else {
		abut_importer_note(checking->importer, unknown->first,
		                   "left out: <%.60s> in <%.60s>%s: %s does not have it%s", unknown->first->name,
		                   unknown->first->parent->name, times, language, nearest);
	}
	abut_importer_count_note(checking->importer, unknown->n);
}

void abut_importer_check_known(AbutImporter *importer, const AbutXml *root, const AbutKnown *rows, int n_rows,
                               const char *language, const char *silent)
{
	Checking checking = {.importer = importer, .rows = rows, .n_rows = n_rows, .silent = silent};
	check(&checking, root);
	for (int i = 0; i < checking.n; i++) {
		note(&checking, &checking.unknown[i], language);
	}
	free(checking.unknown);
}
