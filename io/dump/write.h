/* Dumps: steps that were not solved, each kept as a file that reproduces it (docs/interface.md, "Dumps"): the scene,
 * the state before the step, and how the step ended. */
#ifndef IO_DUMP_WRITE_H
#define IO_DUMP_WRITE_H

#include "abut/io.h"
#include "io/run/run.h"

enum { ABUT_DUMPS_MAX = 100 }; /* files of a run */

typedef struct AbutDumps AbutDumps;

typedef struct AbutDumpsOptions {
	const char *folder;
	bool relaxed; /* also steps that were not finished to the exact solution */
	unsigned long long seed;
} AbutDumpsOptions;

/* Makes the folder, with its parents. `scene` and `model` must outlive the dumps. ABUT_ERROR_ARGUMENT when it cannot be
 * made there; nothing is left behind then. */
AbutStatus abut_dumps_open(const AbutDumpsOptions *options, const AbutScene *scene, const AbutModel *model,
                           AbutDumps **out, AbutError *error);
/* An observer of the run (its context is the AbutDumps): keeps the state that the next step starts from, and writes the
 * step that ended when it was not solved as asked. ABUT_ERROR_IO when the file cannot be written. */
AbutStatus abut_dumps_observe(void *dumps, const AbutRunView *view, AbutError *error);
/* Returns the number of files written, and of steps beyond ABUT_DUMPS_MAX that were not written. */
long abut_dumps_written(const AbutDumps *dumps);
long abut_dumps_left_out(const AbutDumps *dumps);
/* Also removes the folder if the dumps made it and wrote nothing into it. NULL is fine. */
void abut_dumps_destroy(AbutDumps *dumps);

#endif
