/* Handles SIGINT, SIGTERM and SIGHUP: the first signal ends the work at the next safe point, a second one ends the
 * process. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* Catches these signals from now on, except those that are ignored (as with nohup). Returns the address of the number
 * of the received signal; the number is 0 until then. */
const volatile sig_atomic_t *abut_interrupt_catch(void);
bool abut_interrupted(void);
/* If a signal was received, ends the process by that signal, so that the caller sees it. Signals are no longer caught:
 * a later one ends the process at once. */
void abut_interrupt_obey(void);
