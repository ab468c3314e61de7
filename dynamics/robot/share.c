/* Shares efforts between the motors of loops and couplings. The balances of the links give the efforts e of the
 * freedoms of the tree for known impulses of the joints that close loops and of the couplings. With changes d of these
 * impulses, they are e + A d. Further entries of d are the efforts of the motors on joints that close loops, and of the
 * limits at which freedoms without a motor end. share_least.h chooses d. Tested in
 * tests/dynamics/robot/test_robot_loops.c. */
#include "dynamics/robot/share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lapack.h"
#include "base/vec3.h"
#include "dynamics/robot/balance.h"
#include "dynamics/robot/held.h"
#include "dynamics/robot/share_least.h"

/* A limit acts up to this distance, in rad and model units of length. */
static const double touching = 1e-9;

/* Returns the number of unknowns that a joint which closes a loop has. */
static int count_of(const AbutJoint *joint)
{
	int n = joint->n_held;
	for (int k = 0; k < abut_joint_type_freedoms(joint->type); k++) {
		n += abut_joint_has_motor(joint, k) ? 1 : 0;
	}
	return n;
}

/* Returns whether the limits of a freedom share the load of loops and couplings: those of freedoms whose rate no motor
 * holds. */
static bool takes_limit(const AbutRobot *robot, int joint, int axis)
{
	const AbutJoint *of = &robot->model->joints.at[joint];
	return of->type != ABUT_JOINT_BALL && axis < abut_joint_type_freedoms(of->type) && of->law[axis].limited &&
	       !abut_held_holds(robot, joint, axis);
}

AbutStatus abut_share_reserve(AbutRobot *robot, AbutError *error)
{
	const AbutModel *model = robot->model;
	AbutShare *share = &robot->share;
	int most = model->joints.n_couplings;
	for (int i = 0; i < model->joints.n; i++) {
		most += robot->link_of_joint[i] < 0 ? count_of(&model->joints.at[i]) : 0;
	}
	if (share->unknowns || most == 0) {
		return ABUT_OK;
	}
	for (int i = 0; i < ABUT_JOINT_FREEDOMS * model->joints.n; i++) {
		most += takes_limit(robot, i / ABUT_JOINT_FREEDOMS, i % ABUT_JOINT_FREEDOMS) ? 1 : 0;
	}
	const size_t n = (size_t)most, n_v = (size_t)robot->n_v + 1, n_rows = n_v + n;
	share->unknowns = calloc(n, sizeof *share->unknowns);
	share->effort = calloc(n_v, sizeof *share->effort);
	share->columns = calloc(n * n_v, sizeof *share->columns);
	share->balance = calloc(6 * ((size_t)model->n_bodies + 1), sizeof *share->balance);
	share->change = calloc(n, sizeof *share->change);
	share->before = calloc(n, sizeof *share->before);
	share->right = calloc(n_rows, sizeof *share->right);
	share->free = calloc(n_rows * n, sizeof *share->free);
	share->driven = calloc(n_rows * n, sizeof *share->driven);
	share->room = calloc(abut_lapack_least_room((int)n_rows, most), sizeof *share->room);
	if (share->unknowns && share->effort && share->columns && share->balance && share->change && share->before &&
	    share->right && share->free && share->driven && share->room) {
		return ABUT_OK;
	}
	abut_share_release(share);
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL,
	                      "out of memory for inverse dynamics: a robot with %d velocities and %d conditions and "
	                      "motors of loops and couplings needs %.3g MB",
	                      robot->n_v, most, 8e-6 * (double)n * (double)(3 * n_v + 2 * n));
}

void abut_share_release(AbutShare *share)
{
	void *const blocks[] = {share->unknowns, share->effort, share->columns, share->balance, share->change,
	                        share->before,   share->right,  share->free,    share->driven,  share->room};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		free(blocks[i]);
	}
	*share = (AbutShare){.n = 0};
}

/* --- unknowns --- */

static void add(AbutShare *share, AbutJointWork *work, int row, int motor, double unit)
{
	share->unknowns[share->n++] =
	    (AbutShared){.work = {work, NULL}, .row = {row, 0}, .impulse = {1.0 / unit, 0.0}, .motor = motor};
}

/* Adds the limit that a freedom reaches at the end of the motion; both limits hold it. */
static void add_limit(AbutShare *share, AbutJointWork *work, int axis, double unit)
{
	const AbutJointAxisWork *own = &work->axis[axis];
	const bool low = own->c <= own->lower + touching;
	const bool high = own->limits->dim > 1 && own->c >= own->upper - touching;
	if (low || high) {
		add(share, work, work->joint->n_held + axis, -1, low ? unit : -unit);
		share->unknowns[share->n - 1].pushes = low != high;
	}
}

