/* Writes tables as CSV and JSON, and a report as result.json. Write errors stay in the FILE. */
#pragma once

#include <stdio.h>

#include "experiments/report/report.h"
#include "experiments/report/table.h"

/* Write CSV as in docs/interface.md (17 digits, RFC 4180), or a JSON object. */
void abut_table_write_csv(FILE *file, const AbutTable *table);
void abut_table_write_json(FILE *file, const AbutTable *table);

/* Writes the object of result.json, with a line feed at its end. */
void abut_report_write_json(FILE *file, const AbutReport *report);
