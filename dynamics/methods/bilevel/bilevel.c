/* Solves islands with method bilevel, and allocates its memory. */
#include "dynamics/methods/bilevel/bilevel.h"

#include <stdlib.h>

#include "dynamics/methods/bilevel/problem.h"
#include "solver/ncp/interior_point.h"

/* Solves the outer problem with abut_solve_path. Starts from the island's iterate and writes the solution back to it,
 * with the solutions of the collision problems. If a collision problem cannot be solved, the outer residual is not
 * finite. */
static void solve_path(AbutIsland *island, const AbutPathOptions *options, AbutSolveReport *report)
{
	const AbutNcp ncp = abut_bilevel_begin(island);
	abut_solve_path(&ncp, options, &abut_bilevel_of(island)->outer, report);
	abut_bilevel_end(island);
}

static void solve_exact(AbutIsland *island, const AbutExactOptions *options, AbutSolveReport *report)
{
	const AbutNcp ncp = abut_bilevel_begin(island);
	abut_solve_exact(&ncp, options, &abut_bilevel_of(island)->outer, report);
	abut_bilevel_end(island);
}

static double kappa_of(const AbutIsland *island)
{
	return island->problem.n_contacts > 0 ? abut_bilevel_of(island)->kappa : 0.0;
}

static const AbutIslandSolver solver = {.path = solve_path, .exact = solve_exact, .kappa = kappa_of};

AbutStatus abut_bilevel_create(const AbutModel *model, const AbutIslandSize *size, AbutIsland *island)
{
	AbutBilevel *bilevel = calloc(1, sizeof *bilevel);
	const bool dense = model->options.linear_solver == ABUT_LINEAR_SOLVER_DENSE;
	island->method = bilevel;
	if (!bilevel) {
		return ABUT_ERROR_MEMORY;
	}
	island->solver = &solver;
	bilevel->kappa = model->collision_kappa;
	bilevel->cones = calloc((size_t)size->n_cones + 1, sizeof *bilevel->cones);
	bilevel->s = calloc((size_t)size->n_z + 1, sizeof *bilevel->s);
	return bilevel->cones && bilevel->s
	           ? abut_iterate_create(size->n_y, size->n_z, size->n_law, dense, &bilevel->outer)
	           : ABUT_ERROR_MEMORY;
}

void abut_bilevel_destroy(AbutIsland *island)
{
	AbutBilevel *bilevel = island->method;
	if (bilevel) {
		free(bilevel->cones);
		free(bilevel->s);
		abut_iterate_destroy(&bilevel->outer);
		free(bilevel);
	}
	island->method = NULL;
	island->solver = NULL;
}
