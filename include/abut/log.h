/* The log of a solve: one entry per iteration, in memory of the caller. */
#ifndef ABUT_LOG_H
#define ABUT_LOG_H

#ifdef __cplusplus
extern "C" {
#endif

/* One iteration of a solve, in the form that `abut run --log` writes. */
typedef struct AbutIteration {
	int phase;              /* 0 interior point, 1 semismooth Newton */
	double kappa;           /* target of the iteration; 0 in phase 1 */
	double residual;        /* before the step: max norm of stationarity and slack rows, dimensionless */
	double complementarity; /* phase 0: max of z o s - kappa e before the step; phase 1: the natural residual after
	                           it */
	double step_length;     /* in (0, 1] */
} AbutIteration;

/* Memory for the iterations of a step (AbutStepInfo.log). */
typedef struct AbutIterationLog {
	AbutIteration *entries; /* (capacity), NULL for no log */
	int capacity;           /* number of entries that fit */
	int count;              /* number of entries written; further iterations are dropped */
} AbutIterationLog;

#ifdef __cplusplus
}
#endif

#endif
