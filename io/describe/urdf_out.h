/* Writes a scene as a robot model in URDF. */
#pragma once

#include <stdio.h>

#include "abut/model.h"
#include "io/describe/describing.h"

/* Writes the scene that `model` was made of, with joints at coordinates 0. Shapes that URDF does not have become mesh
 * files, whose paths begin with `meshes` (NULL: they are left out). Errors of writing `file` remain in it (ferror).
 * Returns ABUT_OK, ABUT_ERROR_MEMORY, or an error of writing meshes. */
AbutStatus abut_describe_urdf(FILE *file, const AbutModel *model, const AbutSceneDef *def, const char *meshes,
                              const AbutDescribeNotes *notes, AbutError *error);
