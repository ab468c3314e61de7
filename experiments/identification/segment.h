/* One segment of a fit (fit.h): residuals and their derivatives. */
#pragma once

#include "abut/gradient.h"

enum { ABUT_FIT_MOST = 32, ABUT_FIT_STATE = 12 };

typedef struct AbutFitSegment {
	const AbutBodyState *seen; /* (steps + 1) poses; not owned */
	AbutBodyState start;       /* at seen[0], fitted */
} AbutFitSegment;

typedef struct AbutFit {
	int body;  /* the one that moves */
	int steps; /* of every segment */
	double position_noise, rotation_noise;
	double kappa; /* of the derivatives; 0: exact. Steps are exact. */
	int n_parameters;
	AbutParameter parameters[ABUT_FIT_MOST];
	double values[ABUT_FIT_MOST];
	int n_segments;
	AbutFitSegment *segments; /* (n_segments) owned */
	AbutModel *model;         /* with these values; owned */
	double cost;              /* the sum of rho at them */
	double damping;
	double deviation[ABUT_FIT_MOST]; /* standard deviations of the values, by the last linearisation */
	int dropped;                     /* segments of the last linearisation without a derivative */
} AbutFit;

/* The results of a segment. Derivatives are row-major, by the start (12 columns) and by the parameters. */
typedef struct AbutFitRows {
	double *residual;                /* (6 (steps + 1)) */
	double *by_start, *by_parameter; /* (6 (steps + 1)) rows; NULL: not wanted */
	bool solved;                     /* all steps were, and have derivatives */
} AbutFitRows;

/* Evaluates one segment of the model from the segment's start. */
AbutStatus abut_fit_segment(const AbutFit *fit, const AbutModel *model, const AbutFitSegment *segment, AbutFitRows *out,
                            AbutError *error);
