/* Writes the messages about sensors in an MCAP file of a run. */
#pragma once

#include "io/run/read.h"
#include "io/text/bytes.h"

/* Appends an abut.Sensors: the values of each sensor at a frame of the run. */
void abut_mcap_sensors(AbutBytes *out, const AbutRunRecord *record, long frame);
