/* Computes poses and rotations. */
#pragma once

#include "abut/collide.h"

AbutPose abut_pose_identity(void);
/* Returns `inner`, a pose in the frame `outer`, as a pose in the frame enclosing `outer`. */
AbutPose abut_pose_compose(const AbutPose *outer, const AbutPose *inner);
/* Returns the enclosing frame as a pose in the frame `pose`. */
AbutPose abut_pose_inverse(const AbutPose *pose);
/* Computes the rotation by `angle` (rad) about an axis of any nonzero length. */
void abut_turn(const double axis[3], double angle, double q[4]);
/* Composes three rotations about axes in sequence, by angles in rad. A small letter of `sequence` means an axis rotated
 * by the previous rotations, a capital letter a fixed axis. */
void abut_turn_by_euler(const char sequence[4], const double angles[3], double q[4]);
/* Computes the shortest rotation of the z axis onto a direction of any nonzero length. */
void abut_turn_z_onto(const double direction[3], double q[4]);
/* Computes the rotation whose first column is along x and whose second column lies in the plane of x and y. */
void abut_turn_of_axes(const double x[3], const double y[3], double q[4]);
