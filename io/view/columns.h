/* Packs what changes during a run into columns over its frames, for the replay page. */
#pragma once

#include "io/view/data.h"

/* Adds the motion of the bodies, the step results and the contacts. */
AbutStatus abut_view_add_columns(AbutViewData *data, AbutError *error);
