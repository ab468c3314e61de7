/* How the step of a dump ended. */
#ifndef IO_DUMP_RESULT_H
#define IO_DUMP_RESULT_H

#include <stdio.h>

#include "io/run/run.h"

/* How a step ended, as a dump tells it. */
typedef struct AbutDumpResult {
	AbutStepInfo info; /* without a log; a number that is not finite is NaN */
	char explanation[ABUT_RUN_TEXT_SIZE];
} AbutDumpResult;

/* Of a step from the state `before`. */
AbutDumpResult abut_dump_result_make(const AbutModel *model, const AbutState *before, const AbutStepInfo *info);
/* As a JSON object, in a dump and in what `abut solve --json` prints. */
void abut_dump_result_write(FILE *file, const AbutDumpResult *result);
/* Whether two ended the same, to the bit. */
bool abut_dump_result_same(const AbutDumpResult *a, const AbutDumpResult *b);

#endif
