/* Reads keyframes of MJCF. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Finds the keyframe that the options name; fails if there is none. */
void abut_mjcf_key(AbutMjcf *mjcf);
/* Returns the control of actuator `i` of <actuator>, from 0, at the keyframe; 0 without one. */
double abut_mjcf_key_control(const AbutMjcf *mjcf, int i);
/* Moves all bodies to the keyframe; call when all joints are read. */
void abut_mjcf_place_key(AbutMjcf *mjcf);
