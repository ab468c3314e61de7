/* The axes of a spec: scenes, methods with their settings, parameters, joined axes. */
#ifndef EXPERIMENTS_SWEEP_SPEC_AXES_H
#define EXPERIMENTS_SWEEP_SPEC_AXES_H

#include "experiments/sweep/spec_parts.h"

extern const AbutKeySet abut_sweep_keys_scene;

/* Reads them all, in this order; errors stick in the node's reader. */
void abut_sweep_read_axes(AbutSweep *sweep, const AbutNode *root);
/* Frees axes and scenes. */
void abut_sweep_free_axes(AbutSweep *sweep);

#endif
