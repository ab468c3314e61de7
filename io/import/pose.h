/* Poses, and the ways in which models write a turn. */
#ifndef IO_IMPORT_POSE_H
#define IO_IMPORT_POSE_H

#include "io/import/model_parts.h"

AbutPose abut_pose_identity(void);
/* Returns the pose of something at `inner` in a frame at `outer`. */
AbutPose abut_pose_compose(const AbutPose *outer, const AbutPose *inner);
/* Makes a turn by `angle` about an axis of any length. */
void abut_turn(const double axis[3], double angle, double q[4]);
/* Makes the shortest turn of z onto a direction, of any length > 0. */
void abut_turn_z_onto(const double direction[3], double q[4]);
/* Makes the rotation whose first column is along x and whose second lies in the plane of x and y. */
void abut_turn_of_axes(const double x[3], const double y[3], double q[4]);

#endif
