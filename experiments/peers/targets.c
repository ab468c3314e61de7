/* What the times are to reach, as ratios to MuJoCo's default setting, and the list of engines. */
#include "experiments/peers/peers.h"

static const AbutPeerTarget targets[] = {
    {"cube_rest", false, 0.2},    {"drop_100hz", true, 0.7},     {"drop_20hz", true, 0.7},
    {"stack_4_rest", false, 0.1}, {"stack_16_rest", false, 0.1}, {"stack_4_kick", true, 0.3},
    {"stack_16_kick", true, 0.6},
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
