/* Moves a solved step from its solution to the central path at the kappa of its derivative, and back.
 *
 * On the path every dual z and its slack s satisfy z o s = kappa e, with o the product of their cone and e its unit.
 * Only gap and normal impulse have the smaller product kappa_c = kappa^1.5. The impulse of an open contact is kappa_c /
 * gap, so its derivative with respect to the gap is -kappa_c / gap^2. With kappa_c = kappa this spurious derivative
 * would not become small compared with the stiffness 1 / kappa of the contact's own rows. With kappa^1.5 it is
 * proportional to sqrt(kappa). */
#include "dynamics/gradient/smooth.h"

#include <math.h>

#include "dynamics/contact/setup.h"
#include "dynamics/island/island.h"
#include "dynamics/solve/smooth.h"
#include "solver/ncp/interior_point.h"

/* POLISH: Newton iterations after convergence. The derivative assumes that the products equal kappa. Its relative error
 * is the error of the products divided by kappa. */
enum { MOST_ITERATIONS = 100, POLISH = 2 };
static const double least_kappa = 1e-12, solved = 1e-10;

/* With a small friction coefficient and an open contact, a path that starts at the solution may jam at the border of
 * the friction cone. Each further start therefore lies `farther` times as far from the borders. */
enum { STARTS = 4, PATIENCE = 5 };
static const double farther = 10.0, least_step = 1e-3;

static void sharpen(AbutIsland *island, double sharper)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		AbutContactWork *contact = &island->problem.contacts[i];
		island->cones[contact->cones - island->cones].sharper = sharper;
	}
}

/* Sets the unit of impulses: the contact's own unit (`own`), or 1. The own unit depends on the speed, and on the path
 * the solution depends on the unit. */
static void set_impulse_unit(AbutIsland *island, bool own)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		AbutContactWork *contact = &island->problem.contacts[i];
		const double unit = own ? abut_step_impulse_scale(contact) : 1.0;
		abut_scale_forces(contact, island->problem.friction_cone, contact->scale.impulse / unit,
		                  &island->iterate.z[contact->at.z]);
		contact->scale.impulse = unit;
	}
}

/* Restores y, z and s of the solution, with impulses in the unit of the path. */
static void begin_from_solution(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	set_impulse_unit(island, true);
	abut_island_take_back(island, &island->path);
	set_impulse_unit(island, false);
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
}

bool abut_gradient_smooth(AbutIsland *island, double kappa)
{
	AbutPathOptions options = {.kappa = kappa,
	                           .tolerance = fmin(solved, 1e-3 * kappa),
	                           .max_iterations = MOST_ITERATIONS,
	                           .boundary = 0.9,
	                           .patience = PATIENCE,
	                           .least_step = least_step,
	                           .centred = true};
	AbutSolveReport report = {.log = NULL};
	AbutIterationLog none = {.entries = NULL};
	report.log = &none;
	abut_island_keep(island, &island->path);
	sharpen(island, kappa / fmax(kappa * sqrt(kappa), least_kappa) - 1.0);
	double mu = kappa;
	for (int i = 0; i < STARTS && !report.solved; i++, mu *= farther) {
		begin_from_solution(island);
		abut_step_smooth_at(island, mu);
		abut_solve_path(&island->ncp, &options, &island->iterate, &report);
	}
	if (!report.solved) {
		return false;
	}
	options.tolerance = -1.0;
	options.max_iterations = POLISH;
	options.patience = 0;
	abut_solve_path(&island->ncp, &options, &island->iterate, &report);
	return true;
}

void abut_gradient_unsmooth(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	sharpen(island, 0.0);
	set_impulse_unit(island, true);
	abut_island_take_back(island, &island->path);
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
}
