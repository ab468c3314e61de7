/* The files that a run writes (docs/interface.md): trajectory.csv, contacts.csv, steps.csv, summary.json and scene.json
 * in one folder, and the log of the iterations wherever it is wanted. The files grow under temporary names and get
 * their own names together at the end, so that a run that could not be written leaves nothing behind; or, live, the
 * tables have their names from the initial state on and are whole up to a step at any moment, so that a run that is
 * killed leaves what it has done. */
#ifndef IO_RUN_OUTPUT_H
#define IO_RUN_OUTPUT_H

#include "abut/scene.h"
#include "io/run/output_summary.h"

typedef struct AbutOutput AbutOutput;

/* Makes the folder, with its parents, and starts the files; either of `folder` and `log`, the path of a file, may be
 * NULL. ABUT_ERROR_ARGUMENT: a file cannot be made there, because a folder has its name, say. ABUT_ERROR_IO: the
 * machine fails. In both cases nothing is left behind. */
AbutStatus abut_output_open(const char *folder, const char *log, AbutOutput **out, AbutError *error);
enum { ABUT_OUTPUT_TABLES = 3 };
/* The tables of a run, in this order: trajectory.csv, contacts.csv, steps.csv. */
extern const char *const abut_output_tables[ABUT_OUTPUT_TABLES];
/* Makes an output with a folder live, before its run: the old summary goes, and scene.json (of `def`) and the tables
 * take their names when the initial state has been written. ABUT_ERROR_MEMORY. */
AbutStatus abut_output_go_live(AbutOutput *output, const AbutSceneDef *def, AbutError *error);
/* Opens a live output that continues the tables of `folder`, truncated to `sizes` bytes; the run's first view is not
 * written again. ABUT_ERROR_ARGUMENT: a table is missing or shorter. */
AbutStatus abut_output_continue(const char *folder, const char *log, const long sizes[ABUT_OUTPUT_TABLES],
                                const AbutSceneDef *def, AbutOutput **out, AbutError *error);
/* Writes the rows so far to the files, and gets the sizes of the files. */
AbutStatus abut_output_flush(AbutOutput *output, long sizes[ABUT_OUTPUT_TABLES], AbutError *error);

/* An observer of the run (its context is the AbutOutput, and it wants the log when there is one): appends the rows of a
 * step. */
AbutStatus abut_output_observe(void *output, const AbutRunView *view, AbutError *error);
/* Writes the summary and gives the files their names; without a folder, `report` may be NULL. ABUT_ERROR_IO when
 * something could not be written, ABUT_ERROR_ARGUMENT when a folder now has the name of a file. */
AbutStatus abut_output_commit(AbutOutput *output, const AbutRunReport *report, AbutError *error);
/* Removes what was not committed, but for the tables of a live output, which end with a whole step. NULL is fine. */
void abut_output_destroy(AbutOutput *output);

#endif
