/* Stands in for mujoco_peer.c where MuJoCo is not installed. */
#include <stddef.h>

#include "experiments/peers/peers.h"

const AbutPeerFamily abut_peer_mujoco = {0, NULL};
