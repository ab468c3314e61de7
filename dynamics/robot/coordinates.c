/* Reads and writes states in coordinates of the tree.
 *
 * A step moves a body by x+ = x + dt v and the quaternion (c, dt w / 2), with c = sqrt(1 - |dt w / 2|^2). So a state
 * with the rates qdot is the end of a step that began at the coordinates moved back by dt qdot: its velocities are v =
 * (x - x-) / dt and w = 2 vec(q q-*) / dt. Tested in tests/dynamics/robot/test_robot_state.c. */
#include "dynamics/robot/coordinates.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/rotation.h"
#include "base/vec3.h"
#include "dynamics/model/check.h"
#include "dynamics/robot/pose.h"
#include "dynamics/robot/values.h"
#include "dynamics/state/state.h"

/* --- moving coordinates --- */

/* Turns a base by its angular velocity in body axes. Returns false if it turns too far. */
static bool turn_base(const AbutRobot *robot, const AbutLink *link, const double *qdot, double time, double *q)
{
	const double *com = robot->model->bodies[link->body].centre_of_mass;
	double R[9], before[3], after[3], turn[4], turned[4];
	abut_scale3(0.5 * time, &qdot[3], &turn[1]);
	const double square = abut_dot3(&turn[1], &turn[1]);
	turn[0] = sqrt(abut_max(0.0, 1.0 - square));
	abut_quat_to_mat3(&q[3], R);
	abut_mat3_vec(R, com, before);
	abut_quat_mul(&q[3], turn, turned);
	abut_quat_normalise(turned);
	memcpy(&q[3], turned, sizeof turned);
	abut_quat_to_mat3(turned, R);
	abut_mat3_vec(R, com, after);
	for (int k = 0; k < 3; k++) {
		q[k] += time * qdot[k] + before[k] - after[k];
	}
	return square < 1.0;
}

/* Moves a planar base, whose rates are those of its centre of mass. */
static bool turn_planar(const AbutRobot *robot, const AbutLink *link, const double *qdot, double time, double *q)
{
	const AbutBody *body = &robot->model->bodies[link->body];
	const double sine = 0.5 * time * qdot[2], angle[2] = {q[2], q[2] + 2.0 * asin(fmax(-1.0, fmin(sine, 1.0)))};
	double com[2][3], R[9], own[3];
	abut_quat_to_mat3(body->initial.orientation, R);
	abut_mat3_vec(R, body->centre_of_mass, own);
	for (int i = 0; i < 2; i++) {
		const double c = cos(angle[i]), s = sin(angle[i]);
		com[i][0] = c * own[0] + s * own[2];
		com[i][2] = c * own[2] - s * own[0];
	}
	q[0] += time * qdot[0] + com[0][0] - com[1][0];
	q[1] += time * qdot[1] + com[0][2] - com[1][2];
	q[2] = angle[1];
	return fabs(sine) < 1.0;
}

/* Turns a ball, whose rates times the time are the sine of the turn along its axis (spins, dynamics/joint/joint.h). */
static bool turn_ball(const double *qdot, double time, double *q)
{
	const double sine = fabs(time) * abut_norm3(qdot);
	double step[3], turn[9], at[9], turned[9];
	abut_scale3(sine > 0.0 ? time * asin(fmin(sine, 1.0)) / sine : time, qdot, step);
	abut_rotation_to_mat3(q, at);
	abut_rotation_to_mat3(step, turn);
	abut_mat3_mul(at, turn, turned);
	abut_mat3_to_rotation(turned, q);
	return sine < 1.0;
}

static bool move_link(const AbutRobot *robot, const AbutLink *link, const double *qdot, double time, double *q)
{
	if (link->joint < 0) {
		return link->n_v == ABUT_ROBOT_PLANAR ? turn_planar(robot, link, qdot, time, q)
		                                      : turn_base(robot, link, qdot, time, q);
	}
	if (robot->model->joints.at[link->joint].type == ABUT_JOINT_BALL) {
		return turn_ball(qdot, time, q);
	}
	for (int k = 0; k < link->n_v; k++) {
		q[k] += time * qdot[k];
	}
	return true;
}

