/* The table that `abut run` prints on stdout. */
#ifndef CLI_RUN_TABLE_H
#define CLI_RUN_TABLE_H

#include "io/run/output.h"

void abut_print_run(const AbutRunReport *report);

#endif
