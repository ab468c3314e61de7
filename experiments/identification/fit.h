/* Parameters of a body fitted to recordings of its poses: Levenberg-Marquardt on the sum of squares of what a model
 * predicts too much or too little, over segments of a few steps. Where each segment starts, and how fast, is fitted as
 * well, so that noise of the recordings does not bias the rest; being its own of each segment, it is eliminated.
 *
 *     min over theta, s_1, s_2, ... of  sum_segments rho(sum_i |(pose_i(theta, s) - seen_i) / noise|^2)
 *
 * with rho(x) = c log(1 + x / c), by which segments that are far off, since another face came down first, count less.
 *
 * The derivatives of a segment are chained from those of its steps (abut/gradient.h). */
#ifndef EXPERIMENTS_IDENTIFICATION_FIT_H
#define EXPERIMENTS_IDENTIFICATION_FIT_H

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

/* Of the first recordings' frames: segments follow each other from frame 1 on. The start of each is guessed from the
 * frame before it. `model` is copied. */
AbutStatus abut_fit_open(AbutFit *fit, const AbutModel *model, int recordings, int frames, const AbutBodyState *seen,
                         AbutError *error);
void abut_fit_close(AbutFit *fit);

/* One iteration: linearises, and damps until the cost falls. `*done`: it falls no more, or by less than 1e-6 of it. */
AbutStatus abut_fit_iterate(AbutFit *fit, bool *done, AbutError *error);

#endif
