/* A point of contact of method point-ncp as the derivative of a step reads contacts (dynamics/gradient/map.h): its
 * wrenches by the next poses, the velocities and the coefficient of friction. Nothing of it is held. */
#ifndef DYNAMICS_METHODS_POINTS_MAP_H
#define DYNAMICS_METHODS_POINTS_MAP_H

#include "dynamics/gradient/map.h"
#include "dynamics/methods/points/problem.h"

/* Whether a derivative by parameters of this kind is to be had of the method. */
static inline bool abut_point_has_parameter(AbutParameterKind kind)
{
	return kind == ABUT_PARAMETER_MASS || kind == ABUT_PARAMETER_INERTIA || kind == ABUT_PARAMETER_GRAVITY ||
	       kind == ABUT_PARAMETER_TIMESTEP || kind == ABUT_PARAMETER_FRICTION;
}

/* Sizes, and memory from the arena; then the matrix, with the problem evaluated where it is asked for. */
void abut_point_map_carve(const AbutPoint *point, int n_parameters, const AbutParameter *parameters, AbutArena *arena,
                          AbutContactMap *out);
void abut_point_map_fill(AbutPoint *point, const AbutPointProblem *problem, const AbutConeLaw *law,
                         AbutContactMap *out);

#endif
