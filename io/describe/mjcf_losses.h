/* Notes what MJCF cannot hold. */
#pragma once

#include "io/describe/describing.h"

/* Notes what is lost of bodies, joints and sensors; contacts, motors and couplings are noted where they are written. */
void abut_describe_mjcf_losses(const AbutDescribing *d);
