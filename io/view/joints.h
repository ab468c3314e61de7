/* Packs the joints for the replay page. */
#pragma once

#include "io/view/data.h"

/* Adds the joints to the head and, if the run has joints.csv, their coordinates, efforts and reactions as columns over
 * the frames. Adds nothing for a scene without joints. */
AbutStatus abut_view_add_joints(AbutViewData *data, AbutError *error);
