/* Solves a step again while the impulses of its joints ask for another direction. */
#include "dynamics/solve/redirect.h"

#include "dynamics/island/problem.h"
#include "dynamics/joint/direction.h"

enum { MOST = 4 };

static void return_to(const AbutStepInfo *before, AbutIsland *island, AbutStepInfo *info)
{
	AbutIterate *it = &island->iterate;
	abut_joints_direct_back(island->problem.joints, island->problem.n_joints);
	abut_island_take_back(island, &island->path);
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	info->exact = before->exact;
	info->outcome = before->outcome;
	info->kappa = before->kappa;
	info->residual = before->residual;
	info->complementarity = before->complementarity;
}

void abut_step_redirect(AbutIsland *island, AbutSolveAgain *again, const void *data, AbutStepInfo *info)
{
	AbutContactProblem *problem = &island->problem;
	for (int i = 0; i < MOST && problem->n_joints > 0; i++) {
		const AbutStepInfo before = *info;
		abut_island_keep(island, &island->path);
		if (!abut_joints_redirect(problem->joints, problem->n_joints, problem->timestep)) {
			return;
		}
		if (!again(data)) {
			return_to(&before, island, info);
			return;
		}
	}
}
