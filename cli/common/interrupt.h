/* SIGINT, SIGTERM and SIGHUP: the first ends the work at the next safe point, a second one the process. */
#ifndef CLI_COMMON_INTERRUPT_H
#define CLI_COMMON_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Catches these signals from now on, unless they are ignored (as by nohup). Returns the address of the signal that
 * came, 0 until then. */
const volatile sig_atomic_t *abut_interrupt_catch(void);
bool abut_interrupted(void);
/* If a signal came, ends the process by it, so that the caller sees the signal. */
void abut_interrupt_obey(void);

#endif
