/* Linearises what acts on the spins of a ball (linear.h): springs, dampers and armature of each, and the friction and
 * motors that they share. */
#pragma once

#include "dynamics/gradient/joint/linear.h"

/* Returns whether dry friction holds all spins, at the island's solution (z, H). */
bool abut_joint_spins_stick(const AbutJointWork *work, const double *z, const double *H);

/* Adds the branches of the spins, at the island's solution (z, H). */
void abut_joint_spins_add(const double *z, const double *H, const AbutConeLaw *law, bool smoothed,
                          AbutJointLinear *out);
