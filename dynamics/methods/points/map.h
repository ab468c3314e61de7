/* A point of contact of method point-ncp as the derivative of a step reads contacts (dynamics/gradient/edge_map.h): its
 * wrenches by the next poses, the velocities and the coefficient of friction. Nothing of it is held. */
#ifndef DYNAMICS_METHODS_POINTS_MAP_H
#define DYNAMICS_METHODS_POINTS_MAP_H

#include "dynamics/gradient/method.h"
#include "dynamics/methods/points/problem.h"

/* What the method has of derivatives. */
extern const AbutMethodGradient abut_points_gradient;

/* Returns whether a derivative by parameters of this kind is to be had of the method, and the kinds in words. */
bool abut_points_have_parameter(AbutParameterKind kind);
#define ABUT_POINTS_PARAMETERS "timestep, gravity, mass, inertia and friction"

#endif
