/* The depth of a part in a halfspace. */
#ifndef DYNAMICS_CONTACT_PLANE_DEPTH_H
#define DYNAMICS_CONTACT_PLANE_DEPTH_H

#include "dynamics/contact/contact.h"

/* Returns the depth of side 0's lowest point in the halfspace of side 1, negative outside: at the start of the step
 * (`elapsed` 0) or at the iterate (`elapsed` the timestep). */
double abut_plane_depth(const AbutModel *model, const AbutContactWork *contact, double elapsed);
/* Returns the same depth, and the lowest point in the body's frame. */
double abut_deepest_point(const AbutModel *model, const AbutContactWork *contact, double elapsed, double own[3]);
/* Bounds the depth at the iterate by the duals alone: `depth` is at least the true depth, and at most 1e-10 of the
 * part's radius larger. Returns false if the duals prove no such bound. For rows without eps; y, z and H are those of
 * the contact at its last evaluation. */
bool abut_plane_depth_proof(const AbutContactWork *contact, double timestep, const double *y, const double *z,
                            const double *H, double *depth);

#endif
