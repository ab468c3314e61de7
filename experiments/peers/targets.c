/* What the times are to reach. */
#include "experiments/peers/targets.h"

#include <stddef.h>

#include "experiments/peers/peers.h"

static const AbutPeerTarget targets[] = {
    {"cube_rest", NULL, false, 0.2, 0.0},          {"drop_100hz", NULL, true, 0.7, 0.0},
    {"drop_20hz", NULL, true, 0.7, 0.0},           {"stack_4_rest", NULL, false, 0.1, 0.0},
    {"stack_16_rest", NULL, false, 0.1, 0.0},      {"stack_4_kick", NULL, true, 0.3, 0.0},
    {"stack_16_kick", NULL, true, 0.6, 0.0},       {"gradient_drop_100hz", NULL, true, 0.05, 0.0},
    {"gradient_cube_kick", NULL, true, 0.05, 0.0}, {"gradient_stack_4_kick", NULL, true, 0.05, 0.0},
    {"grid_boxes", "cube_rest", true, 1.3, 0.0},   {"grid_capsules", "capsule_rest", true, 1.3, 0.0},
    {"pile_100", NULL, true, 1.0, 1e-6},
};

int abut_peer_target_count(void)
{
	return sizeof targets / sizeof *targets;
}

const AbutPeerTarget *abut_peer_target(int index)
{
	return &targets[index];
}
