/* Proofs that two parts do not touch. Directions are in world axes, of any length, and point from side 0 to side 1;
 * parts are at the present poses of their bodies; distances are in model units. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/model/pair.h"

/* Returns whether the two parts are at least `distance` apart along a direction. Uses cheap bounds if they suffice. */
bool abut_separated(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, const double direction[3],
                    double distance);
/* Return the exact distance of a part from a halfspace along the normal, whether this distance is at most `distance`,
 * and the distance of the part's centre. */
double abut_plane_distance(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies);
bool abut_plane_is_within(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies, double distance);
double abut_plane_distance_of_centre(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies);
/* Computes the line from the centre of side 0 to that of side 1. */
void abut_line_of_centres(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, double line[3]);
