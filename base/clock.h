/* Measures time in microseconds. */
#pragma once

#include <time.h>

static inline double abut_clock_us(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* Returns the time since a fixed moment. This clock is never set back. */
static inline double abut_now_us(void)
{
	return abut_clock_us(CLOCK_MONOTONIC);
}

/* Returns the processor time that this thread has used. */
static inline double abut_thread_us(void)
{
	return abut_clock_us(CLOCK_THREAD_CPUTIME_ID);
}
