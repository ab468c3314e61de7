/* A report as result.json. */
#ifndef EXPERIMENTS_REPORT_RESULT_JSON_H
#define EXPERIMENTS_REPORT_RESULT_JSON_H

#include <stdio.h>

#include "experiments/report/report.h"

/* The object of result.json, with a line feed at its end. */
void abut_report_write_json(FILE *file, const AbutReport *report);

#endif
