/* Shows the progress of a long call in a line on stderr that is overwritten. */
#pragma once

#include <stdbool.h>

typedef struct AbutProgress {
	bool wanted; /* stderr is a terminal */
	bool shown;
	double begun_us, last_us;
} AbutProgress;

AbutProgress abut_progress_begin(void);
/* Writes the line, unless it is not wanted. */
__attribute__((format(printf, 2, 3))) void abut_progress_line(AbutProgress *progress, const char *format, ...);
/* Returns whether the line is wanted and the last one is at least 0.2 s old. */
bool abut_progress_due(AbutProgress *progress);
/* Writes how many of `all` units are done, at most five times a second. */
void abut_progress_show(AbutProgress *progress, long done, long all, const char *units);
/* Clears the line. */
void abut_progress_end(const AbutProgress *progress);
