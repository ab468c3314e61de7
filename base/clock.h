/* Time for measurements: microseconds since some fixed moment, never set back. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

static inline double abut_now_us(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

#endif