/* Lists the unknowns of an island, of 1 N or N m each. */
static void list_unknowns(AbutRobot *robot, const AbutContactProblem *problem)
{
	AbutShare *share = &robot->share;
	const AbutUnits *u = &robot->model->units;
	const double dt = robot->model->timestep_si, force = u->impulse / dt, torque = u->torsion / dt;
	share->n = 0;
	for (int i = 0; i < problem->n_joints; i++) {
		AbutJointWork *work = &problem->joints[i];
		const AbutJoint *joint = work->joint;
		const int index = (int)(joint - robot->model->joints.at);
		const int n_free = robot->link_of_joint[index] < 0 ? abut_joint_type_freedoms(joint->type) : 0;
		for (int k = 0; robot->link_of_joint[index] < 0 && k < joint->n_held; k++) {
			add(share, work, k, -1, k < abut_joint_kind_places(joint->kind) ? force : torque);
		}
		for (int k = 0; k < n_free; k++) {
			if (abut_joint_has_motor(joint, k)) {
				add(share, work, joint->n_held + k, ABUT_JOINT_FREEDOMS * index + k,
				    abut_robot_effort_unit(robot->model, joint, k));
			}
		}
		for (int k = 0; k < joint->kind->n_freedoms; k++) {
			if (work->axis[k].limits && takes_limit(robot, index, k)) {
				add_limit(share, work, k, abut_robot_effort_unit(robot->model, joint, k));
			}
		}
	}
	for (int i = 0; i < problem->n_couplings; i++) {
		const AbutCouplingWork *work = &problem->couplings[i];
		if (work->coupling->yields) {
			continue; /* its impulse follows from the motion */
		}
		const double unit = work->coupling->turns ? torque : force;
		share->unknowns[share->n++] =
		    (AbutShared){.work = {work->joint[0], work->joint[1]},
		                 .row = {work->row[0], work->row[1]},
		                 .impulse = {work->coupling->factor[0] / unit, work->coupling->factor[1] / unit},
		                 .motor = -1};
	}
}

/* Lets an unknown of a value act on the bodies. */
static void push(const AbutRobot *robot, const AbutShared *unknown, double value)
{
	for (int end = 0; end < 2 && unknown->work[end]; end++) {
		abut_robot_push(robot, unknown->work[end], unknown->row[end], value * unknown->impulse[end]);
	}
}

/* Adds an unknown of a value to the impulses of the joints, for their direction. */
static void keep(const AbutShared *unknown, double value)
{
	for (int end = 0; end < 2 && unknown->work[end]; end++) {
		AbutJointWork *work = unknown->work[end];
		const int axis = unknown->row[end] - work->joint->n_held;
		const double impulse = value * unknown->impulse[end];
		if (axis < 0) {
			work->impulse[unknown->row[end]] += impulse;
		} else if (unknown->work[1]) {
			work->axis[axis].geared += impulse;
		}
	}
}

/* Computes e and the columns of A. */
static void find_columns(const AbutRobot *robot, const AbutContactProblem *problem)
{
	const AbutShare *share = &robot->share;
	const size_t n_v = (size_t)robot->n_v, size = 6 * (size_t)robot->model->n_bodies * sizeof *share->balance;
	memcpy(share->balance, robot->balance, size);
	memset(share->effort, 0, n_v * sizeof *share->effort);
	memset(share->columns, 0, (size_t)share->n * n_v * sizeof *share->columns);
	abut_robot_balance(robot, problem, false, share->effort);
	for (int k = 0; k < share->n; k++) {
		memset(robot->balance, 0, size);
		push(robot, &share->unknowns[k], 1.0);
		abut_robot_balance(robot, problem, false, &share->columns[(size_t)k * n_v]);
	}
	memcpy(robot->balance, share->balance, size);
}

AbutStatus abut_robot_share(AbutRobot *robot, const AbutContactProblem *problem, int *internal, AbutError *error)
{
	AbutShare *share = &robot->share;
	int n_driven = 0;
	*internal = 0;
	list_unknowns(robot, problem);
	if (share->n == 0) {
		return ABUT_OK;
	}
	find_columns(robot, problem);
	for (int v = 0; v < robot->n_v; v++) {
		n_driven += robot->driven[v] ? 1 : 0;
	}
	share->n_free = abut_max_int(robot->n_v - n_driven, share->n);
	share->n_driven = n_driven + share->n;
	*internal = abut_share_least(robot, share);
	if (*internal < 0) {
		return abut_error_set(
		    error, ABUT_ERROR_NUMERICAL, NULL,
		    "the efforts of a robot with %d velocities could not be shared: no singular values of its %d "
		    "conditions, limits and motors of loops and couplings were found, or they depend on each other "
		    "so nearly that no set of limits that push was found",
		    robot->n_v, share->n);
	}
	for (int k = 0; k < share->n; k++) {
		const AbutShared *unknown = &share->unknowns[k];
		push(robot, unknown, share->change[k]);
		keep(unknown, share->change[k]);
		if (unknown->motor >= 0) {
			robot->motors[unknown->motor] = share->change[k];
		}
	}
	return ABUT_OK;
}
