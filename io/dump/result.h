/* How the step of a dump ended. */
#ifndef IO_DUMP_RESULT_H
#define IO_DUMP_RESULT_H

#include <stdio.h>

#include "io/run/run.h"

/* How a step ended, as a dump stores it. */
typedef struct AbutDumpResult {
	AbutStepInfo info; /* without a log; a number that is not finite is NaN */
	char explanation[ABUT_RUN_TEXT_SIZE];
} AbutDumpResult;

/* X(member): counts and numbers of AbutStepInfo in a dump. */
#define ABUT_DUMP_COUNTS(X)                                                                                            \
	X(halvings)                                                                                                    \
	X(tries)                                                                                                       \
	X(iterations)                                                                                                  \
	X(finish_iterations)                                                                                           \
	X(active_contacts)
#define ABUT_DUMP_NUMBERS(X)                                                                                           \
	X(kappa)                                                                                                       \
	X(residual)                                                                                                    \
	X(complementarity)                                                                                             \
	X(max_penetration)

/* Makes the result of a step from the state `before`. */
AbutDumpResult abut_dump_result_make(const AbutModel *model, const AbutState *before, const AbutStepInfo *info);
/* Writes a JSON object, in a dump and in what `abut solve --json` prints. */
void abut_dump_result_write(FILE *file, const AbutDumpResult *result);
/* Returns whether two steps ended the same, to the bit. */
bool abut_dump_result_same(const AbutDumpResult *a, const AbutDumpResult *b);

#endif
