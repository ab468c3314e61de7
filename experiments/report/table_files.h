/* Tables as CSV and JSON. */
#ifndef EXPERIMENTS_REPORT_TABLE_FILES_H
#define EXPERIMENTS_REPORT_TABLE_FILES_H

#include "experiments/report/table.h"

/* CSV as in docs/interface.md (17 digits, RFC 4180), and a JSON object. Errors stay in the FILE. */
void abut_table_write_csv(FILE *file, const AbutTable *table);
void abut_table_write_json(FILE *file, const AbutTable *table);

#endif
