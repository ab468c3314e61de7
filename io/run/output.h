/* Writes the files of a run (docs/interface.md): trajectory.csv, contacts.csv, steps.csv, joints.csv and sensors.csv
 * (if the scene has joints and sensors), summary.json and scene.json in one folder, and the iteration log at any path.
 * By default, files have temporary names and are renamed together at the end, so that a failed run leaves nothing
 * behind. In a live output, the tables have their final names from the initial state on. They always end with a
 * complete step, so that a killed run keeps its results. */
#pragma once

#include "abut/scene.h"
#include "io/run/output_summary.h"

typedef struct AbutOutput AbutOutput;

/* Creates the folder with its parents and opens the files. `folder` and `log` (the path of a file) may be NULL. Returns
 * ABUT_ERROR_ARGUMENT if a file cannot be created there, for example because a folder has its name, and ABUT_ERROR_IO
 * if the system fails. In both cases nothing is left behind. */
AbutStatus abut_output_open(const char *folder, const char *log, AbutOutput **out, AbutError *error);
enum { ABUT_OUTPUT_TABLES = 5 };
/* The tables of a run, in this order: trajectory.csv, contacts.csv, steps.csv, joints.csv, sensors.csv. */
extern const char *const abut_output_tables[ABUT_OUTPUT_TABLES];
/* Returns whether a run of the model has a table: without joints no joints.csv, without sensors no sensors.csv. */
bool abut_output_has_table(const AbutModel *model, int table);
/* Makes an output with a folder live; call it before the run. After the initial state is written, the old summary is
 * removed and scene.json (from `def`) and the tables get their names. May fail with ABUT_ERROR_MEMORY. */
AbutStatus abut_output_go_live(AbutOutput *output, const AbutSceneDef *def, AbutError *error);
/* Opens a live output that continues the tables of `folder`, truncated to `sizes` bytes. The first state that the run
 * reports is not written again. Returns ABUT_ERROR_ARGUMENT if a table is missing or shorter. */
AbutStatus abut_output_continue(const char *folder, const char *log, const long sizes[ABUT_OUTPUT_TABLES],
                                const AbutSceneDef *def, AbutOutput **out, AbutError *error);
/* Writes the buffered rows to the disk and sets `sizes` to the file sizes in bytes: a snapshot needs the rows before
 * it. */
AbutStatus abut_output_sync(AbutOutput *output, long sizes[ABUT_OUTPUT_TABLES], AbutError *error);

/* Appends the rows of a step. Passed to the run as an observer, with the AbutOutput as context; set `wants_log` if
 * there is a log. */
AbutStatus abut_output_observe(void *output, const AbutRunView *view, AbutError *error);
/* Writes the summary and gives the files their names. `report` may be NULL if there is no folder. Returns ABUT_ERROR_IO
 * if a file could not be written, and ABUT_ERROR_ARGUMENT if a folder now has the name of a file. */
AbutStatus abut_output_commit(AbutOutput *output, const AbutRunReport *report, AbutError *error);
/* Removes all uncommitted files except the tables of a live output, which are cut after a complete step. `output` may
 * be NULL. */
void abut_output_destroy(AbutOutput *output);
