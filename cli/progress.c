/* A line on a terminal that is written over. */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

AbutProgress abut_progress_begin(const char *unit)
{
	return (AbutProgress){.unit = unit, .wanted = isatty(STDERR_FILENO), .last = clock()};
}

void abut_progress_show(AbutProgress *progress, long done, long all)
{
	const clock_t now = clock();
	if (progress->wanted && now - progress->last >= CLOCKS_PER_SEC / 5) {
		fprintf(stderr, "\r%ld of %ld %s (%.0f %%)", done, all, progress->unit,
		        100.0 * (double)done / (double)all);
		progress->last = now;
		progress->shown = true;
	}
}

void abut_progress_end(const AbutProgress *progress)
{
	if (progress->shown) {
		fputs("\r\033[K", stderr);
	}
}
