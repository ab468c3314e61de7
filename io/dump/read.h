/* Reading a dump of a step (io/dump/write.h). */
#ifndef IO_DUMP_READ_H
#define IO_DUMP_READ_H

#include "abut/io.h"
#include "io/dump/result.h"

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
