/* Fits parameters of a body to recordings of its poses, by Levenberg-Marquardt. The recordings are divided into
 * segments of a few steps. The cost is the weighted distance between predicted and recorded poses:
 *
 *      min over theta, s_1, s_2, ... of  sum_segments rho(sum_i |(pose_i(theta, s) - seen_i) / noise|^2)
 *
 * Here theta are the parameters and s_j is the state at the start of segment j. It is fitted as well, so that noise in
 * the recordings does not bias theta, and eliminated, because it occurs in one segment only. The function rho(x) = c
 * log(1 + x / c) reduces the weight of segments that are far off, for example because another face touched down first.
 *
 * The derivatives of a segment are products of those of its steps (abut/gradient.h). */
#pragma once

#include "experiments/identification/segment.h"

/* Opens a fit of the first `recordings` recordings. Segments follow each other from frame 1 on; the start of each is
 * guessed from the frame before it. `model` is copied. */
AbutStatus abut_fit_open(AbutFit *fit, const AbutModel *model, int recordings, int frames, const AbutBodyState *seen,
                         AbutError *error);
void abut_fit_close(AbutFit *fit);

/* Makes one iteration: linearises, and raises the damping until the cost falls. `*done`: the cost fell by less than
 * 1e-6 of its value, or not at all. */
AbutStatus abut_fit_iterate(AbutFit *fit, bool *done, AbutError *error);
