/* Units and axes of the rows and columns of a step's derivatives, for all methods. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/model/model.h"

/* Returns the SI value of one model unit of an entry. Entries are in groups of three: position, rotation, linear and
 * angular velocity, force, torque. */
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

/* Computes a body axis in world axes, as the direction of a small rotation. A planar body keeps only the component
 * along y. */
static inline void abut_tangent_axis(const AbutBodyWork *body, int axis, double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = body->planar && i != 1 ? 0.0 : body->R0[3 * i + axis];
	}
}
