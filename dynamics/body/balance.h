/* The momentum balance of a body (docs/formulation.md 2). */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/model/model.h"

/* Returns the time for which gravity acts on a body in a step of length `timestep` after one of length `before`. In a
 * scene with joints it is half of both: gravity then acts at the pose between the steps, like the joints, and a step of
 * another length does not change the energy (dynamics/joint/energy.h). It is linear in both lengths. */
double abut_gravity_time(const AbutModel *model, const AbutBodyWork *body, double timestep, double before);
/* Sets the momentum without contact from velocity and load at the start of the step. `last_timestep` is the length of
 * the step that ended with the present velocity. */
void abut_body_begin(const AbutModel *model, AbutBodyWork *body, double timestep, double last_timestep,
                     const double force[3], const double torque_world[3]);
/* Moves the body to the pose that follows from the velocities y (6). */
void abut_body_move(AbutBodyWork *body, double timestep, const double *y);
/* Compute the residual r (6) of the balance, and its Jacobian J (6 x 6, row-major) with respect to the velocities. */
void abut_body_residual(const AbutBodyWork *body, double timestep, double r[6]);
void abut_body_jacobian(const AbutBodyWork *body, double timestep, double J[36]);
/* Computes P = d(c J w - (h/2) w x J w) / dw (3 x 3, row-major) at the start of the step. h is the length of the last
 * step, or of this step if there was none. */
void abut_body_old_momentum_jacobian(const AbutBodyWork *body, double timestep, double P[9]);
