/* Forward kinematics. A joint has the frames A on its parent and B on its child, with B = A M(c) for the motion M of
 * its coordinates c; from the near body's frame this gives the far one. The velocity of the far body is that of the
 * near one and the sum of the columns times the rates. Seen from the child, the parent moves by the opposite columns.
 *
 * Compared with differences and with the poses of steps in tests/dynamics/robot/test_robot_kinematics.c. */
#include "dynamics/robot/pose.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/state/state.h"

static const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

/* Computes the lever of a joint's anchor on a side. */
static void lever_of(const AbutRobot *robot, const AbutJoint *joint, int side, double out[3])
{
	abut_mat3_vec(robot->poses[joint->body[side]].R, joint->place[side], out);
	abut_scale3(robot->model->units.length, out, out);
}

AbutJointPose abut_robot_joint_pose(const AbutRobot *robot, const AbutJoint *joint, double anchor[3])
{
	const AbutRobotPose *a = &robot->poses[joint->body[0]], *b = &robot->poses[joint->body[1]];
	AbutJointPose pose = {.length = joint->length * robot->model->units.length, .cone = joint->cone};
	double lever[2][3];
	lever_of(robot, joint, 0, lever[0]);
	lever_of(robot, joint, 1, lever[1]);
	for (int k = 0; k < 3; k++) {
		pose.d[k] = b->x[k] - a->x[k] + lever[1][k] - lever[0][k];
	}
	abut_add3(b->x, lever[1], anchor);
	abut_mat3_mul(a->R, joint->axes[0], pose.A);
	abut_mat3_mul(b->R, joint->axes[1], pose.B);
	return pose;
}

/* Sets the far body of a joint from the near one. */
static void cross_joint(AbutRobot *robot, const AbutLink *link, const double *c)
{
	const AbutJoint *joint = &robot->model->joints.at[link->joint];
	const int near = 1 - link->side;
	AbutRobotPose *own = &robot->poses[link->body];
	double M[9], d[3], frame[9], far[9], anchor[3], lever[3];
	abut_joint_motion(abut_joint_coordinates(joint), c, M, d);
	abut_mat3_mul(robot->poses[link->near].R, joint->axes[near], frame);
	lever_of(robot, joint, near, lever);
	abut_add3(robot->poses[link->near].x, lever, anchor);
	if (link->side == 1) {
		abut_mat3_mul(frame, M, far);
		abut_mat3_vec(frame, d, d);
		abut_add3(anchor, d, anchor);
	} else {
		abut_mat3_mul_transposed(frame, M, far);
		abut_mat3_vec(far, d, d);
		abut_sub3(anchor, d, anchor);
	}
	abut_mat3_mul_transposed(far, joint->axes[link->side], own->R);
	lever_of(robot, joint, link->side, lever);
	abut_sub3(anchor, lever, own->x);
}

static void place_base(AbutRobot *robot, const AbutLink *link, const double *q)
{
	const AbutBody *body = &robot->model->bodies[link->body];
	AbutRobotPose *own = &robot->poses[link->body];
	double offset[3], position[3], orientation[4];
	if (body->planar) {
		const double turn[4] = {cos(0.5 * q[2]), 0.0, sin(0.5 * q[2]), 0.0};
		abut_quat_mul(turn, body->initial.orientation, orientation);
		memcpy(position, (const double[3]){q[0], body->initial.position[1], q[1]}, sizeof position);
	} else {
		memcpy(orientation, &q[3], sizeof orientation);
		abut_copy3(q, position);
	}
	abut_quat_normalise(orientation);
	abut_quat_to_mat3(orientation, own->R);
	abut_mat3_vec(own->R, body->centre_of_mass, offset);
	abut_add3(position, offset, own->x);
}

static void base_columns(AbutRobot *robot, const AbutLink *link)
{
	static const int plane[3] = {0, 2, 4};
	const AbutRobotPose *own = &robot->poses[link->body];
	const bool planar = robot->model->bodies[link->body].planar;
	for (int i = 0; i < link->n_v; i++) {
		const int k = planar ? plane[i] : i;
		AbutColumn *column = &robot->columns[link->v + i];
		*column = (AbutColumn){.slides = k < 3, .on = planar || k < 3 ? robot->model->n_bodies : link->body};
		abut_copy3(own->x, column->point);
		for (int row = 0; row < 3; row++) {
			column->axis[row] = robot->poses[column->on].R[3 * row + k % 3];
		}
	}
}

