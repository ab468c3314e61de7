/* Computes an interior point near the iterate (docs/formulation.md 8). */
#include "dynamics/solve/smooth.h"

#include <math.h>

#include "dynamics/solve/tuning.h"
#include "solver/ncp/newton_parts.h"

void abut_step_keep_heads(AbutIsland *island)
{
	island->ncp.ops->heads(island->ncp.problem, island->iterate.s, island->iterate.y);
}

void abut_step_smooth_at(AbutIsland *island, double mu)
{
	AbutIterate *it = &island->iterate;
	abut_cones_smoothed_pair(island->ncp.cones, island->ncp.n_cones, it->H, mu, it->z, it->s);
	abut_step_keep_heads(island);
}

double abut_step_residual(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	return fmax(abut_max_norm(it->r, island->ncp.n_y),
	            abut_cones_natural_residual(island->ncp.cones, island->ncp.n_cones, it->z, it->H));
}

void abut_step_smooth(AbutIsland *island, double kappa)
{
	abut_step_smooth_at(island, fmin(fmax(abut_step_residual(island), kappa), ABUT_SMOOTHED_MOST));
}
