/* The memory of inverse kinematics. Tested in tests/dynamics/robot/test_robot_reach.c. */
#include "dynamics/robot/reach_room.h"

#include <stdlib.h>

#include "base/error.h"
#include "dynamics/model/coupling.h"

/* Returns the number of rows of all loops and couplings. */
static int count_rows(const AbutRobot *robot)
{
	int n = 0;
	for (int i = 0; i < robot->model->joints.n_couplings; i++) {
		n += robot->model->joints.couplings[i].yields ? 0 : 1;
	}
	for (int i = 0; i < robot->model->joints.n; i++) {
		n += robot->link_of_joint[i] < 0 ? robot->model->joints.at[i].n_held : 0;
	}
	return n;
}

AbutStatus abut_reach_room_reserve(AbutRobot *robot, AbutError *error)
{
	AbutReachRoom *room = &robot->reach;
	if (room->matrix) {
		return ABUT_OK;
	}
	room->n_rows = count_rows(robot);
	const size_t n_q = (size_t)robot->n_q + 1, n_v = (size_t)robot->n_v + 1, n_task = 6 * ABUT_ROBOT_TARGETS_MAX;
	const size_t n_rows = (size_t)room->n_rows + 1, n = n_v + n_rows;
	room->loop = calloc(n_rows * n_v, sizeof *room->loop);
	room->off = calloc(n_rows, sizeof *room->off);
	room->task = calloc(n_task * n_v, sizeof *room->task);
	room->error = calloc(n_task, sizeof *room->error);
	room->unknown = calloc(n, sizeof *room->unknown);
	room->pivots = calloc(n, sizeof *room->pivots);
	room->fixed = calloc(n_v, sizeof *room->fixed);
	room->q = calloc(n_q, sizeof *room->q);
	room->step = calloc(n_v, sizeof *room->step);
	room->matrix = calloc(n * n, sizeof *room->matrix);
	if (room->loop && room->off && room->task && room->error && room->unknown && room->pivots && room->fixed &&
	    room->q && room->step && room->matrix) {
		return ABUT_OK;
	}
	abut_reach_room_release(room);
	return abut_error_set(
	    error, ABUT_ERROR_MEMORY, NULL,
	    "out of memory for inverse kinematics: a robot with %d velocities and %d rows of loops and "
	    "couplings needs %.3g MB",
	    robot->n_v, (int)n_rows - 1, 8e-6 * ((double)n * (double)n + (double)(n_task + n_rows) * (double)n_v));
}

void abut_reach_room_release(AbutReachRoom *room)
{
	void *const blocks[] = {room->loop,   room->off,   room->task, room->error, room->unknown,
	                        room->pivots, room->fixed, room->q,    room->step,  room->matrix};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		free(blocks[i]);
	}
	*room = (AbutReachRoom){.n_rows = 0};
}
