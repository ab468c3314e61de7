/* The parts of a sweep, one after the other: what is added is owned by it. */
#ifndef EXPERIMENTS_SWEEP_AXIS_H
#define EXPERIMENTS_SWEEP_AXIS_H

#include "experiments/sweep/spec_parts.h"

/* Take over both strings, also on failure, which is one of memory (a string may be NULL from one before). */
bool abut_sweep_add_override(AbutSweepOverrides *overrides, char *text, char *place);
void abut_sweep_free_overrides(AbutSweepOverrides *overrides);
/* Takes over the label on success. NULL: out of memory. */
AbutSweepValue *abut_sweep_add_value(AbutSweepAxis *axis, char *label);
AbutSweepValue *abut_sweep_find_value(const AbutSweepAxis *axis, const char *label); /* NULL: there is none */
AbutSweepAxis *abut_sweep_add_axis(AbutSweep *sweep, const char *name);
AbutSweepScene *abut_sweep_add_scene(AbutSweep *sweep);
void abut_sweep_free_parts(AbutSweep *sweep);

#endif
