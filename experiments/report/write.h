/* A report as files in a folder:
 *
 *     NAME.csv, NAME.json   each table
 *     NAME.gp               each figure's script, which draws it again: gnuplot NAME.gp
 *     NAME.svg, NAME.png    drawn, where gnuplot is installed
 *     result.json           settings, targets and the page's tables
 *     report.html           the page: one file, nothing loaded from elsewhere */
#pragma once

#include "experiments/report/report.h"

/* Writes the files. `scripts` is the folder with NAME.gp of the figures, `style` the one with style.gp and page.css;
 * `out` exists. `*undrawn`: figures are missing because gnuplot is not installed. A figure that gnuplot cannot draw has
 * a `problem`. ABUT_ERROR_IO when something cannot be written. */
AbutStatus abut_report_write(AbutReport *report, const char *scripts, const char *style, const char *out, bool *undrawn,
                             AbutError *error);
