/* Handles SIGINT, SIGTERM and SIGHUP, which end a run after its step. Tested in tests/cli/run/resume.c. */
#include "cli/common/interrupt.h"

#include <stddef.h>

/* The signal received; 0: none. */
static volatile sig_atomic_t interrupted;

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

static void on_interrupt(int signal_number)
{
	interrupted = signal_number;
}

const volatile sig_atomic_t *abut_interrupt_catch(void)
{
	const struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
	for (int i = 0; i < SIGNALS; i++) {
		struct sigaction present;
		if (sigaction(signals[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN) {
			sigaction(signals[i], &action, NULL);
		}
	}
	return &interrupted;
}

bool abut_interrupted(void)
{
	return interrupted != 0;
}

void abut_interrupt_obey(void)
{
	for (int i = 0; i < SIGNALS; i++) {
		struct sigaction present;
		if (sigaction(signals[i], NULL, &present) == 0 && present.sa_handler == on_interrupt) {
			signal(signals[i], SIG_DFL);
		}
	}
	if (interrupted != 0) {
		raise(interrupted);
	}
}
