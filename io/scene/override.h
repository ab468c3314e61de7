/* Overrides single values of a scene. */
#pragma once

#include "io/scene/scene_parts.h"

/* Applies override `index` ("path=value") of the source to the tree. Records in the source which value was set. */
AbutStatus abut_scene_override(AbutScene *scene, int index, AbutError *error);
