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

#endif
