/* A report as one HTML page. */
#ifndef EXPERIMENTS_REPORT_PAGE_H
#define EXPERIMENTS_REPORT_PAGE_H

#include <stdio.h>

#include "experiments/report/report.h"

/* The page; figures that are drawn are read from `out` and put into it. Errors of writing stay in the FILE. */
AbutStatus abut_report_write_page(FILE *file, const AbutReport *report, const char *style, const char *out,
                                  AbutError *error);

#endif
