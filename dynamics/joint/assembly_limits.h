/* Limits of joints while their loops are closed. */
#pragma once

#include "dynamics/joint/assembly.h"

/* Notes which coordinates are beyond their limits at the present poses: these are never held at limits. */
void abut_assembly_begin_limits(const AbutAssembly *assembly);
/* Holds the coordinates that are beyond their limits at these. Returns whether there were any. */
bool abut_assembly_hold_limits(const AbutAssembly *assembly);
/* Releases all coordinates. */
void abut_assembly_release_limits(const AbutAssembly *assembly);
/* Returns whether a coordinate is held at a limit; `*off` is then its distance from it, model units. */
bool abut_assembly_at_limit(const AbutAssembly *assembly, int joint, int freedom, double *off);
