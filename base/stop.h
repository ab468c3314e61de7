/* Asks during a long call whether its caller wants it to end (abut/stop.h). */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "abut/stop.h"

/* A call that may be stopped. Its threads share it; only the thread that began the call asks the caller. */
typedef struct AbutStopper {
	AbutStop stop;
	pthread_t asker;
	double next_us; /* time from which the caller may be asked again */
	int work;       /* since the last look at the clock, see abut_stopped_after */
	atomic_bool stopped;
} AbutStopper;

/* Sets whom to ask; NULL: nobody. The next call asks at once. */
void abut_stopper_set(AbutStopper *stopper, const AbutStop *stop);
/* Begins a call on this thread. What an earlier call was told is forgotten. */
void abut_stopper_begin(AbutStopper *stopper);
/* Returns whether the call must end. Once true, it stays true until the next call begins. `stopper` may be NULL. */
bool abut_stopped(AbutStopper *stopper);
/* Does the same in a quick loop, after a round that took some time for each of `work` unknowns. */
bool abut_stopped_after(AbutStopper *stopper, int work);
/* Returns whether the call must end, as far as the caller was asked. `stopper` may be NULL. */
static inline bool abut_stop_told(const AbutStopper *stopper)
{
	return stopper && atomic_load_explicit(&stopper->stopped, memory_order_relaxed);
}
