/* Draws random kicks: small changes of the velocities of a body, with the same random numbers for every engine. */
#pragma once

#include "base/rng.h"

/* Principal moments of inertia (kg m^2, body axes) and mass (kg) of a body. */
typedef struct AbutKicked {
	double mass, inertia[3];
} AbutKicked;

/* Draws a kick, which changes every component of the velocities by up to `bound` (m/s, rad/s) in one step. It is a
 * force m dv / dt (world axes) and a torque I dw / dt (body axes). */
static inline void abut_kick(const AbutKicked *body, double bound, double timestep, AbutRng *rng, double force[3],
                             double torque[3])
{
	for (int k = 0; k < 3; k++) {
		force[k] = body->mass / timestep * abut_rng_uniform(rng, -bound, bound);
	}
	for (int k = 0; k < 3; k++) {
		torque[k] = body->inertia[k] / timestep * abut_rng_uniform(rng, -bound, bound);
	}
}
