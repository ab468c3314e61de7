/* Formulates a step of method point-ncp as a nonlinear complementarity problem (Dojo eq. 16-23; docs/formulation.md).
 * It has the bodies' balances, as in the other methods. With a weight w and the shift that undoes overlap, each contact
 * point has
 *
 *     gamma >= 0  complementary to  w (gap(q+) + shift) >= 0,
 *     (mu gamma, beta) o (psi, slip(q+, v+)) = kappa e      in the second-order cone (or the pyramid of four edges).
 *
 * Unknowns  y = [v, w of every moving body | per point: psi],  z = [per point: gamma, friction]. Joints follow the
 * points, with the unknowns and equations of dynamics/joint/joint.h. Points are eliminated
 * in closed form: their gamma and friction follow from three rows, the derivatives of gap and slip with respect to the
 * velocities of both bodies. */
#pragma once

#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"
#include "dynamics/methods/points/contact.h"
#include "dynamics/pairs/islands.h"

typedef struct AbutPointProblem {
	AbutContactProblem *bodies; /* bodies and joints, without contacts: timestep, friction cone, blocks */
	int n;
	AbutPoint *points; /* (n) */
} AbutPointProblem;

/* Creates the island's problem in island->method, for islands up to a size. */
AbutStatus abut_point_problem_create(const AbutModel *model, const AbutIslandSize *size, AbutIsland *island);
/* Destroys the problem in island->method. */
void abut_point_problem_destroy(AbutIsland *island);

/* Checks the options: this method does not support the dense solver. */
AbutStatus abut_points_options_check(const AbutSolverOptions *options, AbutError *error);

/* The functions behind AbutNcp; `problem` is an AbutPointProblem. */
extern const AbutNcpOps abut_point_problem_ops;

/* Return the problem of an island and its number of points; NULL and 0 if the island is of another method. */
static inline AbutPointProblem *abut_point_problem(const AbutIsland *island)
{
	return island->ncp.ops == &abut_point_problem_ops ? island->method : NULL;
}
static inline int abut_point_problem_count(const AbutIsland *island)
{
	const AbutPointProblem *problem = abut_point_problem(island);
	return problem ? problem->n : 0;
}

/* The law by which a point's impulses (gamma, beta_1, beta_2) follow gap and slip in a Newton step. There are two
 * right-hand sides; w is the weight of the second:
 *
 *     dimpulse = constant[0] + w constant[1] - K d(gap, slip) */
typedef struct AbutPointLaw {
	double K[ABUT_POINT_ROWS][ABUT_POINT_ROWS], constant[2][ABUT_POINT_ROWS];
} AbutPointLaw;
void abut_point_law(AbutPoint *point, AbutFrictionCone cone, const AbutConeLaw *law, AbutPointLaw *out);
