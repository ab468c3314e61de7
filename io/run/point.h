/* The files of a run's snapshots: their names, and what step_N.json holds. */
#ifndef IO_RUN_POINT_H
#define IO_RUN_POINT_H

#include "io/run/output.h"

enum { ABUT_SNAPSHOT_NAME = 48 };

/* Writes step_STEP.ENDING. */
void abut_snapshot_name(long step, const char *ending, char out[ABUT_SNAPSHOT_NAME]);
/* Returns whether it is such a name, and gets its step. */
bool abut_snapshot_step(const char *name, long *step);

/* Returns `folder/snapshots`; the caller frees it. NULL: out of memory. */
char *abut_snapshots_folder(const char *folder);

/* X(member): members of AbutRunSummary that a continued run starts with; `failure` is stored too. */
#define ABUT_RUN_COUNTS(X)                                                                                             \
	X(steps)                                                                                                       \
	X(exact_steps)                                                                                                 \
	X(relaxed_steps)                                                                                               \
	X(first_relaxed_step)                                                                                          \
	X(retried_steps)                                                                                               \
	X(halved_steps)                                                                                                \
	X(raised_kappa_steps)                                                                                          \
	X(failed_steps)                                                                                                \
	X(first_failed_step)                                                                                           \
	X(iterations_max)
#define ABUT_RUN_NUMBERS(X)                                                                                            \
	X(iterations_mean)                                                                                             \
	X(max_penetration)                                                                                             \
	X(max_residual)                                                                                                \
	X(max_complementarity)                                                                                         \
	X(energy_start)

/* The point from which a run is continued. */
typedef struct AbutRunPoint {
	AbutRunSummary summary; /* up to there */
	long sizes[ABUT_OUTPUT_TABLES];
} AbutRunPoint;

/* Restores the last snapshot of the folder that its tables reach to; one that is damaged is passed over. `*found` is
 * false when there is none. ABUT_ERROR_ARGUMENT: a snapshot is of another model, which `error` says. */
AbutStatus abut_run_point_find(const char *folder, const AbutModel *model, AbutState *state, AbutRunPoint *out,
                               bool *found, AbutError *error);

#endif
