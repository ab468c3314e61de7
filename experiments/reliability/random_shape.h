/* Makes primitives of random proportions. */
#pragma once

#include "abut/shape.h"
#include "base/rng.h"

/* Makes the shape `index` (as in shape_name) of about `size` metres. Half of the shapes have the proportions of a cube.
 * If `aspect` is above 1, it is a plate or a rod of that aspect ratio; but a sphere stays a sphere, and a capsule
 * becomes a rod or nearly a sphere. NULL with a message on stderr if it cannot be made. */
AbutShape *random_shape(AbutRng *rng, int index, double size, double aspect);
