/* Evaluates a joint at an iterate. */
#pragma once

#include "dynamics/joint/joint.h"

/* Computes pose, levers and rows of a joint from its bodies' present R, and d from their velocities; `columns` receives
 * the rows in the columns of both bodies. */
void abut_joint_place(AbutJointWork *work, double timestep, AbutJointColumns *columns);

/* Computes r and H of the joint at its unknowns y and z, and subtracts its impulses from the balances r_bodies. The
 * bodies must have moved. */
void abut_joint_evaluate(AbutJointWork *work, double timestep, const double *y, const double *z, double *r, double *H,
                         double *r_bodies);
