/* Asks during a long call whether its caller wants it to end. */
#include "base/stop.h"

#include <stddef.h>

#include "base/clock.h"

/* Time between two questions, us: a short step asks nothing, and a person does not notice the delay. */
static const double between_us = 2e4;

/* Returns the time, us, to a few milliseconds where the system has a clock that is faster to read. */
static double coarse_now_us(void)
{
#ifdef CLOCK_MONOTONIC_COARSE
	return abut_clock_us(CLOCK_MONOTONIC_COARSE);
#else
	return abut_now_us();
#endif
}

void abut_stopper_begin(AbutStopper *stopper)
{
	stopper->asker = pthread_self();
	atomic_store_explicit(&stopper->stopped, false, memory_order_relaxed);
}

bool abut_stopped(AbutStopper *stopper)
{
	if (!stopper || !stopper->stop.wanted) {
		return false;
	}
	if (!atomic_load_explicit(&stopper->stopped, memory_order_relaxed) &&
	    pthread_equal(stopper->asker, pthread_self())) {
		const double now = coarse_now_us();
		if (now >= stopper->next_us) {
			stopper->next_us = now + between_us;
			if (stopper->stop.wanted(stopper->stop.context)) {
				atomic_store_explicit(&stopper->stopped, true, memory_order_relaxed);
			}
		}
	}
	return atomic_load_explicit(&stopper->stopped, memory_order_relaxed);
}
