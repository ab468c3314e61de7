/* The collision problem of two shapes: its sides, and the solver's memory. */
#ifndef COLLISION_SCALING_SCALING_PARTS_H
#define COLLISION_SCALING_SCALING_PARTS_H

#include "collision/rows/rows_parts.h"
#include "solver/ncp/ncp.h"

typedef struct AbutScalingSide {
	const AbutConicRows *rows;
	double x[3], R[9]; /* pose of the body: centre of mass and rotation, world */
	double shift;      /* added to a halfspace's one row */
	double g[3];       /* A' lambda, body frame */
	AbutShapeStiffness stiffness;
	double *B_lambda, *eps_map; /* (n_eps), (n_eps x 6) scratch of the caller */
	int y, z;
	const AbutCone *cones;
} AbutScalingSide;

typedef struct AbutScalingProblem {
	AbutScalingSide side[2];
	double origin[3]; /* p is relative to this point */
	double U[4][2];   /* change of (p, alpha) per lane, world */
	double *scratch;  /* of the shape kernel */
	AbutCone *cones;  /* room for the cones of both sides plus one */
	int iterations;   /* iterations of the last solve */
} AbutScalingProblem;

#endif
