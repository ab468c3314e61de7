/* Checks the joints of a step against the poses of their bodies. */
#pragma once

#include "fuzz.h"

/* Prints what is wrong and returns false if a joint is open, or its coordinate is outside of a limit, by more than the
 * step says or than an exact step may leave. */
bool joint_check(const FuzzWorld *world, const AbutSceneDef *def, const AbutStepInfo *info, int step);
/* Returns the work of the motors in the last step: the efforts on the coordinates, times their changes. */
double joint_work(const FuzzWorld *world, const AbutSceneDef *def);
