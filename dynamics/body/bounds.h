/* Boxes around parts for the broad phase, and bounds of how far bodies move in a step. */
#pragma once

#include "collision/broad_phase.h"
#include "dynamics/body/body.h"
#include "dynamics/model/model.h"

/* Factor on the motion predicted from the present velocity and from free flight. */
#define ABUT_GENEROUS 1.5

/* Bounds how far a point of the body may move in a step. The estimate is generous, since contact may change the motion
 * of free flight. `reach` is the distance of the point from the centre of mass. */
double abut_body_way(const AbutBodyWork *body, double timestep, double reach);

/* Computes the boxes of all parts at the present poses, enlarged by a margin and by the motion of the step. The box of
 * a halfspace is empty and overlaps no other box. */
void abut_bounds_swept(const AbutModel *model, const AbutBodyWork *bodies, AbutBounds *bounds);
/* Computes the box of one part at the present pose, without enlargement. */
void abut_bounds_tight(const AbutModel *model, int part, const AbutBodyWork *bodies, AbutBounds *bounds);
AbutBounds abut_bounds_union(const AbutBounds *a, const AbutBounds *b);
bool abut_bounds_overlap(const AbutBounds *a, const AbutBounds *b);
bool abut_bounds_within(const AbutBounds *inner, const AbutBounds *outer);
