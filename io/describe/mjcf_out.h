/* Writes a scene as a robot model in MJCF. */
#pragma once

#include <stdio.h>

#include "abut/model.h"
#include "io/describe/describing.h"

/* Writes the scene that `model` was made of, at its initial state. Errors of writing remain in the FILE (ferror).
 * Returns ABUT_ERROR_MEMORY, or ABUT_OK. */
AbutStatus abut_describe_mjcf(FILE *file, const AbutModel *model, const AbutSceneDef *def,
                              const AbutDescribeNotes *notes, AbutError *error);
