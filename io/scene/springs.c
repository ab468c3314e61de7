/* Reads springs of method convex: solref, solimp and margin. */
#include "io/scene/springs.h"

#include "io/scene/values.h"

void abut_scene_read_spring(const AbutNode *node, const AbutKeySet *keys, AbutJointSpring *spring)
{
	if (abut_node_check_keys(node, keys)) {
		spring->has_solref = abut_read_vector(node, "solref", 2, ABUT_ANY, spring->solref);
		spring->has_solimp = abut_read_vector(node, "solimp", 5, ABUT_ANY, spring->solimp);
		spring->has_margin = abut_read_number(node, "margin", ABUT_NONNEGATIVE, &spring->margin);
	}
}
