/* The log of a solve: one entry per iteration, into memory of the caller. */
#ifndef ABUT_LOG_H
#define ABUT_LOG_H

#ifdef __cplusplus
extern "C" {
#endif

/* One iteration of a solve, as `abut run --log` writes it. */
typedef struct AbutIteration {
	int phase;              /* 0 interior point, 1 semismooth Newton */
	double kappa;           /* target of the iteration; 0 in phase 1 */
	double residual;        /* before the step: max norm of stationarity and slack rows, dimensionless */
	double complementarity; /* before the step: max of z o s - kappa e (phase 1: after it, the natural residual) */
	double step_length;     /* in (0, 1] */
} AbutIteration;

/* Room for the iterations of a step: AbutStepInfo.log. */
typedef struct AbutIterationLog {
	AbutIteration *entries; /* (capacity), NULL for no log */
	int capacity;           /* of entries */
	int count;              /* entries written; iterations past the capacity are dropped */
} AbutIterationLog;

#ifdef __cplusplus
}
#endif

#endif
