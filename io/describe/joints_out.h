/* Writes joints, motors and couplings of a scene as elements of MJCF. */
#pragma once

#include "io/describe/describing.h"

/* Writes the <joint> elements by which a body moves, or <freejoint> if no joint carries it. */
void abut_describe_joint(const AbutDescribing *d, int body);
/* Writes <actuator> and <equality>. */
void abut_describe_laws(const AbutDescribing *d);
