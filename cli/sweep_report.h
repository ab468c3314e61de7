/* What `abut sweep` prints of a folder that holds a sweep. */
#ifndef CLI_SWEEP_REPORT_H
#define CLI_SWEEP_REPORT_H

#include <stdbool.h>

/* A table, a line for each scene and method, or with `json` the object of sweep.json. The exit status. */
int abut_report_sweep(const char *folder, bool json);

#endif
