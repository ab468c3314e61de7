/* The row of a rod, which holds the distance of two points. */
#pragma once

#include "dynamics/joint/kinds/kind.h"

void abut_rod_row(const AbutJointPose *pose, AbutJointRow *row);
void abut_rod_curvature(const AbutJointPose *pose, double lambda, AbutJointCurvature *curvature);
