/* Writes dumps: files that reproduce a step that was not solved (docs/interface.md, "Dumps"). A dump contains the
 * scene, the state before the step, and how the step ended. */
#pragma once

#include "abut/io.h"
#include "io/run/run.h"

enum { ABUT_DUMPS_MAX = 100 }; /* maximum number of files per run */

typedef struct AbutDumps AbutDumps;

typedef struct AbutDumpsOptions {
	const char *folder;
	bool relaxed; /* also dump steps that were not refined to the exact solution */
	unsigned long long seed;
} AbutDumpsOptions;

/* Creates the folder with its parents. `scene` and `model` must outlive the dumps. Returns ABUT_ERROR_ARGUMENT if the
 * folder cannot be created; then nothing is left behind. */
AbutStatus abut_dumps_open(const AbutDumpsOptions *options, const AbutScene *scene, const AbutModel *model,
                           AbutDumps **out, AbutError *error);
/* Writes a dump of the step if it was not solved as requested, and keeps the state from which the next step starts.
 * Passed to the run as an observer, with the AbutDumps as context. Returns ABUT_ERROR_IO if the file cannot be written.
 */
AbutStatus abut_dumps_observe(void *dumps, const AbutRunView *view, AbutError *error);
/* Returns the number of files written; below, the number of steps left out because of ABUT_DUMPS_MAX. */
long abut_dumps_written(const AbutDumps *dumps);
long abut_dumps_left_out(const AbutDumps *dumps);
/* Frees the dumps. Removes the folder if abut_dumps_open created it and no dump was written. `dumps` may be NULL. */
void abut_dumps_destroy(AbutDumps *dumps);
