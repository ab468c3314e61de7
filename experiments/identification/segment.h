/* Residuals and derivatives of one segment of a fit. */
#ifndef EXPERIMENTS_IDENTIFICATION_SEGMENT_H
#define EXPERIMENTS_IDENTIFICATION_SEGMENT_H

#include "experiments/identification/fit.h"

/* One segment, from its start: residuals (6 (steps + 1)) and, unless `by_start` is NULL, their derivatives, row-major,
 * by the start (12 columns) and by the parameters. `*solved`: all steps were, and have derivatives. */
AbutStatus abut_fit_segment(const AbutFit *fit, const AbutModel *model, const AbutFitSegment *segment, double *residual,
                            double *by_start, double *by_parameter, bool *solved, AbutError *error);

#endif
