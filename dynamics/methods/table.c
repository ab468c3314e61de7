#include "dynamics/methods/table.h"

#include "dynamics/methods/manifold/island.h"
#include "dynamics/methods/points/set.h"
#include "dynamics/step/step_parts.h"

static const AbutMethodTable table[ABUT_METHOD_COUNT] = {
    [ABUT_METHOD_SINGLE_LEVEL] = {NULL, abut_pair_room_cones, abut_pair_size_cones, abut_islands_step,
                                  abut_step_advance},
    [ABUT_METHOD_BILEVEL] = {NULL, abut_pair_room_cones, abut_pair_size_cones, abut_islands_step, abut_step_advance},
    [ABUT_METHOD_LCP] = {abut_lcp_model_create, abut_pair_room_lcp, abut_pair_size_lcp, abut_lcp_step, NULL},
    [ABUT_METHOD_POINT_NCP] = {abut_point_sets_create, abut_pair_room_points, abut_pair_size_points, abut_islands_step,
                               abut_point_advance},
    [ABUT_METHOD_CONVEX] = {abut_lcp_model_create, abut_pair_room_cones, abut_pair_size_cones, abut_lcp_step, NULL},
};

const AbutMethodTable *abut_method_table(const AbutModel *model)
{
	return &table[model->options.method];
}
