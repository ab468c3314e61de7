/* Defines the collision problem of two shapes: its two sides, and memory for the solver. */
#pragma once

#include "collision/rows/rows_parts.h"
#include "solver/ncp/ncp.h"

typedef struct AbutScalingSide {
	const AbutConicRows *rows;
	double x[3], R[9]; /* pose of the body: centre of mass (in the rows' unit of length) and rotation, world */
	double shift;      /* added to h of a halfspace, which has one row */
	double g[3];       /* A' lambda, body frame */
	AbutShapeStiffness stiffness;
	double *B_lambda, *eps_map; /* (n_eps), (n_eps x 6); memory of the caller */
	int y, z;
	const AbutCone *cones;
} AbutScalingSide;

typedef struct AbutScalingProblem {
	AbutScalingSide side[2];
	double origin[3]; /* p is relative to this point, world */
	double U[4][2];   /* change of (p, alpha) in both lanes of the cone law, world */
	double *scratch;  /* memory for the shape kernel */
	AbutCone *cones;  /* room for the cones of both sides plus one */
	int iterations;   /* iterations of the last solve */
} AbutScalingProblem;
