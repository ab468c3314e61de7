/* Shares efforts as small as possible. */
#pragma once

#include "dynamics/robot/robot.h"

/* Finds d (share->change) from e (share->effort) and A (share->columns). Returns the number of independent efforts of
 * motors that only load loops, couplings and limits that push; -1: no singular values, or no set of limits, were found.
 */
int abut_share_least(const AbutRobot *robot, AbutShare *share);
