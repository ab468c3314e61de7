/* Computes the derivative of the balance of free flight by the velocities. */
#include "dynamics/methods/manifold/flight.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"

void abut_lcp_flight_block(const AbutBodyWork *body, double timestep, const double y[6], double D[9])
{
	AbutBodyWork there = *body;
	double J[36];
	abut_body_move(&there, timestep, y);
	abut_body_jacobian(&there, timestep, J);
	for (int i = 0; i < 3; i++) {
		memcpy(&D[3 * i], &J[6 * (3 + i) + 3], 3 * sizeof(double));
	}
}
