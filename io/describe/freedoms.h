/* Names the freedoms of joints, and finds which bodies touch. */
#pragma once

#include <stdbool.h>

#include "abut/scene.h"

enum { ABUT_DESCRIBE_NAME_SIZE = 160 };

/* Returns whether freedom k of a type of joint is a slide. */
bool abut_describe_slides(AbutJointType type, int k);
/* Names freedom k of a joint: as the joint if it has one freedom or is a ball, otherwise by part k of its name, or
 * NAME_k. */
void abut_describe_freedom(const AbutJointDef *joint, int k, char name[ABUT_DESCRIBE_NAME_SIZE]);
/* Returns whether a joint connects two bodies. */
bool abut_describe_adjoin(const AbutSceneDef *def, int a, int b);
/* Returns whether the scene lets two bodies touch. */
bool abut_describe_may_touch(const AbutSceneDef *def, int a, int b);
