/* Changes of the laws of one freedom by their parameters (parameter.c), also of each spin of a ball. */
#pragma once

#include "dynamics/gradient/joint/linear.h"
#include "dynamics/model/parameter.h"

/* Returns the law of a row that pushes by a compliance; NULL if there is none. */
const AbutJointTerm *abut_joint_term(const AbutJointLinear *linear, int row, AbutJointLawKind kind);
/* Returns the change of the impulse of springs, dampers and armature: of I0 - slope c' (setup_passive). */
double abut_joint_by_passive(const AbutJointLaw *law, const AbutJointAxisWork *axis, AbutParameterKind kind);
/* Returns the impulse per bound of a dry friction with the bound 0, which pushes nothing yet. */
double abut_joint_by_first_friction(double rate, double timestep, double kappa);
/* Computes the changes of u and of the compliance 1 / K of a servo with target t: u = (kp (t - c) or kd t) / (dt kp +
 * kd), K = dt (dt kp + kd). */
void abut_joint_by_servo(const AbutJointLaw *law, const AbutAxisStart *from, AbutParameterKind kind, double *du,
                         double *dcompliance);
/* Returns the impulse of a motor without stiffness and damping per unit of either. */
double abut_joint_by_first_gain(const AbutJointLaw *law, const AbutJointAxisWork *axis, AbutParameterKind kind);
