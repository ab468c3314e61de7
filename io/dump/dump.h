/* A step that was not solved, kept as a file that reproduces it: the scene, the state before the step, and how the step
 * ended (docs/interface.md, "Dumps"). */
#ifndef IO_DUMP_DUMP_H
#define IO_DUMP_DUMP_H

#include <stdio.h>

#include "abut/io.h"
#include "io/run/run.h"

/* How a step ended, as a dump tells it. */
typedef struct AbutDumpResult {
	AbutStepInfo info; /* without a log; a number that is not finite is NaN */
	char explanation[ABUT_RUN_TEXT_SIZE];
} AbutDumpResult;

/* Of a step from the state `before`. */
AbutDumpResult abut_dump_result_make(const AbutModel *model, const AbutState *before, const AbutStepInfo *info);
/* As a JSON object, in a dump and in what `abut solve --json` prints. */
void abut_dump_result_write(FILE *file, const AbutDumpResult *result);
/* Whether two ended the same, to the bit. */
bool abut_dump_result_same(const AbutDumpResult *a, const AbutDumpResult *b);

/* --- writing (io/dump/write.c) --- */

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
/* Files written, and steps past ABUT_DUMPS_MAX that were not. */
long abut_dumps_written(const AbutDumps *dumps);
long abut_dumps_left_out(const AbutDumps *dumps);
/* The folder goes again when nothing was written into it and we made it. NULL is fine. */
void abut_dumps_destroy(AbutDumps *dumps);

/* --- reading (io/dump/read.c) --- */

typedef struct AbutDump AbutDump;

/* Reads a dump; the overrides are applied to its scene after its own. As abut_scene_load. */
AbutStatus abut_dump_load(const char *path, int n_overrides, const char *const *overrides, AbutDump **out,
                          AbutError *error);
void abut_dump_destroy(AbutDump *dump); /* NULL is fine */

const AbutScene *abut_dump_scene(const AbutDump *dump);
const char *abut_dump_name(const AbutDump *dump);    /* of the scene that ran */
long abut_dump_step(const AbutDump *dump);           /* from 1 */
double abut_dump_time(const AbutDump *dump);         /* s, before the step */
const char *abut_dump_version(const AbutDump *dump); /* of the library that wrote it */
unsigned long long abut_dump_seed(const AbutDump *dump);
const AbutDumpResult *abut_dump_result(const AbutDump *dump);
/* The state before the step, into one of a model of the scene; `cold`: without what the step started from, so that the
 * model may have other masses, shapes or contacts. On an error the state is as it was. */
AbutStatus abut_dump_restore(const AbutDump *dump, const AbutModel *model, AbutState *state, bool cold,
                             AbutError *error);

#endif
