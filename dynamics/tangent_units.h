/* Derivatives of steps, of any method: SI units of their rows and columns. */
#ifndef DYNAMICS_TANGENT_UNITS_H
#define DYNAMICS_TANGENT_UNITS_H

#include "dynamics/model.h"

/* What one model unit of an entry is in SI, in groups of three: position, rotation, linear and angular velocity, force,
 * torque. */
static inline double abut_tangent_unit(const AbutUnits *units, int entry)
{
	const double by_group[] = {units->length,
	                           1.0,
	                           units->velocity,
	                           1.0 / units->time,
	                           units->impulse / units->time,
	                           units->torsion / units->time};
	return by_group[entry / 3];
}

#endif
