/* Reads a joint from a state: its coordinates from the poses, and what the last step did. */
#include "dynamics/state/joint_state.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/model/coupling.h"
#include "dynamics/model/joint.h"

/* The pose of one side, in SI; the world is at the origin. */
typedef struct Side {
	double x[3], R[9], v[3], w[3], lever[3];
} Side;

static void read_side(const AbutModel *model, const AbutState *state, const AbutJoint *joint, int s, Side *side)
{
	const int body = joint->body[s];
	*side = (Side){.R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
	if (body < model->n_bodies) {
		const AbutBodyState *at = &state->motion[body].at;
		abut_copy3(at->position, side->x);
		abut_copy3(at->linear_velocity, side->v);
		abut_quat_to_mat3(at->orientation, side->R);
		abut_mat3_vec(side->R, at->angular_velocity, side->w);
	}
	abut_mat3_vec(side->R, joint->place[s], side->lever);
	abut_scale3(model->units.length, side->lever, side->lever);
}

/* Computes the rows of the freedoms, in SI. */
static void read_rows(const AbutModel *model, const AbutJoint *joint, Side side[2], AbutJointRow *rows)
{
	AbutJointPose pose = {.length = joint->length * model->units.length};
	for (int i = 0; i < 3; i++) {
		pose.d[i] = side[1].x[i] - side[0].x[i] + side[1].lever[i] - side[0].lever[i];
	}
	abut_mat3_mul(side[0].R, joint->axes[0], pose.A);
	abut_mat3_mul(side[1].R, joint->axes[1], pose.B);
	if (abut_joint_kind_turning(joint->kind)) {
		abut_add3(side[0].lever, pose.d, side[0].lever);
	}
	abut_joint_free_rows(abut_joint_coordinates(joint), &pose, rows);
}

/* Computes the turn of the child's frame in the parent's one `timestep` before, by the present velocities. */
static void turn_before(const AbutJoint *joint, const Side side[2], double timestep, double turn[9])
{
	double frame[2][9];
	for (int s = 0; s < 2; s++) {
		double q[4], back[9], before[9];
		abut_scale3(-0.5 * timestep, side[s].w, &q[1]);
		q[0] = sqrt(abut_max(0.0, 1.0 - abut_dot3(&q[1], &q[1])));
		abut_quat_to_mat3(q, back);
		abut_mat3_mul(back, side[s].R, before);
		abut_mat3_mul(before, joint->axes[s], frame[s]);
	}
	abut_mat3_transposed_mul(frame[0], frame[1], turn);
}

/* Reads the rates of a ball on which nothing acts, which steps do not compute: those of spins (kinds/kind.h). */
static void read_spins(const AbutModel *model, const AbutJoint *joint, const AbutJointMemory *memory,
                       const Side side[2], double *velocity)
{
	const double timestep = memory->timestep * model->units.time;
	double turn[9];
	AbutJointRow rows[ABUT_JOINT_FREEDOMS];
	AbutJointPose pose = {.from = turn};
	turn_before(joint, side, timestep, turn);
	abut_mat3_mul(side[0].R, joint->axes[0], pose.A);
	abut_mat3_mul(side[1].R, joint->axes[1], pose.B);
	abut_joint_free_rows(abut_joint_coordinates(joint), &pose, rows);
	for (int i = 0; i < ABUT_JOINT_FREEDOMS; i++) {
		velocity[i] = rows[i].value / timestep;
	}
}

/* Returns the rate of a row's value by the present velocities. */
static double rate_of(const Side side[2], const AbutJointRow *row)
{
	double rate = 0.0;
	for (int s = 0; s < 2; s++) {
		double moment[3];
		abut_cross3(side[s].lever, row->n, moment);
		abut_add3(moment, row->t, moment);
		rate += (s == 0 ? -1.0 : 1.0) * (abut_dot3(row->n, side[s].v) + abut_dot3(moment, side[s].w));
	}
	return rate;
}

/* Reads coordinate `i` (SI), with turns counted, and its rate. */
static void read_axis(const AbutModel *model, const AbutJoint *joint, const AbutJointMemory *memory, const Side side[2],
                      const AbutJointRow *row, int i, double *position, double *velocity)
{
	const AbutUnits *u = &model->units;
	const bool turns = abut_joint_turns(abut_joint_coordinates(joint), i);
	*position = row->value;
	if (abut_joint_winds(joint->kind, i)) {
		*position = abut_joint_unwrap(row->value, memory->position[i]);
	}
	*velocity =
	    memory->timestep > 0.0 ? memory->rate[i] * (turns ? 1.0 / u->time : u->velocity) : rate_of(side, row);
}

static void read_efforts(const AbutModel *model, const AbutJoint *joint, const AbutJointDone *done, AbutJointState *out)
{
	const AbutUnits *u = &model->units;
	const double force = u->impulse / model->timestep_si, torque = u->torsion / model->timestep_si;
	abut_scale3(force, done->force, out->force);
	abut_scale3(torque, done->torque, out->torque);
	for (int i = 0; i < out->n_axes; i++) {
		const double effort = abut_joint_turns(abut_joint_coordinates(joint), i) ? torque : force;
		out->limit_effort[i] = effort * done->limit[i];
		out->friction_effort[i] = effort * done->friction[i];
		out->motor_effort[i] = effort * done->motor[i];
	}
	out->violation_m = done->violation[0] * u->length;
	out->violation_rad = done->violation[1];
	out->limit_violation = abut_max(done->overshoot[0] * u->length, done->overshoot[1]);
}

/* Reads all coordinates and rates of a joint. */
static void read_axes(const AbutModel *model, const AbutState *state, int joint, double *position, double *velocity)
{
	const AbutJoint *of = &model->joints.at[joint];
	Side side[2];
	AbutJointRow rows[ABUT_JOINT_FREEDOMS];
	read_side(model, state, of, 0, &side[0]);
	read_side(model, state, of, 1, &side[1]);
	read_rows(model, of, side, rows);
	const AbutJointMemory *memory = &state->joints[joint];
	const int n = abut_joint_coordinates(of)->n_freedoms;
	for (int i = 0; i < n; i++) {
		read_axis(model, of, memory, side, &rows[i], i, &position[i], &velocity[i]);
	}
	if (n > of->kind->n_freedoms && memory->timestep > 0.0) {
		read_spins(model, of, memory, side, velocity);
	}
}

static bool has_energy(const AbutJoint *joint)
{
	bool has = false;
	for (int i = 0; i < joint->kind->n_freedoms; i++) {
		has = has || joint->law[i].stiffness > 0.0 || joint->law[i].armature > 0.0;
	}
	return has;
}

double abut_state_joint_energy(const AbutModel *model, const AbutState *state)
{
	const AbutUnits *u = &model->units;
	double energy = 0.0;
	for (int joint = 0; joint < model->joints.n; joint++) {
		const AbutJoint *of = &model->joints.at[joint];
		double position[ABUT_JOINT_FREEDOMS], velocity[ABUT_JOINT_FREEDOMS];
		if (!has_energy(of)) {
			continue;
		}
		read_axes(model, state, joint, position, velocity);
		for (int i = 0; i < of->kind->n_freedoms; i++) {
			const AbutJointLaw *law = &of->law[i];
			const double length = abut_joint_turns(of->kind, i) ? 1.0 : u->length;
			const double stretch = position[i] / length - law->reference,
			             rate = velocity[i] * u->time / length;
			energy += 0.5 * (law->stiffness * stretch * stretch + law->armature * rate * rate);
		}
	}
	return energy * u->impulse * u->velocity;
}

AbutStatus abut_joint_get(const AbutModel *model, const AbutState *state, int joint, AbutJointState *out)
{
	if (!model || !state || !out || state->model != model || joint < 0 || joint >= model->joints.n) {
		return ABUT_ERROR_ARGUMENT;
	}
	const AbutJoint *of = &model->joints.at[joint];
	memset(out, 0, sizeof *out);
	out->n_axes = abut_joint_coordinates(of)->n_freedoms;
	read_axes(model, state, joint, out->position, out->velocity);
	read_efforts(model, of, &state->joints[joint].done, out);
	return ABUT_OK;
}

AbutStatus abut_coupling_get(const AbutModel *model, const AbutState *state, int coupling, AbutCouplingState *out)
{
	if (!model || !state || !out || state->model != model || coupling < 0 ||
	    coupling >= model->joints.n_couplings) {
		return ABUT_ERROR_ARGUMENT;
	}
	const AbutUnits *u = &model->units;
	const AbutCouplingMemory *from = &state->couplings[coupling];
	const bool turns = model->joints.couplings[coupling].turns;
	*out = (AbutCouplingState){.effort = from->done * (turns ? u->torsion : u->impulse) / model->timestep_si,
	                           .violation = from->violation * (turns ? 1.0 : u->length)};
	return ABUT_OK;
}
