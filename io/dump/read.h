/* Reads the dump of a step (io/dump/write.h). */
#pragma once

#include "abut/io.h"
#include "io/dump/result.h"
#include "io/json/source.h"

typedef struct AbutDump {
	AbutSource source;
	AbutJson *root;
	AbutScene *scene;
	int step;                   /* counted from 1 */
	const char *version, *name; /* of the library that wrote the dump, and of the scene; strings in `root` */
	double time;                /* s, before the step */
	unsigned long long seed;
	AbutDumpResult result;
	size_t n;
	double *state; /* (n); see abut_state_restore */
} AbutDump;

/* Reads a dump. The given overrides are applied to its scene after the dump's own. Errors are those of abut_scene_load.
 */
AbutStatus abut_dump_load(const char *path, int n_overrides, const char *const *overrides, AbutDump **out,
                          AbutError *error);
void abut_dump_destroy(AbutDump *dump); /* `dump` may be NULL */

/* Restores the state before the step into `state`, which must belong to a model of the scene. With `cold`, the warm
 * start of the step is not restored, so the model may have other masses, shapes or contacts. On an error `state` is
 * unchanged. */
AbutStatus abut_dump_restore(const AbutDump *dump, const AbutModel *model, AbutState *state, bool cold,
                             AbutError *error);
