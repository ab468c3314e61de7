/* The units and axes of rows and columns of derivatives of steps, for all methods. */
#ifndef DYNAMICS_BODY_TANGENT_H
#define DYNAMICS_BODY_TANGENT_H

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

/* Computes the rotation about the world's axes that follows from a small rotation about a body axis; a planar body
 * keeps only the part about y. */
static inline void abut_tangent_axis(const AbutBodyWork *body, int axis, double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = body->planar && i != 1 ? 0.0 : body->R0[3 * i + axis];
	}
}

#endif
