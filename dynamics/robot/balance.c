/* Balances of links. What the balance of a link lacks is the sum over the six rows of its joint, held ones and those of
 * the freedoms, times their impulses: from the outermost link inwards, six equations for six unknowns. These are then
 * taken off the balance of the near body. Tested in tests/dynamics/robot/test_robot_inverse.c. */
#include "dynamics/robot/balance.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/step/workspace.h"

/* Solves the n <= 6 columns of A (6 x n, column after column) for b by elimination with complete pivoting; columns that
 * depend on others, as those of planar bodies may, get 0. */
static void solve_columns(int n, double A[6][6], double b[6], double *x)
{
	static const double dependent = 1e-12;
	bool row_used[6] = {false}, column_used[6] = {false};
	int order[6][2], rank = 0;
	double first = 0.0;
	memset(x, 0, (size_t)n * sizeof *x);
	for (; rank < n; rank++) {
		int best[2] = {-1, -1};
		double most = dependent * first;
		for (int i = 0; i < 36; i++) {
			const int column = i / 6, row = i % 6;
			if (column < n && !row_used[row] && !column_used[column] && fabs(A[column][row]) > most) {
				most = fabs(A[column][row]);
				best[0] = row;
				best[1] = column;
			}
		}
		if (best[0] < 0) {
			break;
		}
		first = abut_max(first, most);
		row_used[best[0]] = column_used[best[1]] = true;
		memcpy(order[rank], best, sizeof best);
		for (int row = 0; row < 6; row++) {
			const double factor = row_used[row] ? 0.0 : A[best[1]][row] / A[best[1]][best[0]];
			for (int column = 0; column < n; column++) {
				A[column][row] -= factor * A[column][best[0]];
			}
			b[row] -= factor * b[best[0]];
		}
	}
	while (rank-- > 0) {
		const int row = order[rank][0], own = order[rank][1];
		double sum = b[row];
		for (int column = 0; column < n; column++) {
			sum -= column == own ? 0.0 : A[column][row] * x[column];
		}
		x[own] = sum / A[own][row];
	}
}

/* Writes the rows of a joint's free spins, on which nothing acts, at the start of the step. */
static void free_spins(const AbutJointWork *work, double g[3][ABUT_ROW])
{
	const AbutJoint *joint = work->joint;
	double B[9];
	abut_mat3_mul(work->body[1]->R0, joint->axes[1], B);
	memset(g, 0, 3 * sizeof *g);
	for (int i = 0; i < 3; i++) {
		for (int row = 0; row < 3; row++) {
			g[i][3 + row] = -B[3 * row + i];
			g[i][ABUT_SIDE_1 + 3 + row] = B[3 * row + i];
		}
	}
}

static bool is_zero(const double b[6])
{
	int k = 0;
	while (k < 6 && b[k] == 0.0) {
		k++;
	}
	return k == 6;
}

/* Balances a link: finds the impulses of the rows of its joint, and hands them on to the near body. */
static void balance_link(const AbutRobot *robot, const AbutLink *link, bool keep, double *effort)
{
	AbutJointWork *work = robot->works[link->joint];
	const int n_held = work->joint->n_held, n = n_held + link->n_v;
	const bool is_free = work->joint->kind->n_freedoms < link->n_v;
	const int own = abut_joint_column[link->side], other = abut_joint_column[1 - link->side];
	double A[6][6], b[6], x[6] = {0.0}, spins[3][ABUT_ROW];
	memcpy(b, &robot->balance[6 * link->body], sizeof b);
	if (is_zero(b)) {
		memset(&effort[link->v], 0, (size_t)link->n_v * sizeof *effort);
		return;
	}
	free_spins(work, spins);
	for (int i = 0; i < n; i++) {
		const double *g = is_free && i >= n_held ? spins[i - n_held] : work->g[i];
		memcpy(A[i], &g[own], sizeof A[i]);
	}
	solve_columns(n, A, b, x);
	for (int i = 0; i < n; i++) {
		const double *g = is_free && i >= n_held ? spins[i - n_held] : work->g[i];
		for (int k = 0; robot->link_of[link->near] >= 0 && k < 6; k++) {
			robot->balance[6 * link->near + k] -= x[i] * g[other + k];
		}
		if (i >= n_held) {
			effort[link->v + i - n_held] =
			    x[i] * abut_robot_effort_unit(robot->model, work->joint, i - n_held);
		}
		if (keep && (!is_free || i < n_held)) {
			work->impulse[i] += x[i];
		}
	}
}

/* Reads what the balance of a base lacks. */
static void balance_base(const AbutRobot *robot, const AbutLink *link, double *effort)
{
	const AbutUnits *u = &robot->model->units;
	const AbutBodyWork *body = &robot->workspace->bodies[link->body];
	const double dt = robot->model->timestep_si, *r = &robot->balance[6 * link->body];
	double force[3], torque[3];
	abut_scale3(u->impulse / dt, r, force);
	abut_scale3(u->torsion / dt, &r[3], torque);
	if (link->n_v == ABUT_ROBOT_BASE) {
		abut_copy3(force, effort);
		abut_mat3_tvec(body->R0, torque, &effort[3]);
	} else {
		memcpy(effort, (const double[3]){force[0], force[2], torque[1]}, sizeof force);
	}
}

void abut_robot_balance(const AbutRobot *robot, const AbutContactProblem *problem, bool keep, double *effort)
{
	for (int i = robot->n_links - 1; i >= 0; i--) {
		const AbutLink *link = &robot->links[i];
		const int moving = robot->workspace->bodies[link->body].moving;
		if (moving < 0 || moving >= problem->n_moving || problem->moving[moving]->body != link->body) {
			continue; /* of another island */
		}
		if (link->joint >= 0) {
			balance_link(robot, link, keep, effort);
		} else {
			balance_base(robot, link, &effort[link->v]);
		}
	}
}

double abut_robot_effort_unit(const AbutModel *model, const AbutJoint *joint, int axis)
{
	const bool turns = abut_joint_turns(abut_joint_coordinates(joint), axis);
	return (turns ? model->units.torsion : model->units.impulse) / model->timestep_si;
}

void abut_robot_push(const AbutRobot *robot, const AbutJointWork *work, int row, double impulse)
{
	for (int s = 0; s < 2; s++) {
		const double *g = &work->g[row][abut_joint_column[s]];
		for (int k = 0; work->body[s]->moving >= 0 && k < 6; k++) {
			robot->balance[6 * work->body[s]->body + k] -= impulse * g[k];
		}
	}
}
