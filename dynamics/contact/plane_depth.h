/* How deep a part lies in a halfspace. */
#ifndef DYNAMICS_CONTACT_PLANE_DEPTH_H
#define DYNAMICS_CONTACT_PLANE_DEPTH_H

#include "dynamics/contact/contact.h"

/* Returns the depth of side 0's lowest point in the halfspace of side 1, negative when it is clear of it: at the start of
 * the step (`elapsed` 0), or at the iterate (`elapsed` the timestep). */
double abut_plane_depth(const AbutModel *model, const AbutContactWork *contact, double elapsed);
/* Returns the same, and that point in the body's frame. */
double abut_deepest_point(const AbutModel *model, const AbutContactWork *contact, double elapsed, double own[3]);
/* Bounds the depth at the iterate by its duals alone: no less than the true depth, and at most 1e-10 of the part's radius
 * more. False where they prove no such thing. For rows without eps; y, z and H are the contact's, as evaluated last. */
bool abut_plane_depth_proof(const AbutContactWork *contact, double timestep, const double *y, const double *z,
                            const double *H, double *depth);

#endif
