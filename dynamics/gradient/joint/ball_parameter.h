/* Computes how a parameter of a ball or its motor changes its laws. */
#pragma once

#include "dynamics/gradient/joint/parameter.h"

/* Computes the change like abut_joint_by_parameter. */
void abut_ball_by_parameter(const AbutJointLinear *linear, const AbutParameter *parameter, double kappa,
                            const double *y, const double *z, AbutJointChangeBy *out);
