/* The engines that this build compares, Abut first. */
#ifndef EXPERIMENTS_PEERS_ENGINES_H
#define EXPERIMENTS_PEERS_ENGINES_H

#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"

enum { ABUT_PEER_ENGINES_MAX = 10 };

int abut_peer_engine_count(void);
const AbutPeerEngine *abut_peer_engine(int index);

/* Whether the engine is asked to step the case. */
bool abut_peer_engine_takes(const AbutPeerEngine *engine, const AbutPeerCase *which);
int abut_peer_reference(void); /* the index of MuJoCo in its default setting, which ratios are to; -1: not there */

#endif
