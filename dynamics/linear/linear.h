/* The fields of AbutLinear: the derivative of a step in joint coordinates (abut/linear.h). */
#pragma once

#include "abut/linear.h"
#include "dynamics/linear/rows.h"
#include "dynamics/linear/tangent.h"

struct AbutLinear {
	const AbutModel *model;
	AbutRobot *robot;
	AbutGradient *gradient;
	int n_x, n_motors, n_parameters;
	AbutParameter *parameters; /* (n_motors + n_parameters) the motors first */
	AbutBodyState *motions[2]; /* (n_moving) before and after the step, at the centres of mass */
	double *timesteps[2];      /* (n_moving) s, of the steps that end there */
	double *between;           /* (n_moving) s, between the instants of both velocities, for sensors */
	double *efforts;           /* (n_motors) N m or N, of the motors in the step */
	double *q;                 /* (n_q) of balls before the step, for sensors */
	bool in_parts;             /* the step was taken in parts */
	AbutTangent start, end;
	AbutCoordinateRow *rows;  /* (n_x) at the end */
	bool placed;              /* start, end and rows are those of the last step */
	AbutLanes *change, *next; /* (18 n_moving), (12 n_moving) */
	AbutLanes *by, *out;      /* (n_x + n_motors + n_parameters), (n_x) */
	double *single;           /* (12 n_moving + 18 n_moving) one gradient by the states after and before a step */
	AbutLanes *scratch;       /* (12 n_links) */
	char **names;             /* (n_x + n_motors) */
	char *name_block;
};
