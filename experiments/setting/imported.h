/* A robot of another program, imported from MJCF or URDF, as a scene. */
#pragma once

#include "base/rng.h"
#include "io/import/import.h"
#include "io/import/make.h"

typedef struct AbutImportedRobot {
	AbutImport *import;
	AbutMade made;
	AbutSceneDef def; /* of the scene, and the plane; refers to the members of this struct: do not move it */
	AbutBodyDef *bodies;
	AbutPairDef *pairs;
	AbutShape *plane;
} AbutImportedRobot;

/* Imports the model at `path`; messages call the scene `name`. `options` may be NULL. Close it in either case. */
AbutStatus abut_imported_open(const char *path, const AbutImportOptions *options, const char *name,
                              AbutImportedRobot *out, AbutError *error);
void abut_imported_close(AbutImportedRobot *robot);
/* Adds a static plane below all bodies, if no body is static and all pairs may touch. */
AbutStatus abut_imported_add_plane(AbutImportedRobot *robot, AbutError *error);
/* Adds a static plane that the lowest body touches, if no body is static. All bodies may touch it. */
AbutStatus abut_imported_add_ground(AbutImportedRobot *robot, AbutError *error);

/* Calls `set` with a random target for each motor on joints other than balls, in the order of the scene: an effort
 * within its limit, a rate, or a coordinate within the limits of the freedom. */
typedef void AbutTargetSetter(void *context, int joint, int axis, double target);
void abut_imported_drive(const AbutSceneDef *def, AbutRng *rng, AbutTargetSetter *set, void *context);
