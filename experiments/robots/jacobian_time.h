/* Measures the time of the derivative of a step. */
#pragma once

#include "abut/gradient.h"
#include "experiments/setting/world.h"

/* What a measurement needs. */
typedef struct AbutJacobianClock {
	AbutState *state;
	AbutGradient *gradient;
	double *matrix;
} AbutJacobianClock;

/* Least times of a step. */
typedef struct AbutJacobianTime {
	double step_us, both_us; /* of the step alone, and with the matrix of its derivative by state and input */
	bool exists;             /* the step has this derivative, at the exact solution */
} AbutJacobianTime;

AbutStatus abut_jacobian_clock_create(const AbutWorld *world, AbutJacobianClock *out, AbutError *error);
void abut_jacobian_clock_destroy(AbutJacobianClock *clock);
/* Takes the next step of a copy of the world's state, with and without its derivative, and lowers the times to theirs.
 */
void abut_jacobian_clock_measure(const AbutWorld *world, const AbutJacobianClock *clock, AbutJacobianTime *out);
