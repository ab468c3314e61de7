/* Writes masses and shapes of bodies as elements of MJCF. */
#pragma once

#include "io/describe/describing.h"
#include "io/describe/freedoms.h"

/* Writes <inertial> and the <geom> of a body. */
void abut_describe_solids(const AbutDescribing *d, int body);
/* Writes the <mesh> assets of polytopes. */
void abut_describe_meshes(const AbutDescribing *d);
/* Returns the place of a shape in its body; a halfspace's plane is at `offset` along its normal. */
AbutPose abut_describe_place(const AbutShape *shape);
/* Returns whether MJCF has geometry of a shape. */
bool abut_describe_has_geom(const AbutShape *shape);
/* Returns the name of the geometry, and the mesh, of part k of a body: that of the body if it has only this part. */
const char *abut_describe_geom(const AbutDescribing *d, int body, int k);
