/* The matrix of a coupling of joints, an edge of up to four bodies. */
#pragma once

#include "dynamics/gradient/part.h"
#include "dynamics/joint/coupling.h"

/* Sets the sizes of the coupling's matrix and carves it from the arena. */
void abut_coupling_map_carve(const AbutCouplingWork *work, AbutArena *arena, AbutEdgeMap *out);
/* Fills the carved matrix. */
void abut_coupling_map_fill(const AbutCouplingWork *work, double timestep, AbutEdgeMap *out);
