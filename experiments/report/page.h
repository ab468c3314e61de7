/* Writing a report as one HTML page. */
#pragma once

#include <stdio.h>

#include "experiments/report/report.h"

/* Writes the page; drawn figures are read from `out` and included. Errors of writing stay in the FILE. */
AbutStatus abut_report_write_page(FILE *file, const AbutReport *report, const char *style, const char *out,
                                  AbutError *error);
