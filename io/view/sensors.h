/* Packs the sensors for the replay page. */
#pragma once

#include "io/view/data.h"

/* Adds the sensors to the head and their values as columns over the frames, if the run has sensors.csv. */
AbutStatus abut_view_add_sensors(AbutViewData *data, AbutError *error);
