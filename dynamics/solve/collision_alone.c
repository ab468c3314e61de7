/* Solves the collision problem of one contact alone, at the poses of the bodies. */
#include "dynamics/solve/collision_alone.h"

#include <string.h>

void abut_step_scaling_poses(const AbutContactWork *contact, double timestep, bool at_start,
                             AbutScalingProblem *problem)
{
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		AbutScalingSide *out = &problem->side[i];
		out->rows = side->rows;
		memcpy(out->R, at_start ? side->body->R0 : side->body->R, sizeof out->R);
		out->shift = side->shift;
		for (int j = 0; j < 3; j++) {
			out->x[j] = side->from_side_0[j];
			if (!at_start && side->body->moving >= 0) {
				out->x[j] += timestep * side->body->v[j];
			}
		}
	}
}

bool abut_step_resume_collision(AbutIsland *island, const AbutContactWork *contact, double kappa, AbutIterate *own)
{
	abut_step_scaling_poses(contact, island->problem.timestep, false, &island->scaling);
	memset(island->scaling.origin, 0, sizeof island->scaling.origin);
	return abut_scaling_resume(&island->scaling, kappa, own);
}

void abut_step_solve_collision(AbutIsland *island, const AbutContactWork *contact, double kappa)
{
	AbutIterate *it = &island->iterate;
	AbutIterate own = *it; /* the solve uses the first entries of the vectors */
	double alpha, p[3];
	own.y = island->alone_y;
	own.z = island->alone_z;
	abut_step_scaling_poses(contact, island->problem.timestep, false, &island->scaling);
	double *y = &it->y[contact->at.y], *z = &it->z[contact->at.z];
	if (!abut_scaling_solve(&island->scaling, kappa, &own, &alpha, p)) {
		return;
	}
	y[3] = alpha;
	z[contact->at.alpha_z] = own.z[0];
	abut_copy3(p, y);
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		const AbutScalingSide *solved = &island->scaling.side[i];
		memcpy(&y[side->y], &own.y[solved->y], (size_t)side->rows->n_eps * sizeof(double));
		memcpy(&z[side->z], &own.z[solved->z], (size_t)side->rows->n_rows * sizeof(double));
	}
}
