/* Rows and curvature of a joint at a pose, for any kind. */
#pragma once

#include "dynamics/joint/kinds/kind.h"

/* Returns the number of held rows; the first abut_joint_kind_places(kind) hold lengths, the others turns. */
int abut_joint_kind_held(const AbutJointKind *kind);
int abut_joint_kind_places(const AbutJointKind *kind);
/* Returns whether n turns with body a. */
bool abut_joint_kind_turning(const AbutJointKind *kind);

/* Computes the held rows at a pose. */
void abut_joint_held_rows(const AbutJointKind *kind, const AbutJointPose *pose, AbutJointRow *rows);
/* Computes the rows of the freedoms; their values are the coordinates, with turns in (-pi, pi], or within pi of those
 * in `near`. */
void abut_joint_free_rows(const AbutJointKind *kind, const AbutJointPose *pose, AbutJointRow *rows);
/* Computes the rows of a ball's bounds. */
void abut_joint_bound_rows(const AbutJointKind *kind, const AbutJointPose *pose, AbutJointRow *rows);
/* Sets the sines and cosines of the turns at a pose; the angles are the caller's. */
void abut_joint_turns_at(const AbutJointKind *kind, const AbutJointPose *pose, AbutJointTurn *turns);
/* Computes the pose of b's frame in a's frame at the coordinates c: rotation R, and place d. */
void abut_joint_motion(const AbutJointKind *kind, const double *c, double R[9], double d[3]);
/* Computes the curvature of the held rows with impulses `lambda`, and of the rows of laws with impulses `effort`. */
void abut_joint_curvature(const AbutJointKind *kind, const AbutJointPose *pose, const double *lambda,
                          const double *effort, AbutJointCurvature *curvature);

/* Returns the angle that differs from `angle` by whole revolutions and is nearest to `near`. */
double abut_joint_unwrap(double angle, double near);
