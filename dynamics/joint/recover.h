/* Computes the changes of a joint's own unknowns from those of the bodies' velocities. */
#pragma once

#include "dynamics/joint/joint.h"

/* Sets the changes of the joint after the bodies' system was solved. `dv` are the changes of all bodies' velocities,
 * and `weight` is that of the second right-hand side. */
void abut_joint_recover(const AbutJointWork *work, const AbutEdgeRoom *room, const AbutConeLaw *law, double weight,
                        const double *dv, const AbutJointChange *change);
