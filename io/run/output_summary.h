/* summary.json of a run. */
#ifndef IO_RUN_OUTPUT_SUMMARY_H
#define IO_RUN_OUTPUT_SUMMARY_H

#include <stdio.h>

#include "abut/scene.h"
#include "io/run/run.h"

/* What summary.json is written from. */
typedef struct AbutRunReport {
	const AbutSceneDef *def;
	const AbutModel *model;
	const AbutState *state; /* the last */
	const AbutRunSummary *summary;
	unsigned long long seed;
} AbutRunReport;

/* Writes the object of summary.json, with a line feed at its end. */
void abut_output_write_summary(FILE *file, const AbutRunReport *report);

#endif