AbutStatus abut_robot_integrate(AbutRobot *robot, const double *q, const double *qdot, double time, double *out)
{
	if (!robot) {
		return ABUT_ERROR_ARGUMENT;
	}
	ABUT_TRY(abut_robot_check_q(robot, q));
	ABUT_TRY(abut_robot_check_rates(robot, "qdot", qdot));
	ABUT_TRY(abut_robot_check_given(robot, "out", out));
	if (!isfinite(time)) {
		return abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, "time", "is %g s; it must be finite", time);
	}
	double *const moved = robot->work[3];
	memcpy(moved, q, (size_t)robot->n_q * sizeof *moved);
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		if (!move_link(robot, link, &qdot[link->v], time, &moved[link->q])) {
			return abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, "qdot",
			                      "%s '%s' turns by more than pi in %g s; use smaller rates or less time",
			                      link->joint < 0 ? "base" : "ball", abut_robot_link_name(robot, link),
			                      time);
		}
	}
	memcpy(out, moved, (size_t)robot->n_q * sizeof *out);
	return ABUT_OK;
}

/* --- writing --- */

/* Returns the motion of a link at q, at the end of a step that began at its past pose. */
static AbutBodyState end_of_step(const AbutRobot *robot, const AbutLink *link, const double *q)
{
	const int body = link->body;
	const double dt = robot->model->timestep_si;
	const AbutRobotPose *now = &robot->poses[body];
	AbutBodyState out = {.position = {0.0}};
	double turn[9], by[4], w[3];
	abut_robot_read_pose(robot, body, &out);
	if (link->joint < 0 && link->n_v == ABUT_ROBOT_BASE) { /* with its sign */
		memcpy(out.orientation, &q[link->q + 3], sizeof out.orientation);
		abut_quat_normalise(out.orientation);
	}
	abut_sub3(now->x, now->past_x, out.linear_velocity);
	abut_divide3(out.linear_velocity, dt, out.linear_velocity);
	abut_mat3_mul_transposed(now->R, now->past_R, turn);
	abut_mat3_to_quat(turn, by);
	abut_scale3((by[0] < 0.0 ? -2.0 : 2.0) / dt, &by[1], w);
	if (robot->model->bodies[body].planar) { /* but for rounding */
		out.linear_velocity[1] = w[0] = w[2] = 0.0;
	}
	abut_mat3_tvec(now->R, w, out.angular_velocity);
	return out;
}

/* Makes the poses of all links their past poses. */
static void keep_past(AbutRobot *robot)
{
	for (int i = 0; i < robot->n_links; i++) {
		AbutRobotPose *pose = &robot->poses[robot->links[i].body];
		abut_copy3(pose->x, pose->past_x);
		memcpy(pose->past_R, pose->R, sizeof pose->past_R);
	}
}

/* Lets the memory of the joints of the tree count the turns of q. */
static void count_turns(const AbutRobot *robot, const double *q, AbutState *state)
{
	const AbutUnits *u = &robot->model->units;
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		for (int k = 0; link->joint >= 0 && k < link->n_v; k++) {
			const AbutJointKind *kind = robot->model->joints.at[link->joint].kind;
			const double length =
			    abut_joint_turns(abut_joint_coordinates(&robot->model->joints.at[link->joint]), k)
			        ? 1.0
			        : u->length;
			if (k < kind->n_freedoms) {
				state->joints[link->joint].position[k] = q[link->q + k] / length;
			}
		}
	}
}

static AbutStatus refuse_motion(AbutRobot *robot, int body, const AbutBodyState *motion)
{
	const AbutBody *of = &robot->model->bodies[body];
	const double *x = motion->position;
	if (of->planar && !abut_motion_planar(motion)) {
		return abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, "q",
		                      "would take the planar body '%s' out of its plane", of->name);
	}
	return abut_error_set(
	    &robot->error, ABUT_ERROR_ARGUMENT, "qdot",
	    "body '%s' would be at (%g, %g, %g) m with %g m/s and %g rad/s; at most %g m and m/s, and less than %g "
	    "rad/s in a step of %g s, are allowed",
	    of->name, x[0], x[1], x[2], abut_norm3(motion->linear_velocity), abut_norm3(motion->angular_velocity),
	    ABUT_LARGEST_MOTION, 2.0 * ABUT_SPIN_LIMIT / robot->model->timestep_si, robot->model->timestep_si);
}

