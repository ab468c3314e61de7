/* gnuplot as a child process. */
#ifndef EXPERIMENTS_REPORT_GNUPLOT_H
#define EXPERIMENTS_REPORT_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "abut/status.h"

/* The ending of what is drawn, and gnuplot's name of the terminal that draws it is up to the script. */
#define ABUT_GNUPLOT_SVG "svg"
#define ABUT_GNUPLOT_PNG "png"

/* Runs `NAME.gp` inside the folder with the variable `format` set, which is to make `NAME.FORMAT` there. ABUT_OK with
 * `*missing` set when there is no gnuplot to run; ABUT_ERROR_IO, with what gnuplot said, when the script fails. */
AbutStatus abut_gnuplot_draw(const char *folder, const char *name, const char *format, bool *missing, AbutError *error);

#endif
