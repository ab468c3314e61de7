/* Inverse dynamics of a step. The equations of the step are evaluated at the given velocities, with the forces of
 * contacts, limits, friction, loops and couplings of a known solution, and without the motors and the held rows of the
 * tree. What the balances of the bodies then lack is what these give. From the outermost link inwards, each balance has
 * the six rows of one joint as its unknowns: the held ones, and those of the freedoms, whose impulses are the motors'.
 *
 * Tested in tests/dynamics/robot/test_robot_inverse.c. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/rotation.h"
#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/contact/setup.h"
#include "dynamics/island/island.h"
#include "dynamics/joint/direction.h"
#include "dynamics/joint/keep.h"
#include "dynamics/pairs/candidates.h"
#include "dynamics/robot/held.h"
#include "dynamics/robot/pose.h"
#include "dynamics/solve/recovery.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/keep.h"
#include "dynamics/step/workspace.h"

typedef struct Inverse {
	AbutRobot *robot;
	const AbutModel *model;
	const AbutState *before, *after, *source; /* source: of the forces */
	AbutWorkspace *w;
	double *effort;
	bool exact;
} Inverse;

/* --- the equations of the step --- */

/* Moves the bodies by the velocities of `after`. */
static void move_bodies(const Inverse *inverse)
{
	const AbutModel *model = inverse->model;
	for (int i = 0; i < model->n_moving; i++) {
		AbutBodyWork *body = &inverse->w->bodies[model->moving_body[i]];
		const AbutBodyState *at = &inverse->after->motion[body->body].at;
		double y[6];
		abut_divide3(at->linear_velocity, model->units.velocity, y);
		abut_mat3_vec(body->R0, at->angular_velocity, &y[3]);
		abut_scale3(model->units.time, &y[3], &y[3]);
		abut_body_move(body, model->timestep, y);
	}
}

/* Finds all pairs that the step considers, at its start or at its end. */
static AbutStatus find_pairs(const Inverse *inverse)
{
	AbutWorkspace *w = inverse->w;
	const AbutModel *model = inverse->model;
	int added = 0;
	w->n_reported = 0;
	abut_step_gather(model, inverse->before, w, model->timestep);
	ABUT_TRY(abut_pairs_find(model, inverse->before, w->bodies, &w->pairs));
	ABUT_TRY(abut_partition_make(model, &w->pairs, w->bodies, &w->partition));
	move_bodies(inverse);
	do {
		ABUT_TRY(abut_pairs_missed(model, w->bodies, &w->partition, &w->pairs, &added));
		ABUT_TRY(added > 0 ? abut_partition_remake(model, &w->pairs, w->bodies, &w->partition) : ABUT_OK);
	} while (added > 0);
	AbutIslandSize size = {.n_bodies = 1, .n_blocks = 1};
	for (int i = 0; i < w->partition.n_islands; i++) {
		size = abut_island_size_max(&size, &w->partition.members[i].size);
	}
	ABUT_TRY(abut_workspace_reserve_results(w));
	return abut_island_reserve(model, &w->islands[0], &size);
}

/* Returns the memory of a pair of parts in the source of the forces; NULL: it did not touch. */
static const AbutContactMemory *find_memory(const Inverse *inverse, const AbutPair *pair)
{
	const AbutContactStore *store = &inverse->source->store;
	for (int i = 0; i < store->n; i++) {
		const int *part = store->entries[i].part;
		if (store->entries[i].solved && ((part[0] == pair->part[0] && part[1] == pair->part[1]) ||
		                                 (part[0] == pair->part[1] && part[1] == pair->part[0]))) {
			return &store->entries[i];
		}
	}
	return NULL;
}

/* Sets the targets of motors: those of joints that close loops act in the step, those of the tree are sought. */
static void set_targets(const Inverse *inverse)
{
	const AbutRobot *robot = inverse->robot;
	for (int i = 0; i < ABUT_JOINT_FREEDOMS * robot->model->joints.n; i++) {
		const bool sought = robot->link_of_joint[i / ABUT_JOINT_FREEDOMS] >= 0;
		robot->targets[i] = sought ? 0.0 : inverse->before->targets[i];
	}
}

