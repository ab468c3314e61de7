/* Dry friction and limited motors of a ball: impulses that three spins share, with a length of at most `scale`. They
 * are the clipped impulse of a freedom (law.h) in three directions,
 *
 *     (1, b) o (psi, w (c' - u + e scale b)) = kappa e,     I = scale b,
 *
 * with b and the rates c' of the spins in R^3, the rates u for which the motor's effort vanishes, and the motor's
 * compliance e; friction has u = 0 and e = 0. So friction sticks in all directions or slips with the torque -scale c' /
 * |c'|. A law of the cone (solver/cones/soc.h), db = k + a dhead - B dH, becomes
 *
 *     db = M^-1 (k + a dhead) - M^-1 B w dc',     M = 1 + w e scale B.
 *
 * Springs, dampers, armature and free motors of a ball act on each spin by itself, as they are isotropic.
 * Tested in tests/dynamics/joint/test_ball_laws.c and test_joint_directions.c. */
#pragma once

#include "dynamics/joint/joint.h"

/* Sets the targets of a ball's motor for its spins, in model units, from those in SI: the torque, shortened to the
 * motor's limit, or the rates, about the axes of the child's frame. A position is the rotation vector of a frame that
 * turns with the parent. Its motor acts along the rotation vector from there to the child's frame, so its targets are
 * the coordinates less this vector. */
void abut_spins_aim(AbutJointWork *work, const double *targets, double aim[3]);

/* Returns the law of a spin without what the spins share. */
AbutJointLaw abut_spin_law(const AbutJointLaw *law);

/* Sets up what the spins of a ball share, and its cones at `next`, after the laws of the spins themselves. */
void abut_spins_setup(AbutJointWork *work, double timestep, AbutAxisPlace *next);

/* Adds to r and H of the joint, and to the impulses of its spins. */
void abut_spins_evaluate(AbutJointWork *work, const double *y, const double *z, double *r, double *H);

/* Adds to the lanes of the spins, and sets their common stiffness. `r` are the joint's residuals. */
void abut_spins_condense(AbutJointWork *work, const double *r, const AbutConeLaw *law);

/* Computes the changes of the unknowns for the changes `drate` of the rates. */
void abut_spins_recover(const AbutJointWork *work, const AbutConeLaw *law, double weight, const double drate[3],
                        const AbutJointChange *change);
