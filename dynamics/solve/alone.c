/* Solves the step of a body without contacts: no cones, no cascade. */
#include "dynamics/solve/alone.h"

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/body/flight.h"

/* Returns whether the island is one body without contacts. With the paper's warm start, or without the exact finish,
 * the path solves this step too. */
static bool is_alone(const AbutModel *model, const AbutIsland *island)
{
	return island->problem.n_moving == 1 && island->problem.n_contacts == 0 && island->problem.n_joints == 0 &&
	       model->options.finish == ABUT_FINISH_EXACT && model->options.warm_start_rule != ABUT_WARM_RULE_SHIFTED;
}

bool abut_step_fly(const AbutModel *model, AbutIsland *island, AbutStepInfo *info)
{
	if (!is_alone(model, island)) {
		return false;
	}
	AbutBodyWork *body = island->problem.moving[0];
	AbutSolveReport report = {.log = &info->log};
	double y[6];
	abut_copy3(body->w0, &y[3]);
	if (model->options.warm_start && island->warm) {
		abut_step_extrapolate(body, false, y);
	}
	if (!abut_body_fly(body, island->problem.timestep, y, &report)) {
		return false;
	}
	info->iterations += report.iterations;
	info->finish_iterations += report.iterations;
	info->residual = report.residual;
	info->exact = true;
	info->outcome = ABUT_OUTCOME_EXACT;
	return true;
}
