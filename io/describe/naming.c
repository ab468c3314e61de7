/* Chooses the names of elements of a model. Tested in tests/io/describe_names.c. */
#include "io/describe/naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/joint.h"
#include "base/grow.h"

enum { LINKS, JOINTS, GEOMS };

static int kind_of(AbutNamed what)
{
	return what >= ABUT_NAMED_GEOM ? GEOMS : what >= ABUT_NAMED_JOINT ? JOINTS : LINKS;
}

static bool is_taken(const AbutNaming *names, int kind, const char *text)
{
	bool taken = kind == LINKS && strcmp(text, "world") == 0;
	for (int i = 0; i < names->n && !taken; i++) {
		taken = kind_of(names->names[i].what) == kind && strcmp(names->names[i].text, text) == 0;
	}
	return taken;
}

/* Returns the first name that is free, or NULL. There are at most n + 1 names that are taken. */
static char *make_text(const AbutNaming *names, int kind, const char *base, const char *suffix)
{
	const size_t room = strlen(base) + strlen(suffix) + (size_t)names->n + 3;
	char *text = malloc(room);
	if (text) {
		size_t length = (size_t)snprintf(text, room, "%s%s", base, suffix);
		while (is_taken(names, kind, text)) {
			text[length++] = '_';
			text[length] = '\0';
		}
	}
	return text;
}

/* Returns the name that a part of an element has, or NULL. */
static const char *find(const AbutNaming *names, const AbutNamedPart *of)
{
	for (int i = 0; i < names->n; i++) {
		const AbutNamedPart *own = &names->names[i];
		if (own->what == of->what && own->owner == of->owner && own->k == of->k) {
			return own->text;
		}
	}
	return NULL;
}

const char *abut_naming_get(AbutNaming *names, const AbutNamedPart *of, const char *base, const char *suffix)
{
	const char *own = find(names, of);
	char *text = NULL;
	if (own) {
		return own;
	}
	if (abut_grow(&names->names, &names->capacity, names->n + 1, sizeof *names->names)) {
		text = make_text(names, kind_of(of->what), base, suffix);
	}
	if (!text) {
		names->full = true;
		return base;
	}
	names->names[names->n++] = (AbutNamedPart){of->what, of->owner, of->k, text};
	return text;
}

/* Copies part k of a name of n parts with + between them, as imports name joints of several elements. Returns false if
 * the name has not n parts. */
static bool part_of(const char *name, int n, int k, char *part)
{
	int parts = 1, length = 0;
	for (const char *c = name; *c; c++) {
		if (*c == '+') {
			parts++;
		} else if (parts == k + 1) {
			part[length++] = *c;
		}
	}
	part[length] = '\0';
	return parts == n && length > 0;
}

static void name_freedoms(AbutNaming *names, int i, const AbutJointDef *joint, int n)
{
	char *part = malloc(strlen(joint->name) + 1);
	names->full = names->full || !part;
	for (int k = 0; k < n && part; k++) {
		char suffix[16];
		const bool has_parts = part_of(joint->name, n, k, part);
		snprintf(suffix, sizeof suffix, "_%d", k);
		abut_naming_get(names, &(AbutNamedPart){ABUT_NAMED_FREEDOM, i, k, NULL}, has_parts ? part : joint->name,
		                has_parts ? "" : suffix);
	}
	free(part);
}

void abut_naming_begin(AbutNaming *names, const AbutSceneDef *def)
{
	for (int i = 0; i < def->n_bodies; i++) {
		abut_naming_get(names, &(AbutNamedPart){ABUT_NAMED_BODY, i, 0, NULL}, def->bodies[i].name, "");
	}
	for (int i = 0; i < def->n_joints; i++) {
		abut_naming_get(names, &(AbutNamedPart){ABUT_NAMED_JOINT, i, 0, NULL}, def->joints[i].name, "");
	}
	for (int i = 0; i < def->n_joints; i++) {
		const AbutJointDef *joint = &def->joints[i];
		const int n = joint->type == ABUT_JOINT_BALL ? 1 : abut_joint_type_freedoms(joint->type);
		if (n > 1) {
			name_freedoms(names, i, joint, n);
		}
	}
}

void abut_naming_free(AbutNaming *names)
{
	for (int i = 0; i < names->n; i++) {
		free(names->names[i].text);
	}
	free(names->names);
}

const char *abut_naming_body(const AbutNaming *names, int body)
{
	return body < names->n ? names->names[body].text : "";
}

const char *abut_naming_freedom(const AbutNaming *names, int joint, int k)
{
	const char *own = find(names, &(AbutNamedPart){ABUT_NAMED_FREEDOM, joint, k, NULL});
	own = own ? own : find(names, &(AbutNamedPart){ABUT_NAMED_JOINT, joint, 0, NULL});
	return own ? own : "";
}
