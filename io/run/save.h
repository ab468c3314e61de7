/* Writing the snapshots of a run into the folder `snapshots` of its own: step_N.abut, a state (abut/snapshot.h), and
 * step_N.json, what the run had counted and written by then. The second is written last: if it exists, so does the
 * first.
 */
#ifndef IO_RUN_SAVE_H
#define IO_RUN_SAVE_H

#include "io/run/output.h"

typedef struct AbutSaver AbutSaver;

/* Snapshots at the start and after every `every` steps (0: at the end alone) of a run that writes `output`, from the
 * step `from` on that the folder has a snapshot of. Snapshots of later steps are removed: the run was killed after
 * them. From -1, the start, all are removed: they belong to another run. */
AbutStatus abut_saver_open(const char *folder, long every, long from, AbutOutput *output, AbutSaver **out,
                           AbutError *error);
/* An observer of the run, after that of the output. */
AbutStatus abut_saver_observe(void *saver, const AbutRunView *view, AbutError *error);
/* Saves the last state, unless it is saved or the run ended in a step that was not solved. */
AbutStatus abut_saver_end(AbutSaver *saver, const AbutRunReport *report, AbutError *error);
void abut_saver_destroy(AbutSaver *saver); /* NULL is fine */

#endif
