/* Loops and couplings as conditions on the coordinates of the tree: the held rows of the joints that close loops, and
 * the values of couplings, with their derivatives by the velocities. Compared with differences in
 * tests/dynamics/robot/test_robot_reach.c. */
#include "dynamics/robot/loops.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/model/coupling.h"
#include "dynamics/robot/pose.h"

/* Adds `factor` times the derivative of a joint's row to `out` (n_v). */
static void add_row(const AbutRobot *robot, const AbutJoint *joint, const double anchor[3], const double d[3],
                    const AbutJointRow *row, double factor, double *out)
{
	double point[2][3];
	abut_copy3(anchor, point[1]);
	abut_copy3(anchor, point[0]);
	if (!abut_joint_kind_turning(joint->kind)) {
		abut_sub3(anchor, d, point[0]);
	}
	for (int s = 0; s < 2; s++) {
		int at = robot->link_of[joint->body[s]];
		for (; at >= 0; at = robot->link_of[robot->links[at].near]) {
			for (int k = robot->links[at].v; k < robot->links[at].v + robot->links[at].n_v; k++) {
				double linear[3], angular[3];
				abut_column_velocity(&robot->columns[k], point[s], linear, angular);
				out[k] += (s == 0 ? -factor : factor) *
				          (abut_dot3(row->n, linear) + abut_dot3(row->t, angular));
			}
		}
	}
}

/* Adds `factor` times a coordinate of a joint to a condition. */
static void add_coordinate(const AbutRobot *robot, const double *q, int joint, int axis, double factor, double *value,
                           double *row)
{
	const AbutJoint *of = &robot->model->joints.at[joint];
	const int link = robot->link_of_joint[joint];
	if (link >= 0) {
		*value += factor * q[robot->links[link].q + axis];
		row[robot->links[link].v + axis] += factor;
		return;
	}
	AbutJointRow rows[ABUT_JOINT_ROWS];
	double anchor[3];
	const AbutJointPose pose = abut_robot_joint_pose(robot, of, anchor);
	abut_joint_free_rows(of->kind, &pose, rows);
	*value += factor * rows[axis].value;
	add_row(robot, of, anchor, pose.d, &rows[axis], factor, row);
}

double abut_robot_loops(const AbutRobot *robot, const double *q)
{
	const AbutModel *model = robot->model;
	const AbutReachRoom *room = &robot->reach;
	double largest = 0.0;
	int n = 0;
	memset(room->loop, 0, (size_t)room->n_rows * (size_t)robot->n_v * sizeof *room->loop);
	for (int i = 0; i < model->joints.n; i++) {
		const AbutJoint *joint = &model->joints.at[i];
		if (robot->link_of_joint[i] >= 0) {
			continue;
		}
		AbutJointRow rows[ABUT_JOINT_ROWS];
		double anchor[3];
		const AbutJointPose pose = abut_robot_joint_pose(robot, joint, anchor);
		abut_joint_held_rows(joint->kind, &pose, rows);
		for (int k = 0; k < joint->n_held; k++, n++) {
			room->off[n] = rows[k].value;
			add_row(robot, joint, anchor, pose.d, &rows[k], 1.0,
			        &room->loop[(size_t)n * (size_t)robot->n_v]);
		}
	}
	for (int i = 0; i < model->joints.n_couplings; i++) {
		const AbutCoupling *coupling = &model->joints.couplings[i];
		if (coupling->yields) {
			continue;
		}
		const double length = model->units.length, unit = coupling->turns ? 1.0 : length;
		room->off[n] = -unit * coupling->offset;
		for (int k = 0; k < 2; k++) {
			const AbutJoint *joint = &model->joints.at[coupling->joint[k]];
			const double own = abut_joint_turns(joint->kind, coupling->axis[k]) ? 1.0 : length;
			add_coordinate(robot, q, coupling->joint[k], coupling->axis[k],
			               coupling->factor[k] * unit / own, &room->off[n],
			               &room->loop[(size_t)n * (size_t)robot->n_v]);
		}
		n++;
	}
	for (int i = 0; i < n; i++) {
		largest = abut_max(largest, fabs(room->off[i]));
	}
	return largest;
}
