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

#include "experiments/identification/segment.h"

/* Opens a fit of the first `recordings` recordings. Segments follow each other from frame 1 on; the start of each is
 * guessed from the frame before it. `model` is copied. */
AbutStatus abut_fit_open(AbutFit *fit, const AbutModel *model, int recordings, int frames, const AbutBodyState *seen,
                         AbutError *error);
void abut_fit_close(AbutFit *fit);

/* Makes one iteration: linearises, and raises the damping until the cost falls. `*done`: the cost fell by less than
 * 1e-6 of its value, or not at all. */
AbutStatus abut_fit_iterate(AbutFit *fit, bool *done, AbutError *error);

#endif
