/* Reads the actuators of MJCF. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Makes the actuators of joints motors on their freedoms; notes the others. Call when the joints are read. */
void abut_mjcf_actuators(AbutMjcf *mjcf);
