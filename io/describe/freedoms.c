/* Names the freedoms of joints, and finds which bodies touch. Tested in tests/io/describe.c. */
#include "io/describe/freedoms.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = ABUT_DESCRIBE_NAME_SIZE };

bool abut_describe_slides(AbutJointType type, int k)
{
	return type == ABUT_JOINT_SLIDE || (type == ABUT_JOINT_CYLINDRICAL && k == 0) ||
	       (type == ABUT_JOINT_PLANAR && k < 2);
}

/* Copies part k of a name of n parts with + between them, as imports name joints of several elements. Returns false if
 * the name has not n parts. */
static bool part_of(const char *name, int n, int k, char part[NAME_SIZE])
{
	int parts = 1, length = 0;
	for (const char *c = name; *c; c++) {
		if (*c == '+') {
			parts++;
		} else if (parts == k + 1 && length < NAME_SIZE - 1) {
			part[length++] = *c;
		}
	}
	part[length] = '\0';
	return parts == n && length > 0;
}

void abut_describe_freedom(const AbutJointDef *joint, int k, char name[NAME_SIZE])
{
	const int n = joint->type == ABUT_JOINT_BALL ? 1 : abut_joint_type_freedoms(joint->type);
	if (n <= 1) {
		snprintf(name, NAME_SIZE, "%.150s", joint->name);
	} else if (!part_of(joint->name, n, k, name)) {
		snprintf(name, NAME_SIZE, "%.140s_%d", joint->name, k);
	}
}

static bool is_body(const AbutSceneDef *def, const char *name)
{
	bool is = false;
	for (int i = 0; i < def->n_bodies && !is; i++) {
		is = strcmp(def->bodies[i].name, name) == 0;
	}
	return is;
}

static bool is_joint(const AbutSceneDef *def, const char *name)
{
	bool is = false;
	for (int i = 0; i < def->n_joints && !is; i++) {
		is = strcmp(def->joints[i].name, name) == 0;
	}
	return is;
}

/* Appends _ to base and suffix until the name is not taken. */
static void make_free(const AbutSceneDef *def, const char *base, const char *suffix,
                      bool (*is_taken)(const AbutSceneDef *def, const char *name), char name[NAME_SIZE])
{
	int length = snprintf(name, NAME_SIZE, "%.120s%.20s", base, suffix);
	while (is_taken(def, name) && length < NAME_SIZE - 1) {
		name[length++] = '_';
		name[length] = '\0';
	}
}

void abut_describe_free_body(const AbutSceneDef *def, const char *base, const char *suffix, char name[NAME_SIZE])
{
	make_free(def, base, suffix, is_body, name);
}

void abut_describe_free_joint(const AbutSceneDef *def, const char *base, const char *suffix, char name[NAME_SIZE])
{
	make_free(def, base, suffix, is_joint, name);
}

bool abut_describe_adjoin(const AbutSceneDef *def, int a, int b)
{
	bool joins = false;
	for (int i = 0; i < def->n_joints && !joins; i++) {
		const AbutJointDef *joint = &def->joints[i];
		joins = (joint->parent == a && joint->child == b) || (joint->parent == b && joint->child == a);
	}
	return joins;
}

const AbutPairDef *abut_describe_pair(const AbutSceneDef *def, int a, int b)
{
	const AbutPairDef *found = NULL;
	for (int i = 0; i < def->n_pairs && !found; i++) {
		const AbutPairDef *pair = &def->pairs[i];
		const bool is = (pair->body_a == a && pair->body_b == b) || (pair->body_a == b && pair->body_b == a);
		found = is ? pair : NULL;
	}
	return found;
}

bool abut_describe_may_touch(const AbutSceneDef *def, int a, int b)
{
	bool touches = def->all_pairs;
	if (abut_describe_pair(def, a, b)) {
		return true; /* even if a joint connects them */
	}
	for (int i = 0; i < def->n_exclude && touches; i++) {
		const int *pair = def->exclude[i];
		touches = !((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a));
	}
	bool joins = false, collides = false;
	for (int i = 0; i < def->n_joints && touches; i++) {
		const AbutJointDef *joint = &def->joints[i];
		if ((joint->parent == a && joint->child == b) || (joint->parent == b && joint->child == a)) {
			joins = true;
			collides = collides || joint->collide;
		}
	}
	return touches && (!joins || collides);
}
