/* Writes a report as one HTML page. */
#pragma once

#include <stdio.h>

#include "experiments/report/report.h"

/* Writes the page. Reads drawn figures from `out` and includes them. Write errors stay in the FILE. */
AbutStatus abut_report_write_page(FILE *file, const AbutReport *report, const char *style, const char *out,
                                  AbutError *error);
