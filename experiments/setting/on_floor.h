/* The definition of a body on a floor, the scene of many experiments. */
#ifndef EXPERIMENTS_SETTING_ON_FLOOR_H
#define EXPERIMENTS_SETTING_ON_FLOOR_H

#include "abut/abut.h"

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
