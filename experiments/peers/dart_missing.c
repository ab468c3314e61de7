/* Replaces dart_peer.c if DART is not installed. */
#include <stddef.h>

#include "experiments/peers/peers.h"

const AbutPeerFamily abut_peer_dart = {0, NULL};
