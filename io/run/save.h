/* Writes snapshots of a run into its subfolder `snapshots`. step_N.abut is a state (abut/snapshot.h); step_N.json
 * contains the summary and the table sizes at that step. step_N.json is written last: if it exists, so does
 * step_N.abut. */
#pragma once

#include "io/run/output.h"

typedef struct AbutSaver AbutSaver;

/* Prepares snapshots at the start and after every `every` steps (0: only at the end) of a run that writes `output`.
 * `from` is the step of the snapshot from which the run is resumed, or -1 for a new run. Snapshots of later steps are
 * removed: they are left over from a killed run or from another one. */
AbutStatus abut_saver_open(const char *folder, long every, long from, AbutOutput *output, AbutSaver **out,
                           AbutError *error);
/* Writes a snapshot if one is due. Passed to the run as an observer, after that of the output. */
AbutStatus abut_saver_observe(void *saver, const AbutRunView *view, AbutError *error);
/* Saves the last state, unless it is already saved or the last step was not solved. */
AbutStatus abut_saver_end(AbutSaver *saver, const AbutRunReport *report, AbutError *error);
void abut_saver_destroy(AbutSaver *saver); /* `saver` may be NULL */
