/* Computes the growth distance of two shapes at fixed poses by the solver's interior-point method (DCOL, paper eq. 14).
 * It is the least alpha at which both shapes, scaled by alpha about their centres, share a point. alpha > 1 if they are
 * separated, and alpha < 1 if they overlap. */
#pragma once

#include <stdbool.h>

#include "collision/scaling/scaling_parts.h"

/* Adds T Q T', T = diag(R, 1), to M: the stiffness Q of a side with respect to (p, alpha), rotated from the side's
 * frame to the world. */
void abut_scaling_add_stiffness(const double R[9], const double Q[16], double M[4][4]);

/* Sets y, z and cones of both sides, and returns the problem. The caller must have set the rows, poses, scratch and
 * cones. */
AbutNcp abut_scaling_problem(AbutScalingProblem *problem);

/* Solves from a cold start. Writes `alpha` and p_world (3, may be NULL); returns false if it does not converge. */
bool abut_scaling_solve(AbutScalingProblem *problem, double kappa, AbutIterate *iterate, double *alpha,
                        double *p_world);

/* Refines a solution to the exact point of the path at kappa, to which derivatives and finite differences refer; the
 * tolerance of abut_scaling_solve is too loose for them. Returns false and keeps the solution if rounding prevents an
 * accuracy of kappa / 100. */
bool abut_scaling_tighten(AbutScalingProblem *problem, double kappa, AbutIterate *iterate);

/* Solves from the iterate's y (p relative to `origin`) and z. The start is smoothed by its residual. Returns false if
 * the path does not converge within 25 iterations. */
bool abut_scaling_resume(AbutScalingProblem *problem, double kappa, AbutIterate *iterate);
