/* How far a long call is, on stderr when that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <time.h>

typedef struct AbutProgress {
	const char *unit; /* what is counted, plural */
	bool wanted, shown;
	clock_t last;
} AbutProgress;

/* `unit` must outlive it; nothing is ever shown where stderr is no terminal. */
AbutProgress abut_progress_begin(const char *unit);
/* Writes the line anew, a few times a second at most. */
void abut_progress_show(AbutProgress *progress, long done, long all);
/* Clears the line. */
void abut_progress_end(const AbutProgress *progress);

#endif
