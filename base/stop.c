/* Asks during a long call whether its caller wants it to end. A look at the clock takes as long as a good part of a
 * short step, so that quick loops look only after some work. */
#include "base/stop.h"

#include <stddef.h>

#include "base/clock.h"

/* Time between two questions, us: a person does not notice the delay. */
static const double between_us = 2e4;

/* Work between two looks at the clock, in unknowns: less than a millisecond. */
enum { between_work = 2048 };

void abut_stopper_set(AbutStopper *stopper, const AbutStop *stop)
{
	stopper->stop = stop ? *stop : (AbutStop){NULL, NULL};
	stopper->next_us = 0.0;
	stopper->work = between_work;
}

void abut_stopper_begin(AbutStopper *stopper)
{
	stopper->asker = pthread_self();
	atomic_store_explicit(&stopper->stopped, false, memory_order_relaxed);
}

static void look(AbutStopper *stopper)
{
	const double now = abut_now_us();
	stopper->work = 0;
	if (now >= stopper->next_us) {
		stopper->next_us = now + between_us;
		if (stopper->stop.wanted(stopper->stop.context)) {
			atomic_store_explicit(&stopper->stopped, true, memory_order_relaxed);
		}
	}
}

bool abut_stopped_after(AbutStopper *stopper, int work)
{
	if (!stopper || !stopper->stop.wanted) {
		return false;
	}
	if (!abut_stop_told(stopper) && pthread_equal(stopper->asker, pthread_self())) {
		stopper->work += work < between_work ? work : between_work;
		if (stopper->work >= between_work) {
			look(stopper);
		}
	}
	return abut_stop_told(stopper);
}

bool abut_stopped(AbutStopper *stopper)
{
	return abut_stopped_after(stopper, between_work);
}
