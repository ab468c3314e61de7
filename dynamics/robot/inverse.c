/* Inverse dynamics of a step. The equations of the step are evaluated at the given velocities, with the forces of
 * contacts, limits, friction, loops and couplings of a known solution, and without the motors and the held rows of the
 * tree. What the balances of the bodies then lack is what these give (balance.h). Where the forces of loops are not
 * those of a known step, the motors share it (share.h).
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
#include "dynamics/robot/balance.h"
#include "dynamics/robot/held.h"
#include "dynamics/robot/pose.h"
#include "dynamics/robot/share.h"
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
	AbutRobotInverse info;
} Inverse;

/* Returns whether the forces of contacts and laws follow from the motion. */
static bool follows(const AbutModel *model)
{
	return model->method->apply_motion != NULL;
}

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
static AbutStatus find_cone_pairs(const Inverse *inverse)
{
	AbutWorkspace *w = inverse->w;
	const AbutModel *model = inverse->model;
	int added = 0;
	abut_step_gather(model, inverse->before, w, model->timestep);
	ABUT_TRY(abut_pairs_find(model, inverse->before, w->bodies, &w->pairs));
	ABUT_TRY(abut_partition_make(model, &w->pairs, w->bodies, &w->partition));
	move_bodies(inverse);
	do {
		ABUT_TRY(abut_pairs_missed(model, w->bodies, &w->partition, &w->pairs, &added));
		ABUT_TRY(added > 0 ? abut_partition_remake(model, &w->pairs, w->bodies, &w->partition) : ABUT_OK);
	} while (added > 0);
	return ABUT_OK;
}

