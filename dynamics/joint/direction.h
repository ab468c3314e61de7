/* The direction of a joint's impulses: a mean g = (1 - theta) row(z) + theta row(z+) of its rows at the start and at
 * the end of the step.
 *
 * With theta = 0 the step is variational: momenta of free trees are conserved, and so is energy on average. But the
 * direction is then explicit. The torques of the joints on a body change with its orientation by a stiffness K
 * (direction.c), so the body turns with frequencies sqrt(K / J), which the step must resolve. The motion of one freedom
 * changes from step to step by the factors z with
 *
 *     z^2 (1 + a theta) - z (2 - a (1 - theta)) + 1 = 0,     a = dt^2 K / J.
 *
 * This is stable if a (1 - 2 theta) <= 4, that is, theta >= 1/2 - 2 / a. The step uses theta = max(0, 1/2 - 1 / a),
 * which leaves a factor of two, with a = dt^2 |J^-1/2 K J^-1/2| of the whole body. A joint uses the larger a of its two
 * bodies. Before the solve, K follows from the impulses of the last step. After the solve, it follows from the step's
 * own impulses, which may need a larger theta (abut_joints_redirect). theta is 0 if the step resolves the motion.
 * Otherwise it is below 1/2, and the step dissipates energy.
 *
 * The limits of a ball have a theta of their own. Their rows turn with the lean of the joint, and with theta = 0 a
 * joint that slides along its cone conserves its energy. But a step in which the lean crosses the cone would then have
 * a second solution, which presses against the far side, and from the middle of the cone, where the row is 0, it would
 * have none. For small angles, let p be the lean, q what it would be without the limit, and c the cone. The impulse
 * mu >= 0 follows from |p+| = c and
 *
 *     p+ + theta mu p+ = q - (1 - theta) mu p.
 *
 * This is a quadratic equation of mu, which for any |q| > c has exactly one positive root if theta c > (1 - theta) |p|.
 * As |p| <= c, all theta > 1/2 fulfil this. theta is 0 while the lean that is expected in a step is at most a quarter
 * of the cone, 1 from half of it on, and linear between. So the proof covers steps with an expected lean of more than
 * 3/8 of the cone, and from a quarter to 3/8 those that start at |p| < theta c / (1 - theta). For other steps it is
 * only measured that there is a solution: all steps of tests/dynamics/joint/test_ball_limits.c are exact.
 *
 * Momentum is balanced with both bodies at their places x at the start of the step, so both must receive a force at one
 * point. Otherwise the step changes the angular momentum by dt (v_b - v_a) x f. The point at the end of the step,
 * carried back by a velocity V between those of the bodies, is p+ - dt V, and the levers of the rows at the end become
 *
 *     lever_a + dt (v_a - V),   lever_b + dt (v_b - V),     v_a - V = share (v_a - v_b),  share = J_a / (J_a + J_b).
 *
 * The lighter body, whose turn must be resolved, keeps most of its own lever; beside a static body, all of it. */
#pragma once

#include "dynamics/joint/joint.h"

/* Sets theta of n joints of an island from the impulses of their held rows (`impulse`). After the setup these are the
 * impulses of the last step. */
void abut_joints_direct(AbutJointWork *joints, int n, double timestep);

/* Adds to K what a turn of a body changes of a joint's torque on its side `s`, sign (lever x f + tau): (dTheta x lever)
 * x f + dTheta x tau = (lever f' - (lever . f) I - [tau]x) dTheta. */
void abut_joint_add_stiffness(const double lever[3], const double force[3], const double torque[3], int s, double K[9]);
/* Computes the force and the torque of the held rows and of couplings on the child. */
void abut_joint_wrench(const AbutJointWork *work, double force[3], double torque[3]);
/* Returns a = dt |J^-1/2 K J^-1/2| in the Frobenius norm: dt^2 times the square of the largest frequency, or more. A
 * bound of it, dt |K| / least inertia, is enough where it is small. */
double abut_joint_load(const AbutBodyWork *body, const double K[9], double timestep);
/* Returns theta of a joint whose larger load is a. */
double abut_joint_theta(double load);
/* Returns its derivative by the load, where theta is above 0. */
double abut_joint_theta_slope(double load);

/* Sets theta of the bounds of a ball, whose row and velocities at the start of the step are known. */
void abut_joint_direct_bounds(AbutJointWork *work, double timestep);

/* Raises theta of the joints whose impulses in the solution need a clearly larger value. Returns whether any rose. */
bool abut_joints_redirect(AbutJointWork *joints, int n, double timestep);
/* Undoes the last abut_joints_redirect that returned true. */
void abut_joints_direct_back(AbutJointWork *joints, int n);
