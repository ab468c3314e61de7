/* What the times are to reach, and the list of engines. */
#include <stddef.h>

#include "experiments/peers/peers.h"

static const AbutPeerTarget targets[] = {
    {"cube_rest", NULL, false, 0.2},
    {"drop_100hz", NULL, true, 0.7},
    {"drop_20hz", NULL, true, 0.7},
    {"stack_4_rest", NULL, false, 0.1},
    {"stack_16_rest", NULL, false, 0.1},
    {"stack_4_kick", NULL, true, 0.3},
    {"stack_16_kick", NULL, true, 0.6},
    {"grid_boxes", "cube_rest", true, 1.3},
    {"grid_capsules", "capsule_rest", true, 1.3},
};

int abut_peer_target_count(void)
{
	return sizeof targets / sizeof *targets;
}

const AbutPeerTarget *abut_peer_target(int index)
{
	return &targets[index];
}

const AbutPeerEngine *abut_peer_engine(int index)
{
	return index == 0 ? &abut_peer_abut : &abut_peer_mujoco[index - 1];
}
