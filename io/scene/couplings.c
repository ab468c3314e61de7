/* Reads couplings of joints: two names, usually without freedoms, a ratio and an offset. */
#include "io/scene/couplings.h"

#include <stdlib.h>

#include "io/json/read.h"
#include "io/scene/springs.h"
#include "io/scene/values.h"

static void read_coupling(const AbutNode *node, const AbutNames *names, AbutCouplingDef *def)
{
	AbutNode joints, axes, entry, spring;
	if (!abut_node_check_keys(node, &abut_keys_coupling) || !abut_node_require(node, "joints", &joints) ||
	    !abut_node_check_count(&joints, 2, "an array of two names of joints")) {
		return;
	}
	for (bool more = abut_node_first(&joints, &entry); more; more = abut_node_next(&entry)) {
		if (!abut_node_check_type(&entry, ABUT_JSON_STRING, "the name of a joint")) {
			return;
		}
		def->joint[entry.index] = abut_scene_read_reference(&entry, "joint", names);
	}
	if (abut_node_get(node, "axes", &axes)) {
		if (!abut_node_check_count(&axes, 2, "an array of two freedoms, such as [0, 1]")) {
			return;
		}
		for (bool more = abut_node_first(&axes, &entry); more; more = abut_node_next(&entry)) {
			abut_node_integer(&entry, 0, ABUT_JOINT_FREEDOMS - 1, &def->axis[entry.index]);
		}
	}
	def->ratio = abut_scene_require_number(node, "ratio", ABUT_ANY);
	abut_read_number(node, "offset", ABUT_ANY, &def->offset);
	def->has_equality_spring = abut_node_get(node, "equality_spring", &spring);
	if (def->has_equality_spring) {
		abut_scene_read_spring(&spring, &abut_keys_equality_spring, &def->equality_spring);
	}
	abut_read_bool(node, "tendon", &def->tendon);
}

void abut_scene_read_couplings(AbutScene *scene, const AbutNode *root, const AbutNames *joints)
{
	AbutNode list, node;
	if (!abut_node_get(root, "couplings", &list) || !abut_node_check_array(&list, "an array of couplings")) {
		return;
	}
	const int n = abut_json_count(list.value);
	if (n > ABUT_JOINTS_MAX) {
		abut_node_fail(&list, ABUT_ERROR_PARSE, "must have at most %d couplings, has %d", (int)ABUT_JOINTS_MAX,
		               n);
		return;
	}
	scene->couplings = calloc((size_t)n + 1, sizeof *scene->couplings);
	if (!scene->couplings) {
		abut_node_fail_memory(&list);
		return;
	}
	for (bool more = abut_node_first(&list, &node); more; more = abut_node_next(&node)) {
		read_coupling(&node, joints, &scene->couplings[node.index]);
	}
	scene->def.couplings = scene->couplings;
	scene->def.n_couplings = n;
}
