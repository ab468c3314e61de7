/* Creates robots, and names their coordinates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/joint/joint.h"
#include "dynamics/model/coupling.h"
#include "dynamics/robot/held.h"
#include "dynamics/robot/pose.h"
#include "dynamics/robot/reach_room.h"
#include "dynamics/robot/share.h"
#include "dynamics/robot/tree.h"

static AbutStatus allocate_links(AbutRobot *robot)
{
	const size_t n = (size_t)robot->model->n_bodies + 1, n_joints = (size_t)robot->model->joints.n + 1;
	robot->links = calloc(n, sizeof *robot->links);
	robot->link_of = calloc(n, sizeof *robot->link_of);
	robot->link_of_joint = calloc(n_joints, sizeof *robot->link_of_joint);
	robot->poses = calloc(n, sizeof *robot->poses);
	robot->balance = calloc(6 * n, sizeof *robot->balance);
	robot->works = calloc(n_joints, sizeof *robot->works);
	robot->targets = calloc(ABUT_JOINT_FREEDOMS * n_joints, sizeof *robot->targets);
	robot->motors = calloc(ABUT_JOINT_FREEDOMS * n_joints, sizeof *robot->motors);
	robot->motions = calloc(n, sizeof *robot->motions);
	return robot->links && robot->link_of && robot->link_of_joint && robot->poses && robot->balance &&
	               robot->works && robot->targets && robot->motors && robot->motions
	           ? ABUT_OK
	           : ABUT_ERROR_MEMORY;
}

static AbutStatus allocate_coordinates(AbutRobot *robot)
{
	const size_t n_q = (size_t)robot->n_q + 1, n_v = (size_t)robot->n_v + 1;
	robot->columns = calloc(n_v, sizeof *robot->columns);
	robot->link_of_v = calloc(n_v, sizeof *robot->link_of_v);
	robot->driven = calloc(n_v, sizeof *robot->driven);
	bool all = robot->columns && robot->link_of_v && robot->driven;
	for (int i = 0; i < 4; i++) {
		robot->work[i] = calloc(n_q, sizeof *robot->work[i]);
		all = all && robot->work[i];
	}
	return all ? ABUT_OK : ABUT_ERROR_MEMORY;
}

static void place_ground(AbutRobot *robot)
{
	const AbutModel *model = robot->model;
	for (int i = 0; i <= model->n_bodies; i++) {
		AbutRobotPose *pose = &robot->poses[i];
		pose->R[0] = pose->R[4] = pose->R[8] = 1.0;
		if (i < model->n_bodies) {
			const AbutBody *body = &model->bodies[i];
			abut_quat_to_mat3(body->initial.orientation, pose->R);
			abut_mat3_vec(pose->R, body->centre_of_mass, pose->x);
			abut_add3(pose->x, body->initial.position, pose->x);
		}
	}
	for (int i = 0; i < robot->n_links; i++) {
		for (int k = 0; k < robot->links[i].n_v; k++) {
			robot->link_of_v[robot->links[i].v + k] = i;
		}
	}
}

/* Writes the name of entry `i` of a link's q, or of its qdot. */
static void write_name(const AbutRobot *robot, const AbutLink *link, int i, bool rate, char *out, size_t size)
{
	static const char *const of_base[2][7] = {{"x", "y", "z", "qw", "qx", "qy", "qz"},
	                                          {"vx", "vy", "vz", "wx", "wy", "wz"}};
	static const char *const of_planar[2][3] = {{"x", "z", "turn"}, {"vx", "vz", "wy"}};
	if (link->joint < 0) {
		snprintf(out, size, "%s.%s", robot->model->bodies[link->body].name,
		         (link->n_v == ABUT_ROBOT_PLANAR ? of_planar[rate] : of_base[rate])[i]);
	} else if (link->n_v > 1) {
		snprintf(out, size, "%s.%d", robot->model->joints.at[link->joint].name, i);
	} else {
		snprintf(out, size, "%s", robot->model->joints.at[link->joint].name);
	}
}

