/* A report as files in a folder:
 *
 *     NAME.csv, NAME.json   each table
 *     NAME.gp               each figure's script, which draws it again: gnuplot NAME.gp
 *     NAME.svg, NAME.png    drawn, where gnuplot is installed
 *     result.json           settings, targets and the page's tables
 *     report.html           the page: one file, nothing loaded from elsewhere */
#ifndef EXPERIMENTS_REPORT_WRITE_H
#define EXPERIMENTS_REPORT_WRITE_H

#include "experiments/report/report.h"

/* `scripts` is the folder with the figures' NAME.gp, `style` the one with style.gp and page.css; `out` exists.
 * `*undrawn` tells whether figures are missing because gnuplot is; one that it cannot draw has a `problem`.
 * ABUT_ERROR_IO when something cannot be written. */
AbutStatus abut_report_write(AbutReport *report, const char *scripts, const char *style, const char *out, bool *undrawn,
                             AbutError *error);

/* The object of result.json, with a line feed at its end. */
void abut_report_write_json(FILE *file, const AbutReport *report);

/* The page; figures that are drawn are read from `out` and put into it. Errors of writing stay in the FILE. */
AbutStatus abut_report_write_page(FILE *file, const AbutReport *report, const char *style, const char *out,
                                  AbutError *error);

#endif
