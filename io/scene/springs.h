/* Reads springs of method convex. */
#pragma once

#include "abut/joint.h"
#include "io/json/read.h"
#include "io/json/scene_keys.h"

/* Reads a spring whose object has these keys. */
void abut_scene_read_spring(const AbutNode *node, const AbutKeySet *keys, AbutJointSpring *spring);
