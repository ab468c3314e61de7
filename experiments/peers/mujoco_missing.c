/* Replaces mujoco_peer.c if MuJoCo is not installed. */
#include <stddef.h>

#include "experiments/peers/peers.h"

const AbutPeerFamily abut_peer_mujoco = {0, NULL};
const AbutPeerRobots abut_peer_robots = {NULL};
