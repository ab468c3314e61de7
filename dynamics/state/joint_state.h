/* What joints add to the energy of a state. */
#pragma once

#include "dynamics/state/state.h"

/* Returns the energy (J) of the springs and rotors of all joints. */
double abut_state_joint_energy(const AbutModel *model, const AbutState *state);