static AbutStatus name_coordinates(AbutRobot *robot)
{
	size_t size = 1;
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		size += (size_t)(link->n_q + link->n_v) * (strlen(abut_robot_link_name(robot, link)) + ABUT_ROBOT_NAME);
	}
	robot->names = calloc((size_t)(robot->n_q + robot->n_v) + 1, sizeof *robot->names);
	robot->name_block = calloc(size, 1);
	if (!robot->names || !robot->name_block) {
		return ABUT_ERROR_MEMORY;
	}
	char *at = robot->name_block;
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		const size_t room = strlen(abut_robot_link_name(robot, link)) + ABUT_ROBOT_NAME;
		for (int k = 0; k < link->n_q + link->n_v; k++) {
			const bool rate = k >= link->n_q;
			write_name(robot, link, rate ? k - link->n_q : k, rate, at, room);
			robot->names[rate ? robot->n_q + link->v + k - link->n_q : link->q + k] = at;
			at += room;
		}
	}
	return ABUT_OK;
}

AbutStatus abut_robot_create(const AbutModel *model, AbutRobot **out, AbutError *error)
{
	if (!model || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model and out must not be NULL");
	}
	*out = NULL;
	AbutRobot *robot = calloc(1, sizeof *robot);
	AbutStatus status = robot ? ABUT_OK : ABUT_ERROR_MEMORY;
	if (robot) {
		robot->model = model;
		status = allocate_links(robot);
	}
	ABUT_THEN(status, abut_robot_find_tree(robot));
	ABUT_THEN(status, allocate_coordinates(robot));
	ABUT_THEN(status, name_coordinates(robot));
	if (status == ABUT_OK) {
		place_ground(robot);
		status = abut_held_create(robot, error);
	} else {
		abut_error_set(error, status, NULL, "out of memory while making a robot");
	}
	if (status != ABUT_OK) {
		abut_robot_destroy(robot);
		return status;
	}
	*out = robot;
	return ABUT_OK;
}

void abut_robot_destroy(AbutRobot *robot)
{
	if (!robot) {
		return;
	}
	void *const blocks[] = {robot->links,      robot->link_of, robot->link_of_joint, robot->poses,   robot->balance,
	                        robot->works,      robot->targets, robot->motions,       robot->columns, robot->names,
	                        robot->name_block, robot->work[0], robot->work[1],       robot->work[2], robot->work[3],
	                        robot->link_of_v,  robot->driven,  robot->motors};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		free(blocks[i]);
	}
	abut_reach_room_release(&robot->reach);
	abut_share_release(&robot->share);
	abut_held_destroy(robot);
	free(robot);
}

int abut_robot_coordinate_count(const AbutRobot *robot)
{
	return robot ? robot->n_q : 0;
}

int abut_robot_velocity_count(const AbutRobot *robot)
{
	return robot ? robot->n_v : 0;
}

int abut_robot_loop_count(const AbutRobot *robot)
{
	return robot ? robot->n_loops : 0;
}

const char *abut_robot_coordinate_name(const AbutRobot *robot, int i)
{
	return robot && i >= 0 && i < robot->n_q ? robot->names[i] : "";
}

const char *abut_robot_velocity_name(const AbutRobot *robot, int i)
{
	return robot && i >= 0 && i < robot->n_v ? robot->names[robot->n_q + i] : "";
}

/* Returns the link of a joint that has freedoms in the tree; NULL if it has none. */
static const AbutLink *link_of_joint(const AbutRobot *robot, int joint)
{
	const bool there = robot && joint >= 0 && joint < robot->model->joints.n && robot->link_of_joint[joint] >= 0;
	const AbutLink *link = there ? &robot->links[robot->link_of_joint[joint]] : NULL;
	return link && link->n_v > 0 ? link : NULL;
}

/* Returns the link of a body that is a base; NULL if it is none. */
static const AbutLink *link_of_base(const AbutRobot *robot, int body)
{
	const bool there = robot && body >= 0 && body < robot->model->n_bodies && robot->link_of[body] >= 0;
	const AbutLink *link = there ? &robot->links[robot->link_of[body]] : NULL;
	return link && link->joint < 0 ? link : NULL;
}

int abut_robot_joint_coordinate(const AbutRobot *robot, int joint)
{
	const AbutLink *link = link_of_joint(robot, joint);
	return link ? link->q : -1;
}

int abut_robot_joint_velocity(const AbutRobot *robot, int joint)
{
	const AbutLink *link = link_of_joint(robot, joint);
	return link ? link->v : -1;
}

int abut_robot_base_coordinate(const AbutRobot *robot, int body)
{
	const AbutLink *link = link_of_base(robot, body);
	return link ? link->q : -1;
}

int abut_robot_base_velocity(const AbutRobot *robot, int body)
{
	const AbutLink *link = link_of_base(robot, body);
	return link ? link->v : -1;
}
