/* Recovers the unknowns of a joint that condense.c has eliminated. */
#include "dynamics/joint/recover.h"

#include "dynamics/joint/spin.h"

static double rate_change(const AbutJointWork *work, int i, const double *dv)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		const int moving = work->body[s]->moving;
		const double *j = &work->j[i][abut_joint_column[s]];
		for (int k = 0; moving >= 0 && k < 6; k++) {
			sum += j[k] * dv[6 * moving + k];
		}
	}
	return sum;
}

void abut_joint_recover(const AbutJointWork *work, const AbutEdgeRoom *room, const AbutConeLaw *law, double weight,
                        const double *dv, const AbutJointChange *change)
{
	const double *r = work->residual;
	const int n_held = work->joint->n_held, places = abut_joint_kind_places(work->joint->kind);
	for (int i = 0; i < n_held; i++) {
		change->dy[i] = -(r[i] + rate_change(work, i, dv)) / work->regular[i < places ? 0 : 1];
	}
	for (int i = 0; i < work->joint->kind->n_laws; i++) {
		abut_axis_recover(&work->axis[i], room->timestep, r, law, weight, rate_change(work, n_held + i, dv),
		                  change);
	}
	if (abut_joint_spins_clipped(work)) {
		const double drate[3] = {rate_change(work, n_held, dv), rate_change(work, n_held + 1, dv),
		                         rate_change(work, n_held + 2, dv)};
		abut_spins_recover(work, law, weight, drate, change);
	}
}
