/* One step of an island as a nonlinear complementarity problem (docs/formulation.md), as the solver of the
 * single-level path sees it. Model units throughout; angular velocities in world axes.
 *
 * Unknowns  y = [v, w of every moving body | per pair: p (3), alpha, eps of both sides, psi]
 *           z = [per pair: gamma, friction, lambda_alpha, lambda of both sides]
 * Equations r = [momentum balances | per pair: n_a - n_b, 1 - d'lambda - lambda_alpha, B'lambda, friction]
 *           H = [per pair: w_c (alpha - 1 + delta), friction, alpha, both shapes' rows]
 *
 * p is an offset from the centre of mass of side 0 at the start of the step. */
#ifndef DYNAMICS_ISLAND_PROBLEM_H
#define DYNAMICS_ISLAND_PROBLEM_H

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "solver/ncp/ncp.h"

typedef struct AbutContactProblem {
	double timestep;
	AbutFrictionCone friction_cone;
	int n_moving, n_contacts;
	AbutBodyWork **moving;     /* (n_moving) */
	AbutContactWork *contacts; /* (n_contacts) the active pairs */
	AbutBlockSystem system;
	double *scratch; /* for the shape kernel */
} AbutContactProblem;

/* Solver functions of AbutNcp; `problem` is an AbutContactProblem. */
extern const AbutNcpOps abut_contact_problem_ops;

/* Sets the block system to the bodies' own balances, with right-hand side -r, without contacts. */
void abut_contact_problem_load_bodies(const AbutContactProblem *problem, const double *r);

#endif
