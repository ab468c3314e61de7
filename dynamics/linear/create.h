/* Places the bodies of the step whose derivative is asked for. */
#pragma once

#include "dynamics/linear/linear.h"

/* Places the bodies before and after the last step, unless they are placed. Returns ABUT_ERROR_ARGUMENT if there is no
 * step that was solved. */
AbutStatus abut_linear_place(AbutLinear *linear, AbutError *error);
