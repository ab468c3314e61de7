/* Writes the joints of a scene file. */
#pragma once

#include <stdio.h>

#include "abut/scene.h"

/* Writes `, "joints": [...]`, with both frames of each joint, and `initial`; nothing if the scene has no joints. Errors
 * of writing remain in the FILE (ferror). */
void abut_scene_write_joints(FILE *file, const AbutSceneDef *def);
/* Writes the members of a spring that are given, without braces; one of them must be. */
void abut_scene_write_spring(FILE *file, const AbutJointSpring *spring);
