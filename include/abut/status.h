/* Statuses (whether a call was legal), outcomes (how a solve ended) and errors. */
#ifndef ABUT_STATUS_H
#define ABUT_STATUS_H

#include "abut/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a call was legal. X(constant, name). Files have these statuses:
 *
 *   ABUT_ERROR_MEMORY   memory ran out, when reading or writing;
 *   ABUT_ERROR_SYSTEM   too many files are open, when reading or writing, or the disk failed while reading;
 *   ABUT_ERROR_IO       an input cannot be read because of its path, or the disk is full or failed while writing;
 *   ABUT_ERROR_ARGUMENT an output cannot be written because of its path. */
#define ABUT_STATUS_LIST(X)                                                                                            \
	X(ABUT_OK, "ok")                                                                                               \
	X(ABUT_ERROR_ARGUMENT, "invalid argument")                                                                     \
	X(ABUT_ERROR_MEMORY, "out of memory")                                                                          \
	X(ABUT_ERROR_IO, "input or output failed")                                                                     \
	X(ABUT_ERROR_PARSE, "malformed input")                                                                         \
	X(ABUT_ERROR_UNSUPPORTED, "not supported")                                                                     \
	X(ABUT_ERROR_NUMERICAL, "numerical failure")                                                                   \
	X(ABUT_ERROR_STOPPED, "stopped by the caller")                                                                 \
	X(ABUT_ERROR_SYSTEM, "the system failed")

typedef enum AbutStatus {
#define ABUT_X(constant, name) constant,
	ABUT_STATUS_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_STATUS_COUNT
} AbutStatus;

/* How the solve of a step ended. X(constant, name). Only the first two are successes. */
#define ABUT_OUTCOME_LIST(X)                                                                                           \
	X(ABUT_OUTCOME_EXACT, "exact")               /* finished to the exact solution */                              \
	X(ABUT_OUTCOME_RELAXED, "relaxed")           /* solved at the requested kappa */                               \
	X(ABUT_OUTCOME_RAISED_KAPPA, "raised-kappa") /* solved only at a larger kappa: a failure */                    \
	X(ABUT_OUTCOME_FAILED, "failed")             /* not solved; the state is unchanged */

typedef enum AbutOutcome {
#define ABUT_X(constant, name) constant,
	ABUT_OUTCOME_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_OUTCOME_COUNT
} AbutOutcome;

/* The reason why a call was refused. Every function that takes an AbutError * accepts NULL. */
typedef struct AbutError {
	AbutStatus status; /* status of the call */
	char where[256];   /* path inside the input, such as "bodies[1].mass"; may be empty */
	char message[512]; /* the quantity, its value and what is allowed */
	char file[256];    /* input file; may be empty */
	int line, column;  /* from 1; 0 if unknown */
} AbutError;

/* Returns the name of a `status`, such as "invalid argument", or "unknown" outside the enumeration. Static storage. */
ABUT_API const char *abut_status_name(AbutStatus status);
/* Returns the name of an `outcome` in files, such as "exact", or "unknown". Static storage. */
ABUT_API const char *abut_outcome_name(AbutOutcome outcome);

#ifdef __cplusplus
}
#endif

#endif
