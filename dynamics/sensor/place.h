/* The frames in which sensors measure, relative to their bodies. */
#pragma once

#include "dynamics/model/sensor.h"

/* Computes the lever from the centre of mass of a frame's body to the frame's origin, body axes, m. */
void abut_sensor_lever(const AbutModel *model, const AbutSite *frame, double out[3]);
/* Copies the frame of a sensor of type force_torque: its site, or the joint's frame on the child. */
void abut_sensor_frame(const AbutModel *model, const AbutSensor *sensor, AbutSite *out);