static AbutStatus find_pairs(const Inverse *inverse, AbutError *error)
{
	AbutWorkspace *w = inverse->w;
	const AbutModel *model = inverse->model;
	w->n_reported = 0;
	ABUT_TRY(follows(model) ? model->method->prepare_motion(model, inverse->before, w, error) : ABUT_OK);
	AbutStatus status = follows(model) ? ABUT_OK : find_cone_pairs(inverse);
	AbutIslandSize size = {.n_bodies = 1, .n_blocks = 1};
	for (int i = 0; status == ABUT_OK && i < w->partition.n_islands; i++) {
		size = abut_island_size_max(&size, &w->partition.members[i].size);
	}
	ABUT_THEN(status, abut_workspace_reserve_results(w));
	ABUT_THEN(status, abut_island_reserve(model, &w->islands[0], &size));
	return status == ABUT_OK ? ABUT_OK
	                         : abut_error_set(error, status, NULL, "the contacts of the motion could not be found");
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

/* Returns whether the efforts of a joint's motors are sought. Those of joints that close loops act as in the step, if
 * it is known. */
static bool is_sought(const Inverse *inverse, int joint)
{
	return inverse->source != inverse->after || inverse->robot->link_of_joint[joint] >= 0;
}

/* Sets the targets of motors. */
static void set_targets(const Inverse *inverse)
{
	const AbutRobot *robot = inverse->robot;
	for (int i = 0; i < ABUT_JOINT_FREEDOMS * robot->model->joints.n; i++) {
		robot->targets[i] = is_sought(inverse, i / ABUT_JOINT_FREEDOMS) ? 0.0 : inverse->before->targets[i];
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
		if (!follows(inverse->model) && find_memory(inverse, &w->pairs.candidates[candidate].pair)) {
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

/* Takes the motors of a joint off its unknowns. */
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
}

/* Takes limits off the unknowns of a joint: the motors keep those of held freedoms, and the others share the load of
 * loops and couplings (share.h). Those of a ball stay. */
static void release_limits(const AbutRobot *robot, const AbutJointWork *work, int joint, double *z)
{
	for (int i = 0; work->joint->type != ABUT_JOINT_BALL && i < work->joint->kind->n_freedoms; i++) {
		const AbutJointAxisWork *axis = &work->axis[i];
		const bool released = abut_held_holds(robot, joint, i) || robot->share.unknowns;
		for (int k = 0; axis->limits && released && k < axis->limits->dim; k++) {
			z[axis->limits_z + k] = 0.0;
		}
	}
}

/* Loads the forces of the source into the joints' unknowns: those of limits and friction, and of joints that close
 * loops also those of held rows. If the source is the step itself, the direction of the impulses is that of the step.
 */
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
		if (is_sought(inverse, joint)) {
			release(work, y, z);
		}
		if (inverse->info.found) {
			release_limits(inverse->robot, work, joint, z);
		}
		if (inverse->robot->link_of_joint[joint] >= 0) {
			memset(y, 0, (size_t)work->joint->n_held * sizeof *y);
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

/* Measures how far the joints and couplings of the island are open at the end of the step. */
static void measure(Inverse *inverse, const AbutContactProblem *problem)
{
	const double length = inverse->model->units.length;
	double *worst = &inverse->info.violation;
	for (int i = 0; i < problem->n_joints; i++) {
		const AbutJointWork *work = &problem->joints[i];
		for (int k = 0; k < work->joint->n_held; k++) {
			const double unit = k < abut_joint_kind_places(work->joint->kind) ? length : 1.0;
			*worst = abut_max(*worst, unit * fabs(work->rows[k].value));
		}
	}
	for (int i = 0; i < problem->n_couplings; i++) {
		const double unit = problem->couplings[i].coupling->turns ? 1.0 : length;
		*worst = abut_max(*worst, unit * fabs(problem->couplings[i].value));
	}
}

static AbutStatus invert_island(Inverse *inverse, int index, AbutError *error)
{
	enum { MOST = 4 };
	const AbutIslandMembers *members = &inverse->w->partition.members[index];
	const AbutMethodRow *method = inverse->model->method;
	AbutIsland *island = &inverse->w->islands[0];
	AbutContactProblem *problem = &island->problem;
	const bool known = inverse->source == inverse->after;
	int internal = 0;
	set_up(inverse, members, island);
	move_bodies(inverse);
	load_contacts(inverse, island);
	load_joints(inverse, island);
	if (method->apply_motion) {
		evaluate(inverse, island);
		method->apply_motion(inverse->model, inverse->before, inverse->w, index);
	}
	for (int i = 0; i < MOST; i++) {
		evaluate(inverse, island);
		ABUT_TRY(known ? ABUT_OK : abut_robot_share(inverse->robot, problem, &internal, error));
		abut_robot_balance(inverse->robot, problem, true, inverse->effort);
		if (known || !abut_joints_redirect(problem->joints, problem->n_joints, problem->timestep)) {
			break;
		}
		inverse->info.exact = false;
	}
	inverse->info.internal += internal;
	measure(inverse, problem);
	return ABUT_OK;
}

/* Sets the efforts of the motors of the tree, and of those of joints that close loops where the step is known. */
static void list_motors(const Inverse *inverse)
{
	const AbutRobot *robot = inverse->robot;
	for (int i = 0; i < ABUT_JOINT_FREEDOMS * robot->model->joints.n; i++) {
		const int joint = i / ABUT_JOINT_FREEDOMS, axis = i % ABUT_JOINT_FREEDOMS,
		          v = abut_robot_joint_velocity(robot, joint);
		const AbutJoint *of = &robot->model->joints.at[joint];
		if (axis >= abut_joint_type_freedoms(of->type) || !abut_joint_has_motor(of, axis)) {
			robot->motors[i] = 0.0;
		} else if (v >= 0) {
			robot->motors[i] = inverse->effort[v + axis];
		} else if (inverse->source == inverse->after) {
			robot->motors[i] = inverse->after->joints[joint].done.motor[axis] *
			                   abut_robot_effort_unit(robot->model, of, axis);
		}
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
	if (!robot->held.model && !follows(robot->model)) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.method",
		                      "is \"%s\"%s; inverse dynamics of robots needs \"single-level\", \"bilevel\" or "
		                      "\"convex\"",
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
			    "`before` in a step of %g s; `after` must be the result of a step, or a wanted "
			    "motion",
			    model->bodies[body].name, abut_norm3(off), abut_norm3(angle), model->timestep_si);
		}
	}
	return ABUT_OK;
}

/* Refuses joints whose forces do not follow from the motion, although those of contacts do. */
static AbutStatus check_follows(const Inverse *inverse, AbutError *error)
{
	for (int i = 0; i < inverse->model->joints.n_couplings; i++) {
		const AbutCoupling *coupling = &inverse->model->joints.couplings[i];
		if (!coupling->yields) {
			return abut_error_set(
			    error, ABUT_ERROR_UNSUPPORTED, NULL,
			    "couplings[%d], of joints '%s' and '%s', holds exactly, and its force does not "
			    "follow from the motion; make `after` by a step, or give it an equality_spring",
			    i, inverse->model->joints.at[coupling->joint[0]].name,
			    inverse->model->joints.at[coupling->joint[1]].name);
		}
	}
	for (int i = 0; i < inverse->model->joints.n; i++) {
		const AbutJoint *joint = &inverse->model->joints.at[i];
		const bool loop = inverse->robot->link_of_joint[i] < 0 && joint->n_held > 0;
		if (loop || joint->kind->n_laws > joint->kind->n_freedoms) {
			return abut_error_set(
			    error, ABUT_ERROR_UNSUPPORTED, NULL,
			    "joint '%s' %s, and its forces do not follow from the motion; make `after` "
			    "by a step%s",
			    joint->name, loop ? "closes a loop" : "is a ball with limits",
			    loop ? ", or give the joint an equality_spring" : "");
		}
	}
	return ABUT_OK;
}

/* Decides whose forces are taken: those of `after`, if it is the end of a step from `before` in one part, or those of a
 * step with held rates. Where forces follow from the motion, they are those of loops and the limits of balls. */
static AbutStatus find_source(Inverse *inverse, AbutError *error)
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
	if (follows(model)) {
		inverse->source = inverse->before;
		return check_follows(inverse, error);
	}
	inverse->info.found = true;
	inverse->source = inverse->robot->held.state;
	return abut_held_step(inverse->robot, inverse->before, inverse->after, error);
}

AbutStatus abut_robot_inverse_motors(AbutRobot *robot, const AbutState *before, const AbutState *after, double *effort,
                                     double *motors, AbutRobotInverse *info, AbutError *error)
{
	ABUT_TRY(check(robot, before, after, effort, error));
	Inverse inverse = {.robot = robot,
	                   .model = robot->model,
	                   .before = before,
	                   .after = after,
	                   .w = robot->workspace,
	                   .effort = robot->work[0], /* `effort` stays as it is if an island fails */
	                   .info = {.exact = true}};
	ABUT_TRY(find_source(&inverse, error));
	ABUT_TRY(inverse.source != after ? abut_share_reserve(robot, error) : ABUT_OK);
	ABUT_TRY(find_pairs(&inverse, error));
	set_targets(&inverse);
	memset(inverse.effort, 0, (size_t)robot->n_v * sizeof *effort);
	for (int i = 0; i < robot->workspace->partition.n_islands; i++) {
		ABUT_TRY(invert_island(&inverse, i, error));
	}
	for (int v = 0; v < robot->n_v; v++) {
		inverse.info.residual =
		    abut_max(inverse.info.residual, robot->driven[v] ? 0.0 : fabs(inverse.effort[v]));
	}
	list_motors(&inverse);
	memcpy(effort, inverse.effort, (size_t)robot->n_v * sizeof *effort);
	if (motors) {
		memcpy(motors, robot->motors, (size_t)(ABUT_JOINT_FREEDOMS * robot->model->joints.n) * sizeof *motors);
	}
	if (info) {
		*info = inverse.info;
	}
	return ABUT_OK;
}

AbutStatus abut_robot_inverse(AbutRobot *robot, const AbutState *before, const AbutState *after, double *effort,
                              AbutRobotInverse *info, AbutError *error)
{
	return abut_robot_inverse_motors(robot, before, after, effort, NULL, info, error);
}
