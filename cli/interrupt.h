/* SIGINT, SIGTERM and SIGHUP: the first ends the work where it can, a second one the process. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Catches from now on those that are not ignored, as nohup and shells do for work in the background. What it points to
 * is the signal that came, and 0 until then. */
const volatile sig_atomic_t *abut_interrupt_catch(void);
bool abut_interrupted(void);
/* When a signal came, ends the process by it, as if it had not been caught: what called it sees so. */
void abut_interrupt_obey(void);

#endif
