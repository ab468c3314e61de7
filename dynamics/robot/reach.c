/* Inverse kinematics: a damped Gauss-Newton method with the loops and couplings as equations. With the derivatives J of
 * the targets' errors e, and K of the conditions k, an iteration solves
 *
 *     [ J'J + mu I   K'      ] [dq    ]   [ -J' e ]
 *     [ K            -delta I ] [lambda] = [ -k   ]
 *
 * with delta = min(mu, 1) / w. For small mu, this closes the conditions almost exactly; where they are singular, mu
 * grows, and from mu = 1 on it is a damped step for the sum |e|^2 + w |k|^2, which must fall. Freedoms at a limit that
 * would leave it stay there, and the system is solved again without them. Tested in
 * tests/dynamics/robot/test_robot_reach.c. */
#include "dynamics/robot/reach.h"

#include <math.h>
#include <string.h>

#include "base/lapack.h"
#include "base/rotation.h"
#include "base/vec3.h"
#include "dynamics/robot/loops.h"
#include "dynamics/robot/newton_euler.h"
#include "dynamics/robot/pose.h"

enum { MOST_ITERATIONS = 300, MOST_FIXED = 50 };
/* m and rad: what needs no further iteration. */
static const double enough = 1e-13;
/* The least delta: where conditions depend on each other. */
static const double tiny = 1e-12;
/* w: the weight of conditions beside targets. */
static const double weight = 1e3;
static const double least_damping = 1e-14, most_damping = 1e8;
/* Largest change of a coordinate in an iteration, rad or m. */
static const double most_step = 0.5;

typedef struct Reach {
	AbutRobot *robot;
	int n;
	const AbutRobotTarget *targets;
	double *q;
	double damping;
	AbutRobotReach info;
} Reach;

/* --- errors --- */

/* Computes the error of a target and its derivatives: six rows from `row` on. Returns its size. */
static double measure_target(const Reach *reach, const AbutRobotTarget *target, int row, AbutRobotReach *info)
{
	const AbutRobot *robot = reach->robot;
	const AbutRobotPose *pose = &robot->poses[target->body];
	double *e = &robot->reach.error[row], *J = &robot->reach.task[(size_t)row * (size_t)robot->n_v];
	double point[3], frame[9], own[9], wanted[9], turn[9];
	abut_sub3(target->frame.position, robot->model->bodies[target->body].centre_of_mass, point);
	abut_mat3_vec(pose->R, point, point);
	abut_add3(pose->x, point, point);
	abut_quat_to_mat3(target->frame.orientation, frame);
	abut_mat3_mul(pose->R, frame, own);
	abut_quat_to_mat3(target->orientation, wanted);
	abut_mat3_mul_transposed(own, wanted, turn);
	abut_sub3(point, target->position, e);
	abut_mat3_to_rotation(turn, &e[3]);
	abut_robot_point_jacobian(robot, target->body, point, J);
	if (!target->place) {
		memset(e, 0, 3 * sizeof *e);
		memset(J, 0, 3 * (size_t)robot->n_v * sizeof *J);
	}
	if (!target->turn) {
		memset(&e[3], 0, 3 * sizeof *e);
		memset(&J[3 * robot->n_v], 0, 3 * (size_t)robot->n_v * sizeof *J);
	}
	info->error_m = abut_max(info->error_m, abut_norm3(e));
	info->error_rad = abut_max(info->error_rad, abut_norm3(&e[3]));
	return abut_norm3(e) + abut_norm3(&e[3]);
}

/* Computes all errors at q. Returns half their square; loops count far more than targets. */
static double measure(Reach *reach, const double *q)
{
	const AbutRobot *robot = reach->robot;
	const AbutReachRoom *room = &robot->reach;
	double sum = 0.0, most = 0.0;
	const int iterations = reach->info.iterations;
	reach->info = (AbutRobotReach){.iterations = iterations};
	abut_robot_place(reach->robot, q);
	reach->info.violation = abut_robot_loops(robot, q);
	for (int i = 0; i < reach->n; i++) {
		const double size = measure_target(reach, &reach->targets[i], 6 * i, &reach->info);
		reach->info.worst = size > most ? i : reach->info.worst;
		most = abut_max(most, size);
	}
	for (int i = 0; i < 6 * reach->n; i++) {
		sum += 0.5 * room->error[i] * room->error[i];
	}
	for (int i = 0; i < room->n_rows; i++) {
		sum += 0.5 * weight * room->off[i] * room->off[i];
	}
	return sum;
}

/* --- an iteration --- */

/* Sets up the system of an iteration. */
static void assemble(const Reach *reach)
{
	const AbutReachRoom *room = &reach->robot->reach;
	const size_t n_v = (size_t)reach->robot->n_v, n_rows = (size_t)room->n_rows, n = n_v + n_rows;
	const size_t n_task = 6 * (size_t)reach->n;
	const double delta = fmax(tiny, fmin(reach->damping, 1.0) / weight);
	memset(room->matrix, 0, n * n * sizeof *room->matrix);
	memset(room->unknown, 0, n * sizeof *room->unknown);
	for (size_t row = 0; row < n_task; row++) {
		const double *J = &room->task[row * n_v];
		for (size_t i = 0; i < n_v; i++) {
			for (size_t k = 0; J[i] != 0.0 && k < n_v; k++) {
				room->matrix[n * i + k] += J[i] * J[k];
			}
			room->unknown[i] -= J[i] * room->error[row];
		}
	}
	for (size_t i = 0; i < n_v; i++) {
		room->matrix[n * i + i] += reach->damping;
	}
	for (size_t row = 0; row < n_rows; row++) {
		for (size_t i = 0; i < n_v; i++) {
			room->matrix[n * (n_v + row) + i] = room->matrix[n * i + n_v + row] = room->loop[row * n_v + i];
		}
		room->matrix[n * (n_v + row) + n_v + row] = -delta;
		room->unknown[n_v + row] = -room->off[row];
	}
}

