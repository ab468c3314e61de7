/* Shows the progress of a long call in a line on stderr that is overwritten. */
#include "cli/common/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

AbutProgress abut_progress_begin(void)
{
	const double now = abut_now_us();
	return (AbutProgress){.wanted = isatty(STDERR_FILENO), .begun_us = now, .last_us = now};
}

void abut_progress_line(AbutProgress *progress, const char *format, ...)
{
	va_list arguments;
	if (progress->wanted) {
		va_start(arguments, format);
		fputs("\r\033[K", stderr);
		vfprintf(stderr, format, arguments);
		va_end(arguments);
		progress->shown = true;
	}
}

bool abut_progress_due(AbutProgress *progress)
{
	const double now = progress->wanted ? abut_now_us() : 0.0;
	const bool due = progress->wanted && now - progress->last_us >= 2e5;
	progress->last_us = due ? now : progress->last_us;
	return due;
}

void abut_progress_show(AbutProgress *progress, long done, long all, const char *units)
{
	if (abut_progress_due(progress)) {
		abut_progress_line(progress, "%ld of %ld %s (%.0f %%)", done, all, units,
		                   100.0 * (double)done / (double)all);
	}
}

void abut_progress_end(const AbutProgress *progress)
{
	if (progress->shown) {
		fputs("\r\033[K", stderr);
	}
}