static void joint_columns(AbutRobot *robot, const AbutLink *link)
{
	const AbutJoint *joint = &robot->model->joints.at[link->joint];
	const AbutJointKind *kind = abut_joint_coordinates(joint);
	const double sign = link->side == 1 ? 1.0 : -1.0;
	double anchor[3];
	const AbutJointPose pose = abut_robot_joint_pose(robot, joint, anchor);
	bool turned = false;
	for (int i = 0; i < kind->n_freedoms; i++) {
		const AbutJointFreedom *freedom = &kind->freedom[i];
		AbutColumn *column = &robot->columns[link->v + i];
		const bool of_a = freedom->slide >= 0 || (!freedom->spins && !turned);
		const int axis = freedom->slide >= 0 ? freedom->slide : freedom->about;
		column->slides = freedom->slide >= 0;
		column->on = joint->body[of_a ? 0 : 1];
		for (int row = 0; row < 3; row++) {
			column->axis[row] = sign * (of_a ? pose.A : pose.B)[3 * row + axis];
		}
		abut_copy3(anchor, column->point);
		turned = turned || freedom->slide < 0;
	}
}

void abut_robot_place(AbutRobot *robot, const double *q)
{
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		if (link->joint >= 0) {
			cross_joint(robot, link, &q[link->q]);
			joint_columns(robot, link);
		} else {
			place_base(robot, link, &q[link->q]);
			base_columns(robot, link);
		}
	}
	memcpy(robot->poses[robot->model->n_bodies].R, identity, sizeof identity);
}

void abut_robot_set_columns(AbutRobot *robot)
{
	for (int i = 0; i < robot->n_links; i++) {
		if (robot->links[i].joint >= 0) {
			joint_columns(robot, &robot->links[i]);
		} else {
			base_columns(robot, &robot->links[i]);
		}
	}
}

void abut_robot_set_motion(AbutRobot *robot, int body, const AbutBodyState *at, double timestep)
{
	AbutRobotPose *pose = &robot->poses[body];
	double turn[4], R[9];
	abut_copy3(at->position, pose->x);
	abut_quat_to_mat3(at->orientation, pose->R);
	abut_copy3(pose->x, pose->past_x);
	abut_add_scaled3(pose->past_x, -timestep, at->linear_velocity, pose->past_x);
	abut_scale3(-0.5 * timestep, at->angular_velocity, &turn[1]);
	turn[0] = sqrt(abut_max(0.0, 1.0 - abut_dot3(&turn[1], &turn[1])));
	abut_quat_to_mat3(turn, R);
	abut_mat3_mul(pose->R, R, pose->past_R);
}

void abut_robot_set_motions(AbutRobot *robot, const AbutBodyState *motion, const double *timestep)
{
	for (int i = 0; i < robot->n_links; i++) {
		const int body = robot->links[i].body, moving = robot->model->bodies[body].moving;
		abut_robot_set_motion(robot, body, &motion[moving], timestep[moving]);
	}
}

void abut_robot_load_poses(AbutRobot *robot, const AbutState *state)
{
	for (int i = 0; i < robot->n_links; i++) {
		const int body = robot->links[i].body;
		abut_robot_set_motion(robot, body, &state->motion[body].at, robot->model->timestep_si);
	}
}

void abut_robot_swap_times(AbutRobot *robot)
{
	for (int i = 0; i < robot->n_links; i++) {
		AbutRobotPose *pose = &robot->poses[robot->links[i].body], now = *pose;
		abut_copy3(now.past_x, pose->x);
		abut_copy3(now.x, pose->past_x);
		memcpy(pose->R, now.past_R, sizeof now.R);
		memcpy(pose->past_R, now.R, sizeof now.R);
	}
}

void abut_robot_read_pose(const AbutRobot *robot, int body, AbutBodyState *out)
{
	const AbutRobotPose *pose = &robot->poses[body];
	double offset[3];
	abut_mat3_to_quat(pose->R, out->orientation);
	abut_quat_normalise(out->orientation);
	abut_mat3_vec(pose->R, robot->model->bodies[body].centre_of_mass, offset);
	abut_sub3(pose->x, offset, out->position);
}

void abut_column_velocity(const AbutColumn *column, const double point[3], double linear[3], double angular[3])
{
	if (column->slides) {
		abut_copy3(column->axis, linear);
		angular[0] = angular[1] = angular[2] = 0.0;
	} else {
		double arm[3];
		abut_sub3(point, column->point, arm);
		abut_cross3(column->axis, arm, linear);
		abut_copy3(column->axis, angular);
	}
}

void abut_robot_move(AbutRobot *robot, const double *qdot)
{
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		const AbutRobotPose *near = &robot->poses[link->near];
		AbutRobotPose *own = &robot->poses[link->body];
		double arm[3], linear[3], angular[3];
		abut_sub3(own->x, near->x, arm);
		abut_cross3(near->w, arm, own->v);
		abut_add3(own->v, near->v, own->v);
		abut_copy3(near->w, own->w);
		for (int k = link->v; k < link->v + link->n_v; k++) {
			abut_column_velocity(&robot->columns[k], own->x, linear, angular);
			abut_add_scaled3(own->v, qdot[k], linear, own->v);
			abut_add_scaled3(own->w, qdot[k], angular, own->w);
		}
	}
}
