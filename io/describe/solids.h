/* Writes masses and shapes of bodies as elements of MJCF. */
#pragma once

#include "io/describe/describing.h"

/* Writes <inertial> and the <geom> of a body. */
void abut_describe_solids(const AbutDescribing *d, int body);
/* Writes the <mesh> assets of polytopes. */
void abut_describe_meshes(const AbutDescribing *d);
/* Returns the place of a shape in its body; a halfspace's plane is at `offset` along its normal. */
AbutPose abut_describe_place(const AbutShape *shape);
