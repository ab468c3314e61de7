/* The growth distance of two shapes at fixed poses (DCOL, paper eq. 14): the least alpha at which both, scaled by it
 * about their centres, share a point. alpha > 1 apart, < 1 overlapping. Solved by the solver's interior point. */
#ifndef COLLISION_SCALING_SCALING_H
#define COLLISION_SCALING_SCALING_H

#include "collision/rows/conic_rows.h"
#include "solver/ncp/interior_point.h"

typedef struct AbutScalingSide {
	const AbutConicRows *rows;
	double x[3], R[9]; /* pose of the body: centre of mass and rotation, world */
	double shift;      /* added to the one row of a halfspace */
	double g[3];       /* A' lambda, body frame */
	AbutShapeStiffness stiffness;
	double *B_lambda, *eps_map; /* (n_eps), (n_eps x 6) scratch of the caller */
	int y, z;
	const AbutCone *cones;
} AbutScalingSide;

typedef struct AbutScalingProblem {
	AbutScalingSide side[2];
	double origin[3]; /* p is an offset from here */
	double U[4][2];   /* change of (p, alpha) per lane, world */
	double *scratch;  /* of the shape kernel */
	AbutCone *cones;  /* room for those of both sides and one more */
	int iterations;   /* of the last solve, with what followed */
} AbutScalingProblem;

/* M += T Q T', T = diag(R, 1): a side's stiffness on (p, alpha) from its own frame to the world. */
void abut_scaling_add_stiffness(const double R[9], const double Q[16], double M[4][4]);

/* Fills sides' y, z, cones and the problem's size; rows, poses, scratch and cones are set by the caller. */
AbutNcp abut_scaling_problem(AbutScalingProblem *problem);

/* Solves from cold. `alpha` and p_world (3, may be NULL) receive the solution; false when it does not converge. */
bool abut_scaling_solve(AbutScalingProblem *problem, double kappa, AbutIterate *iterate, double *alpha,
                        double *p_world);

/* The growth distance's answer (growth.h) as a start: y, p from the problem's origin, and z. False where that is not
 * found, or the centre of one lies in that of the other, or in a halfspace. */
bool abut_scaling_start_grown(const AbutScalingProblem *problem, AbutIterate *iterate);

/* On from a solution to the very point of kappa: the path's own end is loose, and derivatives and differences are of
 * that point. False, with the solution as it was, where rounding does not let it come within a hundredth of kappa. */
bool abut_scaling_tighten(AbutScalingProblem *problem, double kappa, AbutIterate *iterate);

/* Solves from the iterate's y (p from `origin`) and z, smoothed by how far they are from a solution. False when the
 * path from there does not converge in a few iterations. */
bool abut_scaling_resume(AbutScalingProblem *problem, double kappa, AbutIterate *iterate);

#endif
