/* Opens a world (model, state and memory for steps), and defines the scene of a body on a floor. */
#pragma once

#include "abut/abut.h"

typedef struct AbutWorld {
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} AbutWorld;

/* Opens a world. `def` is not needed afterwards. After a failure nothing is left open, and closing does no harm. */
AbutStatus abut_world_open(AbutWorld *world, const AbutSceneDef *def, AbutError *error);
void abut_world_close(AbutWorld *world); /* may be called twice, or for a world of zeros */

static inline bool abut_step_is_solved(const AbutStepInfo *info)
{
	return info->outcome == ABUT_OUTCOME_EXACT || info->outcome == ABUT_OUTCOME_RELAXED;
}

enum { ABUT_ON_FLOOR_BODY = 1, ABUT_ON_FLOOR_BODIES = 2 };

/* A scene, which points into itself; do not move it. */
typedef struct AbutOnFloor {
	AbutShape *shapes[ABUT_ON_FLOOR_BODIES]; /* owned */
	const AbutShape *parts[ABUT_ON_FLOOR_BODIES];
	AbutBodyDef bodies[ABUT_ON_FLOOR_BODIES];
	AbutSceneDef def;
} AbutOnFloor;

/* Makes the scene of the floor "floor", z = 0, and the body `name` at the origin; all else is default. The scene owns
 * `shape`, even after a failure. If `shape` is NULL, its creation failed with the status `made`. Close the scene in any
 * case. */
AbutStatus abut_on_floor_open(AbutOnFloor *out, const char *name, AbutShape *shape, AbutStatus made, AbutError *error);
void abut_on_floor_close(AbutOnFloor *scene); /* may be called twice, or for a scene of zeros */
