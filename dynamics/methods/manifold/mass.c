/* Computes inverse masses of bodies. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/manifold/island.h"

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
