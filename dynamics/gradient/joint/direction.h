/* Differentiates the direction of joints' impulses by the poses at the start (direction.c). */
#pragma once

#include "base/arena.h"
#include "dynamics/joint/coupling.h"
#include "dynamics/joint/joint.h"
#include "dynamics/joint/turn.h"

/* The effect of the start through theta of a joint: the right sides of its bodies change by push (by . start), with the
 * starts of all bodies (dynamics/gradient/solve.c). */
typedef struct AbutGradientDirection {
	int body[2]; /* among the part's; -1: none */
	double push[2][6];
	double *by; /* (6 n) */
} AbutGradientDirection;

/* A joint at the start of the step, with the impulses of the last step, and its motion by dx and dTheta of each side.
 */
typedef struct AbutDirectionPlace {
	double lever[2][3], force[3], torque[3];
	AbutJointMotion by[2][2];
} AbutDirectionPlace;

typedef struct AbutGradientDirections {
	int n;
	AbutGradientDirection *at;
	AbutDirectionPlace *places; /* (n_joints) scratch */
	double *stiffness;          /* (9 n_moving) scratch */
} AbutGradientDirections;

/* The joints of an island. */
typedef struct AbutDirectionAsk {
	const AbutJointWork *joints;
	const AbutCouplingWork *couplings;
	int n_joints, n_couplings, n_moving;
	double timestep;
} AbutDirectionAsk;

/* Carves room for the joints with theta > 0. */
void abut_gradient_directions_carve(const AbutDirectionAsk *ask, AbutArena *arena, AbutGradientDirections *out);
/* Fills in the derivatives. Returns the first joint whose theta does not follow from the last step, because the step's
 * own impulses turned them further; NULL: none. */
const AbutJointWork *abut_gradient_directions_fill(const AbutDirectionAsk *ask, const AbutGradientDirections *out);
