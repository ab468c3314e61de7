/* One step of an island as a nonlinear complementarity problem (docs/formulation.md), in the form that the solver of
 * the single-level path uses. All values are in model units; angular velocities are in world axes.
 *
 *     Unknowns  y = [v, w of every moving body | per pair: p (3), alpha, eps of both sides, psi]
 *               z = [per pair: gamma, friction, lambda_alpha, lambda of both sides]
 *     Equations r = [momentum balances | per pair: n_a - n_b, 1 - d'lambda - lambda_alpha, B'lambda, friction]
 *               H = [per pair: w_c (alpha - 1 + delta), friction, alpha, both shapes' rows]
 *
 * Joints follow the contacts, with the unknowns and equations of dynamics/joint/joint.h, and couplings follow the
 * joints (dynamics/joint/coupling.h).
 *
 * The contact point p is relative to the centre of mass of side 0 at the start of the step. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/joint/coupling.h"
#include "dynamics/joint/joint.h"
#include "solver/ncp/ncp.h"

typedef struct AbutContactProblem {
	double timestep;
	AbutFrictionCone friction_cone;
	int n_moving, n_contacts;
	AbutBodyWork **moving;     /* (n_moving) */
	AbutContactWork *contacts; /* (n_contacts) the active pairs */
	int n_joints;
	AbutJointWork *joints; /* (n_joints) */
	double rounding;       /* of the balances by the momenta of rotors and the efforts of springs and motors */
	int n_couplings;
	AbutCouplingWork *couplings; /* (n_couplings) */
	AbutBlockSystem system;
	double *scratch; /* scratch memory of the shape kernel */
} AbutContactProblem;

/* The solver's functions for a problem of type AbutContactProblem. */
extern const AbutNcpOps abut_contact_problem_ops;

/* Sets the block system to the bodies' own balances, without contacts; the right-hand side is -r. */
void abut_contact_problem_load_bodies(const AbutContactProblem *problem, const double *r);
/* Eliminates the joints: adds them to the block system. */
void abut_contact_problem_load_joints(AbutContactProblem *problem, const double *r, const AbutConeLaw *law);
