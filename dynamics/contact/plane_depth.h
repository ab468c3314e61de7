/* The depth of a part in a halfspace. */
#pragma once

#include "dynamics/contact/contact.h"

/* Returns the depth of side 0's lowest point in the halfspace of side 1; negative outside. With `elapsed` 0 it is the
 * depth at the start of the step; with `elapsed` equal to the timestep, at the iterate. */
double abut_plane_depth(const AbutModel *model, const AbutContactWork *contact, double elapsed);
/* Returns the depth as abut_plane_depth does, and in `own` the lowest point in the body's frame. */
double abut_deepest_point(const AbutModel *model, const AbutContactWork *contact, double elapsed, double own[3]);
/* Bounds the depth at the iterate from the duals alone. `depth` is at least the true depth, and exceeds it by at most
 * 1e-10 of the part's radius. Returns false if the duals prove no such bound. Only for rows without eps; y, z and H are
 * the contact's values at its last evaluation. */
bool abut_plane_depth_proof(const AbutContactWork *contact, double timestep, const double *y, const double *z,
                            const double *H, double *depth);
