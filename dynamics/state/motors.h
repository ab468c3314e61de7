/* Targets of motors. */
#pragma once

#include <stdbool.h>

#include "abut/model.h"

/* Returns whether the motor on freedom `axis` of a joint may have this target; without a motor, only 0. */
bool abut_state_target_possible(const AbutModel *model, int joint, int axis, double target);