/* Finds the motions of all links at the end of a step at q that began at the past poses. */
static AbutStatus find_motions(AbutRobot *robot, const double *q)
{
	abut_robot_place(robot, q);
	for (int i = 0; i < robot->n_links; i++) {
		robot->motions[i] = end_of_step(robot, &robot->links[i], q);
		if (!abut_state_motion_possible(robot->model, robot->links[i].body, &robot->motions[i])) {
			return refuse_motion(robot, robot->links[i].body, &robot->motions[i]);
		}
	}
	return ABUT_OK;
}

static AbutStatus write_motions(const AbutRobot *robot, const double *q, AbutState *state)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < robot->n_links; i++) {
		ABUT_THEN(status, abut_state_set_body(robot->model, state, robot->links[i].body, &robot->motions[i]));
	}
	count_turns(robot, q, state);
	return status;
}

AbutStatus abut_robot_set_state(AbutRobot *robot, const double *q, const double *qdot, AbutState *state)
{
	if (!robot) {
		return ABUT_ERROR_ARGUMENT;
	}
	ABUT_TRY(abut_robot_check_state(robot, "state", state));
	ABUT_TRY(abut_robot_check_q(robot, q));
	ABUT_TRY(abut_robot_check_rates(robot, "qdot", qdot));
	ABUT_TRY(abut_robot_check_turns(robot, qdot));
	double *past = robot->work[0];
	ABUT_TRY(abut_robot_integrate(robot, q, qdot, -robot->model->timestep_si, past));
	abut_robot_place(robot, past);
	keep_past(robot);
	ABUT_TRY(find_motions(robot, q));
	return write_motions(robot, q, state);
}

/* --- reading --- */

static void read_rows(const AbutRobot *robot, const AbutJoint *joint, const double *from, AbutJointRow *rows)
{
	double anchor[3];
	AbutJointPose pose = abut_robot_joint_pose(robot, joint, anchor);
	pose.from = from;
	abut_joint_free_rows(abut_joint_coordinates(joint), &pose, rows);
}

void abut_robot_joint_rates(AbutRobot *robot, const AbutJoint *joint, double timestep, double rate[ABUT_JOINT_FREEDOMS])
{
	const AbutJointKind *kind = abut_joint_coordinates(joint);
	const bool ball = joint->type == ABUT_JOINT_BALL;
	AbutJointRow rows[ABUT_JOINT_ROWS], past_rows[ABUT_JOINT_ROWS];
	double anchor[3], turn[9];
	abut_robot_swap_times(robot);
	const AbutJointPose past = abut_robot_joint_pose(robot, joint, anchor);
	abut_mat3_transposed_mul(past.A, past.B, turn);
	abut_joint_free_rows(kind, &past, past_rows);
	abut_robot_swap_times(robot);
	read_rows(robot, joint, ball ? turn : NULL, rows);
	memset(rate, 0, ABUT_JOINT_FREEDOMS * sizeof *rate);
	for (int k = 0; k < kind->n_freedoms; k++) {
		const double now = rows[k].value, before = past_rows[k].value;
		const double from = ball ? 0.0 : abut_joint_turns(kind, k) ? abut_joint_unwrap(before, now) : before;
		rate[k] = (now - from) / timestep;
	}
}

void abut_robot_joint_read(const AbutRobot *robot, const AbutJoint *joint, const double *position, double *q)
{
	const AbutJointKind *kind = abut_joint_coordinates(joint);
	AbutJointRow rows[ABUT_JOINT_ROWS];
	read_rows(robot, joint, NULL, rows);
	for (int k = 0; k < kind->n_freedoms; k++) {
		q[k] = abut_joint_winds(kind, k) ? abut_joint_unwrap(rows[k].value, position[k]) : rows[k].value;
	}
}

