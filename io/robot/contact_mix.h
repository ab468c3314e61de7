/* Combines the contact parameters of two geometries as MuJoCo does. */
#pragma once

#include "io/robot/model_parts.h"

/* What applies where two geometries touch. */
typedef struct AbutContactMix {
	double friction, torsion; /* coefficients, torsion in m; negative: not given */
	AbutJointSpring spring;   /* of method convex */
} AbutContactMix;

/* Returns the parameters: those of the geometry with the higher priority, or the larger friction, number of directions
 * and margin of both, and the mean of solref and solimp with the weights `mix`. */
AbutContactMix abut_contact_mix(const AbutGeom *a, const AbutGeom *b);
/* Returns whether the numbers of two springs differ. */
bool abut_springs_differ(const AbutJointSpring *a, const AbutJointSpring *b);
/* Returns whether a spring is given and differs from MuJoCo's default. */
bool abut_spring_is_special(const AbutJointSpring *spring);
