/* Writes a report as files in a folder:
 *
 *     NAME.csv, NAME.json   each table
 *     NAME.gp               each figure's script, which draws it again: gnuplot NAME.gp
 *     NAME.svg, NAME.png    each figure, if gnuplot is installed
 *     result.json           settings, targets and the page's tables
 *     report.html           the page: one file, which loads nothing from elsewhere */
#pragma once

#include "experiments/report/report.h"

/* Writes the files to the folder `out`, which must exist. `scripts` is the folder with NAME.gp of the figures, `style`
 * the one with style.gp and page.css. `*undrawn` becomes true if figures are missing because gnuplot is not installed.
 * A figure that gnuplot cannot draw gets a `problem`. Returns ABUT_ERROR_IO if something cannot be written. */
AbutStatus abut_report_write(AbutReport *report, const char *scripts, const char *style, const char *out, bool *undrawn,
                             AbutError *error);
