/* The growth distance of two shapes at fixed poses (DCOL, paper eq. 14): the least alpha at which both, scaled by it
 * about their centres, share a point. alpha > 1 apart, < 1 overlapping. Solved by the solver's interior point. */
#ifndef COLLISION_SCALING_SCALING_H
#define COLLISION_SCALING_SCALING_H

#include <stdbool.h>

#include "collision/scaling/scaling_parts.h"

/* M += T Q T', T = diag(R, 1): a side's stiffness on (p, alpha) from its own frame to the world. */
void abut_scaling_add_stiffness(const double R[9], const double Q[16], double M[4][4]);

/* Fills sides' y, z, cones and the problem's size; rows, poses, scratch and cones are set by the caller. */
AbutNcp abut_scaling_problem(AbutScalingProblem *problem);

/* Solves from cold. `alpha` and p_world (3, may be NULL) receive the solution; false when it does not converge. */
bool abut_scaling_solve(AbutScalingProblem *problem, double kappa, AbutIterate *iterate, double *alpha,
                        double *p_world);

/* On from a solution to the very point of kappa: the path's own end is loose, and derivatives and differences are of
 * that point. False, with the solution as it was, where rounding does not let it come within a hundredth of kappa. */
bool abut_scaling_tighten(AbutScalingProblem *problem, double kappa, AbutIterate *iterate);

/* Solves from the iterate's y (p from `origin`) and z, smoothed by how far they are from a solution. False when the
 * path from there does not converge in a few iterations. */
bool abut_scaling_resume(AbutScalingProblem *problem, double kappa, AbutIterate *iterate);

#endif
