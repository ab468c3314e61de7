/* Computes the inverse mass of a body, and the derivative of its free flight with respect to the velocities. */
#include "dynamics/methods/manifold/mass.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"

/* Computes M^-1. A planar body stays in its plane: it moves along x and z and turns about y. */
void abut_lcp_invert_mass(const AbutBodyWork *body, AbutLcpBody *out)
{
	memset(out->inverse_inertia, 0, sizeof out->inverse_inertia);
	for (int i = 0; i < 3; i++) {
		out->inverse_mass[i] = body->planar && i == 1 ? 0.0 : 1.0 / body->mass;
		const double unit[3] = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
		double column[3];
		abut_sym3_solve(body->inertia, unit, column);
		for (int k = 0; k < 3 && !body->planar; k++) {
			out->inverse_inertia[3 * k + i] = column[k];
		}
	}
	if (body->planar) {
		out->inverse_inertia[4] = 1.0 / body->inertia[4];
	}
}

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
