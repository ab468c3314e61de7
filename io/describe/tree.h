/* Finds a tree of the bodies of a scene. */
#pragma once

#include "abut/scene.h"

/* For each body, the joint that carries it in its parent. */
typedef struct AbutDescribedTree {
	int *joint; /* (n_bodies) index of the joint; -1: the body moves freely, or is static */
	bool *used; /* (n_joints) whether the joint is in the tree */
} AbutDescribedTree;

/* Finds the tree: each body is carried by its first joint as a child that closes no loop. Returns ABUT_ERROR_MEMORY, or
 * ABUT_OK; abut_describe_free_tree frees it. */
AbutStatus abut_describe_find_tree(const AbutSceneDef *def, AbutDescribedTree *out);
void abut_describe_free_tree(AbutDescribedTree *tree);