/* Sets up the problem of an island, with the contacts that have known forces. */
static void set_up(const Inverse *inverse, const AbutIslandMembers *members, AbutIsland *island)
{
	AbutWorkspace *w = inverse->w;
	int n = 0;
	abut_step_restart(inverse->model, inverse->before, w, members, false, NULL);
	abut_step_gather_island(inverse->model, inverse->before, w, members, inverse->model->timestep);
	for (int i = 0; i < members->size.n_contacts; i++) {
		const int candidate = abut_island_candidate(w, members, i);
		if (find_memory(inverse, &w->pairs.candidates[candidate].pair)) {
			island->chosen[n++] = candidate;
		}
	}
	AbutIslandChoice choice = {n, abut_island_joints(inverse->before, w, members)};
	choice.joints.targets = inverse->robot->targets;
	abut_island_setup(inverse->model, w->bodies, &w->pairs, &w->partition, members, &choice,
	                  inverse->model->timestep, island);
	abut_step_recovery(inverse->model, island);
}

static void load_contacts(const Inverse *inverse, AbutIsland *island)
{
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		const AbutContactStore *store = &inverse->source->store;
		const AbutContactMemory *memory = find_memory(inverse, contact->pair);
		double *y = &island->iterate.y[contact->at.y], *z = &island->iterate.z[contact->at.z];
		memcpy(y, &store->y[memory->y], (size_t)memory->n_y * sizeof *y);
		memcpy(z, &store->z[memory->z], (size_t)memory->n_z * sizeof *z);
		abut_scale_forces(contact, island->problem.friction_cone, 1.0 / contact->scale.impulse, z);
	}
}

/* Takes the motors of a joint of the tree off its unknowns. */
static void release(const AbutJointWork *work, double *y, double *z)
{
	for (int i = 0; i < work->joint->kind->n_freedoms; i++) {
		const AbutJointAxisWork *axis = &work->axis[i];
		if (axis->clip[ABUT_CLIP_SERVO].there) {
			z[axis->clip[ABUT_CLIP_SERVO].z + 1] = 0.0;
		}
		if (axis->servo_y >= 0) {
			y[axis->servo_y] = 0.0;
		}
	}
	if (abut_joint_spins_clipped(work) && work->ball.clip[ABUT_CLIP_SERVO].clip.there) {
		memset(&z[work->ball.clip[ABUT_CLIP_SERVO].clip.z + 1], 0, 3 * sizeof *z);
	}
	memset(y, 0, (size_t)work->joint->n_held * sizeof *y);
}

/* Loads the forces of the source into the joints' unknowns: all of joints that close loops, those of limits and
 * friction of the others. If the source is the step itself, the direction of the impulses is that of the step. */
static void load_joints(const Inverse *inverse, AbutIsland *island)
{
	AbutContactProblem *problem = &island->problem;
	for (int i = 0; i < problem->n_joints; i++) {
		AbutJointWork *work = &problem->joints[i];
		const int joint = (int)(work->joint - inverse->model->joints.at);
		double *y = &island->iterate.y[work->at.y], *z = &island->iterate.z[work->at.z];
		*work->last = inverse->source->joints[joint];
		work->theta = inverse->source == inverse->after ? work->last->theta : work->theta;
		abut_joint_start_warm(work, problem->timestep, y, z);
		inverse->robot->works[joint] = work;
		if (inverse->robot->link_of_joint[joint] >= 0) {
			release(work, y, z);
		}
	}
	for (int i = 0; i < problem->n_couplings; i++) {
		const int coupling = (int)(problem->couplings[i].coupling - inverse->model->joints.couplings);
		island->iterate.y[problem->couplings[i].at] = inverse->source->couplings[coupling].impulse;
	}
}

/* Computes what the balances of the island's bodies lack. */
static void evaluate(const Inverse *inverse, AbutIsland *island)
{
	AbutContactProblem *problem = &island->problem;
	AbutIterate *it = &island->iterate;
	for (int i = 0; i < problem->n_moving; i++) {
		const AbutBodyWork *body = problem->moving[i];
		abut_copy3(body->v, &it->y[6 * i]);
		abut_copy3(body->w, &it->y[6 * i + 3]);
	}
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	for (int i = 0; i < problem->n_moving; i++) {
		memcpy(&inverse->robot->balance[6 * problem->moving[i]->body], &it->r[6 * i], 6 * sizeof(double));
	}
}

