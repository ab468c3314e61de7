/* Tells slides from turns, and finds which bodies touch. Tested in tests/io/describe.c. */
#include "io/describe/freedoms.h"

#include <stddef.h>

bool abut_describe_slides(AbutJointType type, int k)
{
	return type == ABUT_JOINT_SLIDE || (type == ABUT_JOINT_CYLINDRICAL && k == 0) ||
	       (type == ABUT_JOINT_PLANAR && k < 2);
}

/* Returns whether a joint connects two bodies; `collides` is set to whether one of these joints lets them touch. */
static bool join(const AbutSceneDef *def, int a, int b, bool *collides)
{
	bool joins = false;
	*collides = false;
	for (int i = 0; i < def->n_joints; i++) {
		const AbutJointDef *joint = &def->joints[i];
		if ((joint->parent == a && joint->child == b) || (joint->parent == b && joint->child == a)) {
			joins = true;
			*collides = *collides || joint->collide;
		}
	}
	return joins;
}

bool abut_describe_adjoin(const AbutSceneDef *def, int a, int b)
{
	bool collides;
	return join(def, a, b, &collides);
}

const AbutPairDef *abut_describe_pair(const AbutSceneDef *def, int a, int b, bool of_parts)
{
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *pair = &def->pairs[i];
		if (pair->has_parts == of_parts &&
		    ((pair->body_a == a && pair->body_b == b) || (pair->body_a == b && pair->body_b == a))) {
			return pair;
		}
	}
	return NULL;
}

bool abut_describe_may_touch(const AbutSceneDef *def, int a, int b)
{
	bool touches = def->all_pairs;
	if (abut_describe_pair(def, a, b, false) || abut_describe_pair(def, a, b, true)) {
		return true; /* even if a joint connects them */
	}
	for (int i = 0; i < def->n_exclude && touches; i++) {
		const int *pair = def->exclude[i];
		touches = !((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a));
	}
	bool collides = false;
	return touches && (!join(def, a, b, &collides) || collides);
}
