/* A point of contact of method point-ncp in the form used by the derivative of a step (dynamics/gradient/edge_map.h):
 * its wrenches by the next poses, the velocities and the coefficient of friction. It has no held numbers. */
#pragma once

#include "dynamics/gradient/method.h"
#include "dynamics/methods/points/problem.h"

/* The derivatives that the method supports. */
extern const AbutMethodGradient abut_points_gradient;

/* Returns whether the method has derivatives by parameters of this kind, and the supported kinds in words. */
bool abut_points_have_parameter(AbutParameterKind kind);
#define ABUT_POINTS_PARAMETERS "timestep, gravity, mass, inertia and friction"
