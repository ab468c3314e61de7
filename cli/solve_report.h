/* What `abut solve` prints on stdout. */
#ifndef CLI_SOLVE_REPORT_H
#define CLI_SOLVE_REPORT_H

#include "io/dump/read.h"
#include "io/dump/result.h"

typedef struct AbutSolveReport {
	const AbutDump *dump;
	const AbutModel *model;
	const AbutWorkspace *workspace; /* with the contacts of the step */
	bool varied;                    /* asked otherwise than in the dump */
	AbutDumpResult result;
	const AbutIterationLog *log;
} AbutSolveReport;

void abut_print_solve(const AbutSolveReport *report);
void abut_print_solve_json(const AbutSolveReport *report);

#endif
