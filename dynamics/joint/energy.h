/* Whether a step resolves the motion of jointed bodies, judged by energy.
 *
 * Ideal joints do no work. In a step, the held rows do the work W = sum lambda g.(v + v+) / 2 on their two bodies,
 * which is what the step adds to the energy or takes from it: M (v+ - v).(v + v+) / 2 is the change of kinetic energy.
 * While the step resolves the motion, W is a small second difference that the next steps give back. Where it does not,
 * as when the end of a chain whips, W is lost or gained for good. A step is then taken in parts
 * (dynamics/step/advance.c):
 *
 *     sum over the joints |W| > tolerance (T + sum m (dt a)^2 / 2)
 *
 * T is the kinetic energy of the bodies, and a the unit of acceleration, which is that of gravity: a motion slower than
 * the speed of one step of free fall need not be resolved. Contacts and limits that press, dry friction and motors
 * change the energy of their island anyway, so islands with them are not judged. Nor is the first step, because it
 * closes the rates of the joints. The impulses of an overconstrained loop are not unique, so the work of each of its
 * joints is not either. The sum of the work is, and replaces the sum of |W|.
 *
 * Parts change the length of the step. A variational step then keeps its energy only if each force acts at the pose
 * between two steps, for half the time of both. Joints, gravity (abut_gravity_time) and springs (law.h) do.
 *
 * Measured by `abut_reliability mechanisms`; tested in tests/dynamics/joint/test_energy.c. */
#pragma once

#include "dynamics/joint/joint.h"

/* Returns whether no joint has friction or a motor, and no limit presses in the solution with duals z and slacks H. */
bool abut_joints_passive(const AbutJointWork *joints, int n, const double *z, const double *H);
/* Returns whether the solution of a step with n joints changes the energy of n_moving bodies too much. `unique` is
 * false for overconstrained loops. */
bool abut_joints_unresolved(const AbutJointWork *joints, int n, AbutBodyWork *const *moving, int n_moving,
                            double timestep, bool unique);
