/* Reads the sites and sensors of MJCF. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Adds all sites, and the sensors that have a counterpart; notes the others. Call when joints are read. */
void abut_mjcf_sensors(AbutMjcf *mjcf);
