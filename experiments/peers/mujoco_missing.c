/* Stands in for mujoco_peer.c where MuJoCo is not installed. */
#include <stddef.h>

#include "experiments/peers/mujoco_contacts.h"
#include "experiments/peers/peers.h"

const AbutPeerFamily abut_peer_mujoco = {0, NULL};

bool abut_mujoco_sample(uint64_t seed, AbutMujocoSample *out)
{
	(void)seed;
	(void)out;
	return false;
}
