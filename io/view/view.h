/* The replay page of a run: one HTML file that needs nothing else (docs/interface.md). */
#ifndef IO_VIEW_VIEW_H
#define IO_VIEW_VIEW_H

#include <stddef.h>

#include "io/run/read.h"

/* A page that would be larger shows only every second, third, ... state, unless `every` is given. */
#define ABUT_VIEW_MOST_BYTES ((size_t)20 * 1000 * 1000)

enum { ABUT_VIEW_MOST_RUNS = 2 };

typedef struct AbutViewOptions {
	const char *bundle;     /* the page without a run: what scripts/view.sh makes */
	const char *out;        /* the page's file, written whole or not at all */
	int n_runs;             /* 1 or 2, side by side */
	const char *folders[2]; /* of the runs */
	long every;             /* show every so many states; 0: as many states as fit */
} AbutViewOptions;

/* What was written. */
typedef struct AbutViewReport {
	size_t bytes;   /* of the page */
	long every;     /* as above; 1: all states are shown */
	long frames[2]; /* states shown, of each run */
} AbutViewReport;

/* Reads the runs and writes the page. ABUT_ERROR_IO or ABUT_ERROR_PARSE: a run's folder or the bundle cannot be read
 * (`error` has the file); otherwise the status of the output file (io/text/path_status.h). `report` may be NULL. */
AbutStatus abut_view_write(const AbutViewOptions *options, AbutViewReport *report, AbutError *error);

#endif
