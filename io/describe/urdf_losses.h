/* Notes what URDF cannot hold. */
#pragma once

#include "io/describe/urdf_plan.h"

/* Notes what is lost of all bodies, joints, couplings, contacts and sensors. */
void abut_urdf_losses(const AbutUrdfOut *u);
