/* Reads a scene from text. */
#pragma once

#include "io/scene/scene_parts.h"

/* Reads the scene from `text`: `length` bytes and a terminating NUL. Takes ownership of `text`, also on failure. */
AbutStatus abut_scene_from_text(char *text, size_t length, const char *name, const AbutShapeTypes *types,
                                int n_overrides, const char *const *overrides, AbutScene **out, AbutError *error);
