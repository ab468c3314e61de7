/* Reads the axes of a spec: scenes, methods with their settings, parameters, joined axes. */
#pragma once

#include "experiments/sweep/spec_parts.h"

extern const AbutKeySet abut_sweep_keys_scene;

/* Reads all axes, in this order. Errors are kept in the reader of the node. */
void abut_sweep_read_axes(AbutSweep *sweep, const AbutNode *root);
/* Frees axes and scenes. */
void abut_sweep_free_axes(AbutSweep *sweep);
