/* Describes the messages in an MCAP file of a run. */
#pragma once

#include "io/text/bytes.h"

/* Appends a FileDescriptorSet with all messages, including nested ones; those of joints only with `has_joints`,
 * those of sensors only with `has_sensors`. */
void abut_foxglove_describe(AbutBytes *out, bool has_joints, bool has_sensors);