/* --- the tree --- */

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

/* Balances a link: finds the impulses of the rows of its joint, and hands them on to the near body. */
static void balance_link(const Inverse *inverse, const AbutLink *link)
{
	AbutRobot *robot = inverse->robot;
	const AbutUnits *u = &inverse->model->units;
	AbutJointWork *work = robot->works[link->joint];
	const AbutJointKind *kind = abut_joint_coordinates(work->joint);
	const int n_held = work->joint->n_held, n = n_held + link->n_v;
	const bool is_free = work->joint->kind->n_freedoms < link->n_v;
	const int own = abut_joint_column[link->side], other = abut_joint_column[1 - link->side];
	double A[6][6], b[6], x[6], spins[3][ABUT_ROW];
	free_spins(work, spins);
	for (int i = 0; i < n; i++) {
		const double *g = is_free && i >= n_held ? spins[i - n_held] : work->g[i];
		memcpy(A[i], &g[own], sizeof A[i]);
	}
	memcpy(b, &robot->balance[6 * link->body], sizeof b);
	solve_columns(n, A, b, x);
	for (int i = 0; i < n; i++) {
		const double *g = is_free && i >= n_held ? spins[i - n_held] : work->g[i];
		for (int k = 0; robot->link_of[link->near] >= 0 && k < 6; k++) {
			robot->balance[6 * link->near + k] -= x[i] * g[other + k];
		}
		if (i >= n_held) {
			const double unit = abut_joint_turns(kind, i - n_held) ? u->torsion : u->impulse;
			inverse->effort[link->v + i - n_held] = x[i] * unit / inverse->model->timestep_si;
		}
		if (!is_free || i < n_held) {
			work->impulse[i] += x[i];
		}
	}
}

/* Reads what the balance of a base lacks. */
static void balance_base(const Inverse *inverse, const AbutLink *link)
{
	const AbutUnits *u = &inverse->model->units;
	const AbutBodyWork *body = &inverse->w->bodies[link->body];
	const double dt = inverse->model->timestep_si, *r = &inverse->robot->balance[6 * link->body];
	double *effort = &inverse->effort[link->v], force[3], torque[3];
	abut_scale3(u->impulse / dt, r, force);
	abut_scale3(u->torsion / dt, &r[3], torque);
	if (link->n_v == ABUT_ROBOT_BASE) {
		abut_copy3(force, effort);
		abut_mat3_tvec(body->R0, torque, &effort[3]);
	} else {
		memcpy(effort, (const double[3]){force[0], force[2], torque[1]}, sizeof force);
	}
}

static void balance_tree(const Inverse *inverse, const AbutContactProblem *problem)
{
	const AbutRobot *robot = inverse->robot;
	for (int i = robot->n_links - 1; i >= 0; i--) {
		const AbutLink *link = &robot->links[i];
		const int moving = inverse->w->bodies[link->body].moving;
		if (moving < 0 || moving >= problem->n_moving || problem->moving[moving]->body != link->body) {
			continue; /* of another island */
		}
		if (link->joint >= 0) {
			balance_link(inverse, link);
		} else {
			balance_base(inverse, link);
		}
	}
}

static void invert_island(Inverse *inverse, const AbutIslandMembers *members)
{
	enum { MOST = 4 };
	AbutIsland *island = &inverse->w->islands[0];
	AbutContactProblem *problem = &island->problem;
	set_up(inverse, members, island);
	move_bodies(inverse);
	load_contacts(inverse, island);
	load_joints(inverse, island);
	for (int i = 0; i < MOST; i++) {
		evaluate(inverse, island);
		balance_tree(inverse, problem);
		if (inverse->source == inverse->after ||
		    !abut_joints_redirect(problem->joints, problem->n_joints, problem->timestep)) {
			break;
		}
		inverse->exact = false;
	}
}

/* --- the call --- */

