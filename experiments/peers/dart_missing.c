/* Stands in for dart_peer.c where DART is not installed. */
#include <stddef.h>

#include "experiments/peers/peers.h"

const AbutPeerFamily abut_peer_dart = {0, NULL};
