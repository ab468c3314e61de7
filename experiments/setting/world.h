/* All that it takes to step a scene's definition: a model, a state of it and memory for its steps. */
#ifndef EXPERIMENTS_SETTING_WORLD_H
#define EXPERIMENTS_SETTING_WORLD_H

#include "abut/abut.h"

typedef struct AbutWorld {
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} AbutWorld;

/* `def` may go afterwards. On anything but ABUT_OK nothing is left behind, and closing does no harm. */
AbutStatus abut_world_open(AbutWorld *world, const AbutSceneDef *def, AbutError *error);
void abut_world_close(AbutWorld *world); /* twice, or of one that is all zero, is fine */

#endif
