/* What the files that call MuJoCo share. */
#ifndef EXPERIMENTS_PEERS_MUJOCO_PEER_H
#define EXPERIMENTS_PEERS_MUJOCO_PEER_H

#include <mujoco/mujoco.h>

#include "abut/status.h"

/* A model from its XML text; NULL, and the reason, where MuJoCo does not take it. */
mjModel *abut_mujoco_load(const char *text, size_t size, AbutError *error);

#endif
