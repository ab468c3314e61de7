/* Writes the replay page of a run: one self-contained HTML file (docs/interface.md). */
#pragma once

#include <stddef.h>

#include "io/run/read.h"

/* Size limit: a larger page shows only every second, third, ... state, unless `every` is given. */
#define ABUT_VIEW_MOST_BYTES ((size_t)20 * 1000 * 1000)

enum { ABUT_VIEW_MOST_RUNS = 2 };

typedef struct AbutViewOptions {
	const char *bundle;     /* path of the page without runs, made by scripts/view.sh */
	const char *out;        /* path of the page; it is complete or not written at all */
	int n_runs;             /* 1 or 2, side by side */
	const char *folders[2]; /* of the runs */
	long every;             /* show every `every`-th state; 0: as many states as fit */
} AbutViewOptions;

/* Describes the page that was written. */
typedef struct AbutViewReport {
	size_t bytes;   /* size of the page */
	long every;     /* every `every`-th state is shown */
	long frames[2]; /* number of states shown, for each run */
} AbutViewReport;

/* Reads the runs and writes the page. Returns ABUT_ERROR_IO or ABUT_ERROR_PARSE if a run's folder or the bundle cannot
 * be read; `error` gives the file. Otherwise returns the status of the output file (io/text/file_text.h). `report`
 * may be NULL. */
AbutStatus abut_view_write(const AbutViewOptions *options, AbutViewReport *report, AbutError *error);
