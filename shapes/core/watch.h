/* Reports the progress of long computations, and lets them be stopped. */
#pragma once

#include <stddef.h>

#include "abut/mesh.h"
#include "base/error.h"

typedef struct AbutWatch {
	AbutMeshProgress *progress; /* NULL: none */
	void *context;
} AbutWatch;

/* Reports progress. Returns false if the computation must stop. `w` may be NULL. */
static inline bool abut_watch_goes_on(const AbutWatch *w, const char *stage, double part)
{
	return !w || !w->progress || w->progress(w->context, stage, part);
}

/* Reports progress. Returns ABUT_ERROR_STOPPED if the computation must stop. */
static inline AbutStatus abut_watch_check(const AbutWatch *w, const char *stage, double part, AbutError *error)
{
	return abut_watch_goes_on(w, stage, part)
	           ? ABUT_OK
	           : abut_error_set(error, ABUT_ERROR_STOPPED, NULL, "stopped while %s", stage);
}

/* Mask for the index of loops over triangles or points, which report progress when it leaves 0: every few hundredths of
 * a second. */
#define ABUT_WATCH_EVERY 0x3ffff
