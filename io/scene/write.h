/* Writes a definition as a scene file. */
#pragma once

#include <stdio.h>

#include "abut/scene.h"

/* Writes the scene as JSON and a line feed. Errors of writing remain in the FILE (ferror). Returns
 * ABUT_ERROR_UNSUPPORTED if a body has a shape defined by functions of a program; `error` (may be NULL) names the body.
 */
AbutStatus abut_scene_write(FILE *file, const AbutSceneDef *def, AbutError *error);
