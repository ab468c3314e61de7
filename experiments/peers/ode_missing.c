/* Replaces ode_peer.c if ODE is not installed. */
#include <stddef.h>

#include "experiments/peers/peers.h"

const AbutPeerFamily abut_peer_ode = {0, NULL};
