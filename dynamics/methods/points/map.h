/* Provides contact points of method point-ncp for the derivative of a step (dynamics/gradient/edge_map.h): derivatives
 * of their wrenches with respect to the next poses, the velocities and the coefficient of friction. There are no held
 * numbers. */
#pragma once

#include "dynamics/gradient/method.h"
#include "dynamics/methods/points/problem.h"

/* The method's functions for the derivative of a step. */
extern const AbutMethodGradient abut_points_gradient;

/* Returns whether the method has derivatives with respect to parameters of this kind; the supported kinds in words. */
bool abut_points_have_parameter(AbutParameterKind kind);
#define ABUT_POINTS_PARAMETERS "timestep, gravity, mass, inertia, friction, and those of joints and motors"
