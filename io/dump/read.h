/* Reads the dump of a step (io/dump/write.h). */
#pragma once

#include "abut/io.h"
#include "io/dump/result.h"

typedef struct AbutDump AbutDump;

/* Reads a dump. The given overrides are applied to its scene after the dump's own. Errors are those of abut_scene_load.
 */
AbutStatus abut_dump_load(const char *path, int n_overrides, const char *const *overrides, AbutDump **out,
                          AbutError *error);
void abut_dump_destroy(AbutDump *dump); /* `dump` may be NULL */

const AbutScene *abut_dump_scene(const AbutDump *dump);
const char *abut_dump_name(const AbutDump *dump);    /* name of the scene */
long abut_dump_step(const AbutDump *dump);           /* counted from 1 */
double abut_dump_time(const AbutDump *dump);         /* s, before the step */
const char *abut_dump_version(const AbutDump *dump); /* version of the library that wrote the dump */
unsigned long long abut_dump_seed(const AbutDump *dump);
const AbutDumpResult *abut_dump_result(const AbutDump *dump);
/* Restores the state before the step into `state`, which must belong to a model of the scene. With `cold`, the warm
 * start of the step is not restored, so the model may have other masses, shapes or contacts. On an error `state` is
 * unchanged. */
AbutStatus abut_dump_restore(const AbutDump *dump, const AbutModel *model, AbutState *state, bool cold,
                             AbutError *error);
