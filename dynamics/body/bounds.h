/* Boxes about parts for the broad phase, and how far bodies may come in a step. */
#ifndef DYNAMICS_BODY_BOUNDS_H
#define DYNAMICS_BODY_BOUNDS_H

#include "collision/broad_phase.h"
#include "dynamics/body/body.h"
#include "dynamics/model/model.h"

/* How far a body may move its own matter in a step along a unit direction, NULL: any; generous, since
 * contact may change what its present motion and free flight say. `reach`: of the matter from the centre of mass. */
double abut_body_way(const AbutBodyWork *body, double timestep, double reach, const double direction[3]);

/* The boxes of all parts at their bodies' present poses, grown by the margin and by the way of the step. A halfspace
 * gets one that meets nobody. */
void abut_bounds_swept(const AbutModel *model, const AbutBodyWork *bodies, AbutBounds *bounds);
/* The box of one part at the present pose, not grown. */
void abut_bounds_tight(const AbutModel *model, int part, const AbutBodyWork *bodies, AbutBounds *bounds);
AbutBounds abut_bounds_union(const AbutBounds *a, const AbutBounds *b);
bool abut_bounds_overlap(const AbutBounds *a, const AbutBounds *b);
bool abut_bounds_within(const AbutBounds *inner, const AbutBounds *outer);

#endif
