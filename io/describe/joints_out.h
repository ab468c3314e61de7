/* Writes joints, motors, couplings and contacts of a scene as elements of MJCF. */
#pragma once

#include "io/describe/describing.h"

/* Writes the <joint> elements by which joint `i` carries its child, or <freejoint> if it is -1. */
void abut_describe_joint(const AbutDescribing *d, int i);
/* Writes <actuator>, <equality> and <contact>. */
void abut_describe_laws(const AbutDescribing *d);
