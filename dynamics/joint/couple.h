/* Initial coordinates of joints that are coupled. */
#pragma once

#include "dynamics/joint/coupling.h"

/* Gives an initial coordinate or rate to joints with one freedom that have none, but are coupled to one that has.
 * Returns ABUT_ERROR_ARGUMENT if given ones contradict a coupling. */
AbutStatus abut_couplings_spread(AbutModel *model, AbutError *error);

/* Chooses the revolutions of coupled turns so that couplings hold, from the coordinates in (-pi, pi] at the poses of n
 * joints that are placed; writes them to `start` of the model's joints. Given coordinates and limits come first. */
AbutStatus abut_couplings_unwrap(AbutModel *model, const AbutJointWork *joints, AbutError *error);
