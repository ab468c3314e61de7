/* Stores how the step of a dump ended. */
#pragma once

#include <stdio.h>

#include "io/run/run.h"

/* The result of a step, as stored in a dump. */
typedef struct AbutDumpResult {
	AbutStepInfo info; /* has no log; a number that is not finite is NaN */
	char explanation[ABUT_RUN_TEXT_SIZE];
} AbutDumpResult;

/* X(member): the counts and numbers of AbutStepInfo that a dump stores. */
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

/* Makes the result of a step that started from the state `before`. */
AbutDumpResult abut_dump_result_make(const AbutModel *model, const AbutState *before, const AbutStepInfo *info);
/* Writes the result as a JSON object, for dumps and for `abut solve --json`. */
void abut_dump_result_write(FILE *file, const AbutDumpResult *result);
/* Returns whether two results are equal bit by bit. */
bool abut_dump_result_same(const AbutDumpResult *a, const AbutDumpResult *b);