static AbutStatus check(const AbutRobot *robot, const AbutState *before, const AbutState *after, const double *effort,
                        AbutError *error)
{
	if (!robot || !before || !after || !effort || before->model != robot->model || after->model != robot->model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "a robot, two states of its model, and effort must be given");
	}
	if (!robot->held.model) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.method",
		                      "is \"%s\"%s; inverse dynamics of robots needs \"single-level\" or \"bilevel\"",
		                      abut_method_name(robot->model->options.method),
		                      robot->model->formulation.published ? " with preset \"paper\"" : "");
	}
	return ABUT_OK;
}

/* Checks that the poses of `after` are those of `before`, moved by the velocities of `after` for a step. */
static AbutStatus check_motion(const Inverse *inverse, AbutError *error)
{
	static const double rounding = 1e-9; /* rad, and of lengths */
	const AbutModel *model = inverse->model;
	abut_robot_load_poses(inverse->robot, inverse->after);
	for (int i = 0; i < inverse->robot->n_links; i++) {
		const int body = inverse->robot->links[i].body;
		const AbutBodyState *from = &inverse->before->motion[body].at, *to = &inverse->after->motion[body].at;
		const AbutRobotPose *pose = &inverse->robot->poses[body];
		double R[9], turn[9], off[3], angle[3];
		if (!(0.5 * model->timestep_si * abut_norm3(to->angular_velocity) < 1.0)) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
			                      "body '%s' turns by more than pi in the step", model->bodies[body].name);
		}
		abut_quat_to_mat3(from->orientation, R);
		abut_mat3_transposed_mul(R, pose->past_R, turn);
		abut_mat3_to_rotation(turn, angle);
		abut_sub3(pose->past_x, from->position, off);
		const double size = model->units.length + abut_norm3(from->position);
		if (!(abut_norm3(off) <= rounding * size && abut_norm3(angle) <= rounding)) {
			return abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, NULL,
			    "body '%s' is %.3g m and %.3g rad from where the velocities of `after` take it from "
			    "`before` in a step of %g s; make `after` by a step or by abut_robot_advance",
			    model->bodies[body].name, abut_norm3(off), abut_norm3(angle), model->timestep_si);
		}
	}
	return ABUT_OK;
}

/* Decides whose forces are taken: those of `after`, if it is the end of a step from `before` in one part, or those of a
 * step with held rates. */
static AbutStatus find_source(Inverse *inverse, AbutRobotInverse *info, AbutError *error)
{
	const AbutModel *model = inverse->model;
	bool whole = true, none = true;
	for (int i = 0; i < model->n_moving; i++) {
		const double last = inverse->after->motion[model->moving_body[i]].last_timestep;
		whole = whole && last == model->timestep;
		none = none && last == 0.0;
	}
	if (whole && inverse->after->steps == inverse->before->steps + 1) {
		inverse->source = inverse->after;
		return check_motion(inverse, error);
	}
	if (!none && inverse->after->steps == inverse->before->steps + 1) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "the step to `after` was taken in parts, between which the motion is not known; "
		                      "use a shorter timestep");
	}
	ABUT_TRY(check_motion(inverse, error));
	info->found = true;
	inverse->source = inverse->robot->held.state;
	return abut_held_step(inverse->robot, inverse->before, inverse->after, error);
}

AbutStatus abut_robot_inverse(AbutRobot *robot, const AbutState *before, const AbutState *after, double *effort,
                              AbutRobotInverse *info, AbutError *error)
{
	AbutRobotInverse own = {.exact = true};
	ABUT_TRY(check(robot, before, after, effort, error));
	Inverse inverse = {.robot = robot,
	                   .model = robot->model,
	                   .before = before,
	                   .after = after,
	                   .w = robot->workspace,
	                   .effort = effort,
	                   .exact = true};
	ABUT_TRY(find_source(&inverse, &own, error));
	ABUT_TRY(find_pairs(&inverse));
	set_targets(&inverse);
	memset(effort, 0, (size_t)robot->n_v * sizeof *effort);
	for (int i = 0; i < robot->workspace->partition.n_islands; i++) {
		invert_island(&inverse, &robot->workspace->partition.members[i]);
	}
	own.exact = inverse.exact;
	for (int v = 0; v < robot->n_v; v++) {
		own.residual = robot->driven[v] ? own.residual : abut_max(own.residual, fabs(effort[v]));
	}
	if (info) {
		*info = own;
	}
	return ABUT_OK;
}
