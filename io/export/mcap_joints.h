/* Writes the messages about joints in an MCAP file of a run. */
#pragma once

#include "io/run/read.h"
#include "io/text/bytes.h"

/* Appends a foxglove.SceneUpdate: a mark at each joint, in the coordinate frame of its parent; `world` names that of
 * the world. */
void abut_mcap_joint_axes(AbutBytes *out, const AbutRunRecord *record, const char *world);
/* Appends a foxglove.JointStates: coordinate, rate and motor effort of each freedom at a frame of the run. */
void abut_mcap_joint_states(AbutBytes *out, const AbutRunRecord *record, long frame);
/* Appends an abut.JointForces: reaction and efforts of each joint in the step that ends at a frame of the run. */
void abut_mcap_joint_forces(AbutBytes *out, const AbutRunRecord *record, long frame);