/* Solves for the step of the freedoms that are not fixed; those that are keep their entry of the step. */
static bool solve(const Reach *reach)
{
	const AbutReachRoom *room = &reach->robot->reach;
	const size_t n_v = (size_t)reach->robot->n_v, n = n_v + (size_t)room->n_rows;
	assemble(reach);
	for (size_t i = 0; i < n_v; i++) {
		for (size_t k = 0; room->fixed[i] && k < n; k++) {
			room->unknown[k] -= room->matrix[n * i + k] * room->step[i];
			room->matrix[n * i + k] = room->matrix[n * k + i] = k == i ? 1.0 : 0.0;
		}
	}
	for (size_t i = 0; i < n_v; i++) {
		room->unknown[i] = room->fixed[i] ? room->step[i] : room->unknown[i];
	}
	if (!abut_lapack_solve((int)n, room->matrix, room->pivots, 1, room->unknown)) {
		return false;
	}
	memcpy(room->step, room->unknown, n_v * sizeof *room->step);
	return true;
}

/* Returns the limits of a freedom; false if it has none. */
static bool limits_of(const AbutRobot *robot, int v, double range[2])
{
	const AbutLink *link = &robot->links[robot->link_of_v[v]];
	const AbutJoint *joint = link->joint >= 0 ? &robot->model->joints.at[link->joint] : NULL;
	if (!joint || joint->type == ABUT_JOINT_BALL || !joint->acting[v - link->v].has_limits) {
		return false;
	}
	range[0] = joint->acting[v - link->v].lower;
	range[1] = joint->acting[v - link->v].upper;
	return true;
}

/* Fixes the freedoms that the step takes beyond a limit at that limit. Returns whether there is one. */
static bool fix_at_limits(const Reach *reach)
{
	const AbutRobot *robot = reach->robot;
	bool any = false;
	for (int v = 0; v < robot->n_v; v++) {
		const AbutLink *link = &robot->links[robot->link_of_v[v]];
		double range[2];
		if (robot->reach.fixed[v] || !limits_of(robot, v, range)) {
			continue;
		}
		const double c = reach->q[link->q + v - link->v], to = c + robot->reach.step[v];
		if (to < range[0] || to > range[1]) {
			robot->reach.step[v] = (to < range[0] ? range[0] : range[1]) - c;
			robot->reach.fixed[v] = any = true;
		}
	}
	return any;
}

/* Computes the step within the limits, and the coordinates after it into the room. */
static bool find_step(const Reach *reach)
{
	AbutReachRoom *room = &reach->robot->reach;
	double largest = 0.0;
	memset(room->fixed, 0, (size_t)reach->robot->n_v * sizeof *room->fixed);
	for (int i = 0; i < MOST_FIXED; i++) {
		if (!solve(reach)) {
			return false;
		}
		if (!fix_at_limits(reach)) {
			break;
		}
	}
	for (int v = 0; v < reach->robot->n_v; v++) {
		largest = abut_max(largest, fabs(room->step[v]));
	}
	for (int v = 0; largest > most_step && v < reach->robot->n_v; v++) {
		room->step[v] *= most_step / largest;
	}
	return abut_robot_integrate(reach->robot, reach->q, room->step, 1.0, room->q) == ABUT_OK;
}

/* Brings coordinates beyond their limits back to them. */
static void enter_limits(const Reach *reach)
{
	const AbutRobot *robot = reach->robot;
	for (int v = 0; v < robot->n_v; v++) {
		const AbutLink *link = &robot->links[robot->link_of_v[v]];
		double range[2], *c = &reach->q[link->q + v - link->v];
		if (limits_of(robot, v, range)) {
			*c = fmin(fmax(*c, range[0]), range[1]);
		}
	}
}

static void iterate(Reach *reach)
{
	AbutReachRoom *room = &reach->robot->reach;
	enter_limits(reach);
	double now = measure(reach, reach->q);
	for (int i = 0; i < MOST_ITERATIONS && reach->damping < most_damping; i++) {
		const AbutRobotReach *info = &reach->info;
		if (info->error_m < enough && info->error_rad < enough && info->violation < enough) {
			break;
		}
		reach->info.iterations++;
		const double next = find_step(reach) ? measure(reach, room->q) : (double)INFINITY;
		if (next < now) {
			const bool slow = next > 0.999999 * now && reach->damping <= 1e-6;
			memcpy(reach->q, room->q, (size_t)reach->robot->n_q * sizeof *reach->q);
			reach->damping = fmax(0.2 * reach->damping, least_damping);
			now = next;
			if (slow) {
				break;
			}
		} else {
			reach->damping *= 5.0;
			measure(reach, reach->q);
		}
	}
	measure(reach, reach->q);
}

void abut_reach_solve(AbutRobot *robot, int n, const AbutRobotTarget *targets, double *q, AbutRobotReach *info)
{
	Reach reach = {.robot = robot, .n = n, .targets = targets, .q = q, .damping = 1e-3};
	iterate(&reach);
	if (n > 0 && reach.info.violation > abut_reach_closed) { /* not reached: closes what is open */
		reach.n = 0;
		reach.damping = 1e-3;
		iterate(&reach);
		reach.n = n;
		measure(&reach, q);
	}
	*info = reach.info;
}