static void read_joint(AbutRobot *robot, const AbutState *state, const AbutLink *link, double *q, double *qdot)
{
	const AbutModel *model = robot->model;
	const AbutJoint *joint = &model->joints.at[link->joint];
	const AbutJointMemory *memory = &state->joints[link->joint];
	const bool known = memory->timestep > 0.0 && joint->kind->n_freedoms == link->n_v;
	abut_robot_joint_read(robot, joint, memory->position, q);
	for (int k = 0; known && qdot && k < link->n_v; k++) {
		qdot[k] = memory->rate[k] *
		          (abut_joint_turns(joint->kind, k) ? 1.0 / model->units.time : model->units.velocity);
	}
	if (!known && qdot) {
		double rates[ABUT_JOINT_FREEDOMS];
		abut_robot_joint_rates(robot, joint, abut_state_last_timestep(model, &state->motion[link->body]),
		                       rates);
		memcpy(qdot, rates, (size_t)link->n_v * sizeof *qdot);
	}
}

static void read_base(const AbutRobot *robot, const AbutState *state, const AbutLink *link, double *q, double *qdot)
{
	const AbutBodyState *at = &state->motion[link->body].at;
	AbutBodyState pose;
	double w[3], turn[9], R[9];
	abut_robot_read_pose(robot, link->body, &pose);
	abut_mat3_vec(robot->poses[link->body].R, at->angular_velocity, w);
	if (link->n_v == ABUT_ROBOT_BASE) {
		abut_copy3(pose.position, q);
		memcpy(&q[3], at->orientation, sizeof at->orientation);
	} else {
		abut_quat_to_mat3(robot->model->bodies[link->body].initial.orientation, R);
		abut_mat3_mul_transposed(robot->poses[link->body].R, R, turn);
		q[0] = pose.position[0];
		q[1] = pose.position[2];
		q[2] = atan2(turn[2], turn[0]);
	}
	if (qdot && link->n_v == ABUT_ROBOT_BASE) {
		abut_copy3(at->linear_velocity, qdot);
		abut_copy3(at->angular_velocity, &qdot[3]);
	} else if (qdot) {
		memcpy(qdot, (const double[3]){at->linear_velocity[0], at->linear_velocity[2], w[1]}, sizeof w);
	}
}

AbutStatus abut_robot_get_state(AbutRobot *robot, const AbutState *state, double *q, double *qdot)
{
	if (!robot) {
		return ABUT_ERROR_ARGUMENT;
	}
	ABUT_TRY(abut_robot_check_state(robot, "state", state));
	double *const own = q ? q : robot->work[0];
	for (int i = 0; i < robot->n_links; i++) {
		const AbutMotion *motion = &state->motion[robot->links[i].body];
		abut_robot_set_motion(robot, robot->links[i].body, &motion->at,
		                      abut_state_last_timestep(robot->model, motion));
	}
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		double *rates = qdot ? &qdot[link->v] : NULL;
		if (link->joint < 0) {
			read_base(robot, state, link, &own[link->q], rates);
		} else {
			read_joint(robot, state, link, &own[link->q], rates);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_robot_advance(AbutRobot *robot, const AbutState *before, const double *qdot, AbutState *after)
{
	if (!robot) {
		return ABUT_ERROR_ARGUMENT;
	}
	ABUT_TRY(abut_robot_check_state(robot, "before", before));
	ABUT_TRY(abut_robot_check_state(robot, "after", after));
	double *q = robot->work[1];
	ABUT_TRY(abut_robot_get_state(robot, before, q, NULL));
	ABUT_TRY(abut_robot_integrate(robot, q, qdot, robot->model->timestep_si, q));
	ABUT_TRY(abut_robot_check_turns(robot, qdot));
	abut_robot_load_poses(robot, before); /* not those at its q: its joints may be open by the solver's tolerance */
	keep_past(robot);
	ABUT_TRY(find_motions(robot, q));
	ABUT_TRY(abut_state_copy(robot->model, before, after));
	return write_motions(robot, q, after);
}
