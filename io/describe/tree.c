/* Finds a tree of the bodies of a scene. Tested in tests/io/describe.c. */
#include "io/describe/tree.h"

#include <stdlib.h>

#include "abut/joint.h"

void abut_describe_free_tree(AbutDescribedTree *tree)
{
	free(tree->joint);
	free(tree->used);
	*tree = (AbutDescribedTree){NULL, NULL};
}

/* Returns whether `body` is `ancestor`, or is carried by it. */
static bool is_below(const AbutSceneDef *def, const AbutDescribedTree *tree, int body, int ancestor)
{
	while (body >= 0 && body != ancestor) {
		body = tree->joint[body] >= 0 ? def->joints[tree->joint[body]].parent : -1;
	}
	return body == ancestor;
}

AbutStatus abut_describe_find_tree(const AbutSceneDef *def, AbutDescribedTree *out)
{
	out->joint = malloc(((size_t)def->n_bodies + 1) * sizeof *out->joint);
	out->used = calloc((size_t)def->n_joints + 1, sizeof *out->used);
	if (!out->joint || !out->used) {
		abut_describe_free_tree(out);
		return ABUT_ERROR_MEMORY;
	}
	for (int i = 0; i < def->n_bodies; i++) {
		out->joint[i] = -1;
	}
	for (int i = 0; i < def->n_joints; i++) {
		const AbutJointDef *joint = &def->joints[i];
		const bool carries = joint->type != ABUT_JOINT_DISTANCE && !def->bodies[joint->child].is_static &&
		                     out->joint[joint->child] < 0 && !is_below(def, out, joint->parent, joint->child);
		if (carries) {
			out->joint[joint->child] = i;
			out->used[i] = true;
		}
	}
	return ABUT_OK;
}
