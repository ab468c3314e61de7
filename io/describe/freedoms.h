/* Tells slides from turns, and finds which bodies touch. */
#pragma once

#include <stdbool.h>

#include "abut/scene.h"

/* Returns whether freedom k of a type of joint is a slide. */
bool abut_describe_slides(AbutJointType type, int k);
/* Returns whether a joint connects two bodies. */
bool abut_describe_adjoin(const AbutSceneDef *def, int a, int b);
/* Returns the pair of the scene's list that has these two bodies, or the first one of their parts; or NULL. */
const AbutPairDef *abut_describe_pair(const AbutSceneDef *def, int a, int b, bool of_parts);
/* Returns whether the scene lets two bodies touch. */
bool abut_describe_may_touch(const AbutSceneDef *def, int a, int b);
