/* Names the files of a run's snapshots and reads step_N.json. */
#pragma once

#include "io/run/output.h"

#define ABUT_SNAPSHOTS "snapshots" /* name of their folder in the run's folder */

enum { ABUT_SNAPSHOT_NAME = 48 };

/* Writes "step_STEP.ENDING" to `out`. */
void abut_snapshot_name(long step, const char *ending, char out[ABUT_SNAPSHOT_NAME]);
/* Returns whether `name` has this form, and sets `*step`. */
bool abut_snapshot_step(const char *name, long *step);

/* X(member): members of AbutRunSummary saved in step_N.json, with which a resumed run starts; `failure` is saved too.
 */
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
/* Further members, of models with joints. */
#define ABUT_RUN_JOINT_NUMBERS(X)                                                                                      \
	X(joint_errors.violation_m)                                                                                    \
	X(joint_errors.violation_rad)                                                                                  \
	X(joint_errors.limit)

/* The point from which a run is continued. */
typedef struct AbutRunPoint {
	AbutRunSummary summary; /* of the run up to this point */
	long sizes[ABUT_OUTPUT_TABLES];
} AbutRunPoint;

/* Restores the latest undamaged snapshot whose rows are all in the tables of the folder. Sets `*found` to false if
 * there is none. Returns ABUT_ERROR_ARGUMENT if a snapshot belongs to another model; `error` says so. */
AbutStatus abut_run_point_find(const char *folder, const AbutModel *model, AbutState *state, AbutRunPoint *out,
                               bool *found, AbutError *error);
