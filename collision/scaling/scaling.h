/* The growth distance of two shapes at fixed poses (DCOL, paper eq. 14): the least alpha at which both, scaled by it
 * about their centres, share a point; alpha > 1 if separated, < 1 in overlap. Solved by the solver's interior point. */
#ifndef COLLISION_SCALING_SCALING_H
#define COLLISION_SCALING_SCALING_H

#include <stdbool.h>

#include "collision/scaling/scaling_parts.h"

/* Adds T Q T', T = diag(R, 1), to M: a side's stiffness on (p, alpha), from its own frame to the world. */
void abut_scaling_add_stiffness(const double R[9], const double Q[16], double M[4][4]);

/* Sets the sides' y, z and cones, and returns the problem. The caller sets rows, poses, scratch and cones. */
AbutNcp abut_scaling_problem(AbutScalingProblem *problem);

/* Solves from a cold start. Writes `alpha` and p_world (3, may be NULL); returns false if it does not converge. */
bool abut_scaling_solve(AbutScalingProblem *problem, double kappa, AbutIterate *iterate, double *alpha,
                        double *p_world);

/* Continues from a solution to the exact point of kappa, to which derivatives and differences refer, since the path's
 * own tolerance is loose. Returns false, with the solution unchanged, if rounding keeps it more than a hundredth of
 * kappa away. */
bool abut_scaling_tighten(AbutScalingProblem *problem, double kappa, AbutIterate *iterate);

/* Solves from the iterate's y (p from `origin`) and z, smoothed by their distance from a solution. Returns false if
 * that path does not converge in a few iterations. */
bool abut_scaling_resume(AbutScalingProblem *problem, double kappa, AbutIterate *iterate);

#endif
