/* Reads the equalities of MJCF. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Makes equalities of two joints, if they are linear, couplings; notes the others. Call when the joints are read. */
void abut_mjcf_couplings(AbutMjcf *mjcf);
