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
/* Makes a name that no body, or no joint, of the scene has: `base` with `suffix`, and _ if it is taken. */
void abut_describe_free_body(const AbutSceneDef *def, const char *base, const char *suffix,
                             char name[ABUT_DESCRIBE_NAME_SIZE]);
void abut_describe_free_joint(const AbutSceneDef *def, const char *base, const char *suffix,
                              char name[ABUT_DESCRIBE_NAME_SIZE]);
/* Returns whether a joint connects two bodies. */
bool abut_describe_adjoin(const AbutSceneDef *def, int a, int b);
/* Returns the pair of the scene's list that has these two bodies, or NULL. */
const AbutPairDef *abut_describe_pair(const AbutSceneDef *def, int a, int b);
/* Returns whether the scene lets two bodies touch. */
bool abut_describe_may_touch(const AbutSceneDef *def, int a, int b);
