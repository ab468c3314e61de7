/* Writes the sites and sensors of a scene file. */
#pragma once

#include <stdio.h>

#include "abut/scene.h"

/* Writes `, "sites": [...], "sensors": [...]`; nothing if the scene has none. Errors of writing remain in the FILE
 * (ferror). */
void abut_scene_write_sensors(FILE *file, const AbutSceneDef *def);
