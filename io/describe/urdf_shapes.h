/* Writes masses and shapes of bodies as elements of URDF. */
#pragma once

#include "io/describe/urdf_plan.h"

/* Computes roll, pitch and yaw: turns about fixed axes, x, then y, then z. */
void abut_urdf_rpy(const double q[4], double rpy[3]);
/* Writes <origin>, unless the pose is the identity. */
void abut_urdf_write_origin(FILE *file, const AbutPose *pose);
/* Writes <inertial> of a moving body, with this share of its mass. */
void abut_urdf_write_inertial(const AbutUrdfOut *u, int body, double share);
/* Writes <visual> and <collision> of a body, with the meshes that they name, and its friction. */
void abut_urdf_write_shapes(AbutUrdfOut *u, int body);
