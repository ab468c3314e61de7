/* Stands in for mujoco_peer.c where MuJoCo is not installed. */
#include "experiments/peers/peers.h"

const bool abut_peer_mujoco_found = false;
const AbutPeerEngine abut_peer_mujoco[ABUT_PEER_MUJOCO_COUNT] = {{.variant = 0}};
