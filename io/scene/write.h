/* Writing a definition as a scene file. */
#ifndef IO_SCENE_WRITE_H
#define IO_SCENE_WRITE_H

#include <stdio.h>

#include "abut/scene.h"

/* The scene as JSON, with a line feed at its end. Errors of writing stay in the FILE. ABUT_ERROR_UNSUPPORTED: a body
 * with a shape of a program's functions, which a scene file cannot hold; `error` (may be NULL) names it. */
AbutStatus abut_scene_write(FILE *file, const AbutSceneDef *def, AbutError *error);

#endif
