/* How far two parts may approach each other in a step. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/model/model.h"

/* Bounds how far two parts may approach each other in a step, in model units, along a unit direction. Only their motion
 * relative to each other counts: links that turn together with their robot do not approach. The bound is generous,
 * since contact may change the motion of free flight. The second part may be unbounded; the first may not. */
double abut_approach_bound(const AbutModel *model, const int part[2], const AbutBodyWork *bodies,
                           const double along[3]);
