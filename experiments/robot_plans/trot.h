/* A kinematic trot: places of the base and the feet over time. */
#pragma once

#include "experiments/robot_plans/task.h"

enum { ABUT_GAIT_FEET = 4 };

/* Computes where base and feet are, relative to the start, at the time t of a trot of `duration` seconds. */
void abut_gait_places(const AbutTaskGait *gait, double duration, const double way[3], double t, double base[3],
                      double feet[ABUT_GAIT_FEET][3]);
