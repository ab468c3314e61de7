/* What it takes to step a scene: a model, a state and memory for its steps; and the definition of a body on a floor. */
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

enum { ABUT_ON_FLOOR_BODY = 1, ABUT_ON_FLOOR_BODIES = 2 };

/* Points into itself: it stays where it was made. */
typedef struct AbutOnFloor {
	AbutShape *shapes[ABUT_ON_FLOOR_BODIES]; /* owned */
	const AbutShape *parts[ABUT_ON_FLOOR_BODIES];
	AbutBodyDef bodies[ABUT_ON_FLOOR_BODIES];
	AbutSceneDef def;
} AbutOnFloor;

/* The floor "floor", z = 0, and the body `name` at the origin, with all else as it is by default. `shape` becomes the
 * scene's, also where it fails; NULL: it could not be made, for `made`, which is the status of its making. To be closed
 * in any case. */
AbutStatus abut_on_floor_open(AbutOnFloor *out, const char *name, AbutShape *shape, AbutStatus made, AbutError *error);
void abut_on_floor_close(AbutOnFloor *scene); /* twice, or of one that is all zero, is fine */

#endif
