/* The engines that are there, in one list: Abut, then MuJoCo's settings, then ODE's. */
#include "experiments/peers/engines.h"

#include <stddef.h>

#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

static const AbutPeerFamily *const families[] = {&abut_peer_abut, &abut_peer_mujoco, &abut_peer_ode};

enum { N_FAMILIES = sizeof families / sizeof *families };

int abut_peer_engine_count(void)
{
	int count = 0;
	for (int i = 0; i < N_FAMILIES; i++) {
		count += families[i]->count;
	}
	return count;
}

const AbutPeerEngine *abut_peer_engine(int index)
{
	for (int i = 0; i < N_FAMILIES; i++) {
		if (index < families[i]->count) {
			return &families[i]->engines[index];
		}
		index -= families[i]->count;
	}
	return NULL;
}

bool abut_peer_engine_takes(const AbutPeerEngine *engine, const AbutPeerCase *which)
{
	if (which->gradient && !engine->differentiate) {
		return false;
	}
	return which->layout != ABUT_PEER_PILE || engine->pile_most == 0 || which->count <= engine->pile_most;
}

int abut_peer_reference(void)
{
	return abut_peer_mujoco.count > 0 ? abut_peer_abut.count : -1;
}
