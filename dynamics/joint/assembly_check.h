/* Errors of initial poses: joints that do not close, and coordinates outside of their limits. */
#pragma once

#include "dynamics/joint/assembly.h"

/* Refuses the worst joint or coupling, which does not close. */
AbutStatus abut_assembly_refuse(const AbutAssembly *a, AbutError *error);
/* Refuses a joint whose axes are on the wrong side; `poses`: of which poses, "initial" or the like. */
AbutStatus abut_assembly_refuse_reversed(const AbutAssembly *a, int joint, const char *poses, AbutError *error);
/* Chooses the revolution of each turn at the initial poses, inside its limits; refuses coordinates outside of limits.
 */
AbutStatus abut_assembly_check_limits(const AbutAssembly *a, AbutError *error);
/* Refuses initial poses outside of the bounds of a ball. */
AbutStatus abut_assembly_check_bounds(const AbutAssembly *a, AbutError *error);
