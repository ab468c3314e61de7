/* Writes joints, motors and couplings of a scene as elements of MJCF. Tested in tests/io/describe.c. */
#include "io/describe/joints_out.h"

#include <math.h>
#include <stdio.h>

#include "abut/abut.h"
#include "base/vec3.h"
#include "dynamics/model/pair.h"
#include "io/describe/contacts_out.h"
#include "io/describe/freedoms.h"
#include "io/robot/pose.h"

/* Returns the world axis of freedom k at the start, in the axes of the child: of universal joints, x of the parent's
 * frame, then y of the child's; of planar ones, x and y of the parent's frame; otherwise z. */
static void axis_of(const AbutDescribing *d, const AbutJointDef *joint, int k, double axis[3])
{
	const bool across = joint->type == ABUT_JOINT_UNIVERSAL || joint->type == ABUT_JOINT_PLANAR;
	const int column = across ? k : 2;
	const bool of_child = joint->type == ABUT_JOINT_UNIVERSAL && k == 1;
	const AbutJointFrame *frame = of_child ? &joint->child_frame : &joint->parent_frame;
	double R[9], F[9], C[9], world[3];
	const AbutPose parent = joint->parent >= 0 ? abut_describe_pose(d, joint->parent) : abut_pose_identity();
	const AbutPose child = abut_describe_pose(d, joint->child);
	abut_quat_to_mat3(of_child ? child.orientation : parent.orientation, R);
	abut_quat_to_mat3(frame->orientation, F);
	abut_quat_to_mat3(child.orientation, C);
	const double own[3] = {F[column], F[3 + column], F[6 + column]};
	abut_mat3_vec(R, own, world);
	abut_mat3_tvec(C, world, axis);
}

static void write_law(const AbutDescribing *d, const AbutJointDef *joint, int k)
{
	FILE *file = d->file;
	const AbutJointAxis *axis = &joint->axes[k];
	const bool is_ball = joint->type == ABUT_JOINT_BALL;
	const struct {
		const char *name;
		double value;
	} values[] = {{"stiffness", axis->stiffness},
	              {"damping", axis->damping},
	              {"frictionloss", axis->friction},
	              {"armature", axis->armature}};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		if (values[i].value != 0.0) {
			abut_describe_numbers(file, values[i].name, &values[i].value, 1);
		}
	}
	if (axis->has_limits) {
		const double range[2] = {is_ball ? 0.0 : axis->lower, is_ball ? axis->lower : axis->upper};
		fputs(" limited=\"true\"", file);
		abut_describe_numbers(file, "range", range, 2);
	}
	if (!is_ball && axis->reference != 0.0) {
		abut_describe_numbers(file, "springref", &axis->reference, 1);
	}
	if (axis->has_limits) {
		const AbutSoftness spring = abut_joint_softness(&d->def->solver, &joint->limit_spring);
		abut_describe_spring(file, "solreflimit", "solimplimit", &spring);
	}
	if (axis->friction > 0.0) {
		const AbutSoftness spring = abut_joint_softness(&d->def->solver, &joint->friction_spring);
		abut_describe_spring(file, "solreffriction", "solimpfriction", &spring);
	}
}

/* Returns the velocity of the origin of a body at the start, in the world. */
static void velocity_of(const AbutDescribing *d, int body, AbutBodyState *state, double velocity[3])
{
	double R[9], cross[3], apart[3];
	abut_state_get_body(d->model, d->state, body, state);
	abut_quat_to_mat3(state->orientation, R);
	abut_cross3(state->angular_velocity, d->model->bodies[body].centre_of_mass, cross);
	abut_mat3_vec(R, cross, apart);
	abut_sub3(state->linear_velocity, apart, velocity);
}

static void write_free(const AbutDescribing *d, int body)
{
	AbutBodyState state;
	double velocity[3];
	velocity_of(d, body, &state, velocity);
	fputs("<freejoint/>\n", d->file);
	abut_describe_key_add(d->key, ABUT_KEY_QPOS, state.position, 3);
	abut_describe_key_add(d->key, ABUT_KEY_QPOS, state.orientation, 4);
	abut_describe_key_add(d->key, ABUT_KEY_QVEL, velocity, 3);
	abut_describe_key_add(d->key, ABUT_KEY_QVEL, state.angular_velocity, 3);
}

/* Adds the coordinate and the rate of freedom k to the keyframe. That of a ball is its turn from the model's pose,
 * none, and its rate is in the axes of the child, those of its frame turned. */
static void add_to_key(const AbutDescribing *d, const AbutJointDef *joint, const AbutJointState *start, int k)
{
	static const double unturned[4] = {1.0, 0.0, 0.0, 0.0};
	double F[9], rate[3];
	if (joint->type == ABUT_JOINT_BALL) {
		abut_quat_to_mat3(joint->child_frame.orientation, F);
		abut_mat3_vec(F, start->velocity, rate);
		abut_describe_key_add(d->key, ABUT_KEY_QPOS, unturned, 4);
		abut_describe_key_add(d->key, ABUT_KEY_QVEL, rate, 3);
	} else {
		abut_describe_key_add(d->key, ABUT_KEY_QPOS, &start->position[k], 1);
		abut_describe_key_add(d->key, ABUT_KEY_QVEL, &start->velocity[k], 1);
	}
}

/* Writes the freedoms of a body that moves in the plane of x and z of the world. */
static void write_planar(const AbutDescribing *d, int body)
{
	static const char *const suffixes[] = {"_x", "_z", "_turn"};
	static const int axes[] = {0, 2, 1};
	AbutBodyState state;
	double R[9], velocity[3], spin[3];
	velocity_of(d, body, &state, velocity);
	abut_quat_to_mat3(state.orientation, R);
	abut_mat3_vec(R, state.angular_velocity, spin);
	for (int k = 0; k < 3; k++) {
		const double at = 0.0, rate = k < 2 ? velocity[axes[k]] : spin[1];
		const double *axis = &R[3 * axes[k]]; /* of the world, in the body */
		const char *name = abut_naming_get(d->names, &(AbutNamedPart){ABUT_NAMED_TIE, body, k, NULL},
		                                   d->def->bodies[body].name, suffixes[k]);
		fputs("<joint", d->file);
		abut_describe_text(d->file, "name", name);
		fprintf(d->file, " type=\"%s\"", k < 2 ? "slide" : "hinge");
		abut_describe_numbers(d->file, "axis", axis, 3);
		fputs("/>\n", d->file);
		abut_describe_key_add(d->key, ABUT_KEY_QPOS, &at, 1);
		abut_describe_key_add(d->key, ABUT_KEY_QVEL, &rate, 1);
	}
	abut_describe_note(d, ABUT_APPROXIMATED, "body", d->def->bodies[body].name,
	                   "planar body \"%.60s\" moves on two slides and a hinge", d->def->bodies[body].name);
}

void abut_describe_joint(const AbutDescribing *d, int body)
{
	const int i = d->tree.joint[body];
	if (i < 0 && d->def->bodies[body].planar_xz) {
		write_planar(d, body);
		return;
	}
	if (i < 0) {
		write_free(d, body);
		return;
	}
	const AbutJointDef *joint = &d->def->joints[i];
	const bool is_ball = joint->type == ABUT_JOINT_BALL;
	const int n = is_ball ? 1 : abut_joint_type_freedoms(joint->type);
	AbutJointState start;
	abut_joint_get(d->model, d->state, i, &start);
	for (int k = 0; k < n && k < ABUT_JOINT_FREEDOMS; k++) {
		double axis[3];
		fputs("<joint", d->file);
		abut_describe_text(d->file, "name", abut_naming_freedom(d->names, i, k));
		fprintf(d->file, " type=\"%s\"",
		        is_ball                                ? "ball"
		        : abut_describe_slides(joint->type, k) ? "slide"
		                                               : "hinge");
		abut_describe_numbers(d->file, "pos", joint->child_frame.position, 3);
		if (!is_ball) {
			axis_of(d, joint, k, axis);
			abut_describe_numbers(d->file, "axis", axis, 3);
			if (start.position[k] != 0.0) {
				abut_describe_numbers(d->file, "ref", &start.position[k], 1);
			}
		}
		write_law(d, joint, k);
		fputs("/>\n", d->file);
		add_to_key(d, joint, &start, k);
	}
	if (is_ball && joint->axes[0].has_limits) {
		abut_describe_note(d, ABUT_APPROXIMATED, "joint", joint->name,
		                   "limits of ball \"%.60s\": MJCF bounds its whole angle", joint->name);
	}
}

/* Writes a motor as an actuator on a joint, whose control is the target; `gear`, of balls, is the axis of its turn. */
static void write_motor(FILE *file, const AbutMotorDef *motor, const char *name, const char *joint, const double *gear)
{
	const bool limited = isfinite(motor->limit), is_force = motor->type == ABUT_MOTOR_FORCE;
	const bool is_position = motor->type == ABUT_MOTOR_POSITION;
	const double gain = is_position ? motor->stiffness : motor->damping, range[2] = {-motor->limit, motor->limit};
	const double bias[3] = {0.0, is_position ? -motor->stiffness : 0.0, -motor->damping};
	fprintf(file, is_force ? "<motor" : "<general biastype=\"affine\"");
	abut_describe_text(file, "name", name);
	abut_describe_text(file, "joint", joint);
	if (gear) {
		abut_describe_numbers(file, "gear", gear, 3);
	}
	if (limited) {
		fprintf(file, " %s=\"true\"", is_force ? "ctrllimited" : "forcelimited");
		abut_describe_numbers(file, is_force ? "ctrlrange" : "forcerange", range, 2);
	}
	if (!is_force) {
		abut_describe_numbers(file, "gainprm", &gain, 1);
		abut_describe_numbers(file, "biasprm", bias, 3);
	}
	fputs("/>\n", file);
}

/* Writes the motor of a ball as three actuators about the axes of the child's frame. */
static void write_ball_motor(const AbutDescribing *d, int i)
{
	const AbutJointDef *joint = &d->def->joints[i];
	const AbutMotorDef *motor = &joint->axes[0].motor;
	double F[9];
	abut_quat_to_mat3(joint->child_frame.orientation, F);
	for (int k = 0; k < 3; k++) {
		const double gear[3] = {F[k], F[3 + k], F[6 + k]};
		char suffix[16];
		snprintf(suffix, sizeof suffix, "_%d", k);
		const char *name =
		    abut_naming_get(d->names, &(AbutNamedPart){ABUT_NAMED_MOTOR, i, k, NULL}, joint->name, suffix);
		write_motor(d->file, motor, name, joint->name, gear);
	}
	abut_describe_note(d, ABUT_APPROXIMATED, "motor", joint->name,
	                   "the motor of ball \"%.60s\" is three actuators%s", joint->name,
	                   isfinite(motor->limit) ? ", each with its limit" : "");
}

static void write_actuators(const AbutDescribing *d)
{
	fputs("<actuator>\n", d->file);
	for (int i = 0; i < d->def->n_joints; i++) {
		const AbutJointDef *joint = &d->def->joints[i];
		const bool is_ball = joint->type == ABUT_JOINT_BALL;
		const int n = d->tree.used[i] ? abut_joint_type_freedoms(joint->type) : 0;
		for (int k = 0; k < n; k++) {
			const AbutMotorDef *motor = &joint->axes[k].motor;
			const char *name = abut_naming_freedom(d->names, i, k);
			if (is_ball && k == 0 && motor->type != ABUT_MOTOR_NONE) {
				write_ball_motor(d, i);
			} else if (!is_ball && motor->type != ABUT_MOTOR_NONE) {
				write_motor(d->file, motor, name, name, NULL);
			}
			if (joint->axes[is_ball ? 0 : k].motor.type != ABUT_MOTOR_NONE) {
				abut_describe_key_add(d->key, ABUT_KEY_CTRL, &motor->target, 1);
			}
		}
	}
	fputs("</actuator>\n", d->file);
}

static void write_equality_spring(const AbutDescribing *d, bool has, const AbutJointSpring *spring)
{
	if (has && spring->has_solref) {
		abut_describe_numbers(d->file, "solref", spring->solref, 2);
	}
	if (has && spring->has_solimp) {
		abut_describe_numbers(d->file, "solimp", spring->solimp, 5);
	}
}

/* Writes a joint that closes a loop: a ball as <connect>, a fixed one as <weld>, a hinge as two <connect> on its
 * axis. */
static void write_loop(const AbutDescribing *d, const AbutJointDef *joint)
{
	static const double apart = 0.1; /* m, of the two points on the axis of a hinge */
	const int n = joint->type == ABUT_JOINT_HINGE ? 2 : 1;
	if (joint->type != ABUT_JOINT_HINGE && joint->type != ABUT_JOINT_BALL && joint->type != ABUT_JOINT_FIXED) {
		abut_describe_note(d, ABUT_LEFT_OUT, "joint", joint->name,
		                   "joint \"%.60s\": MJCF closes loops by balls, hinges and fixed joints only",
		                   joint->name);
		return;
	}
	for (int k = 0; k < n; k++) {
		double R[9], anchor[3];
		abut_quat_to_mat3(joint->child_frame.orientation, R);
		for (int m = 0; m < 3; m++) {
			anchor[m] = joint->child_frame.position[m] + (n == 2 ? (k - 0.5) * apart * R[3 * m + 2] : 0.0);
		}
		fputs(joint->type == ABUT_JOINT_FIXED ? "<weld" : "<connect", d->file);
		abut_describe_text(d->file, "body1", abut_naming_body(d->names, joint->child));
		if (joint->parent >= 0) {
			abut_describe_text(d->file, "body2", abut_naming_body(d->names, joint->parent));
		}
		if (joint->type != ABUT_JOINT_FIXED) {
			abut_describe_numbers(d->file, "anchor", anchor, 3);
		}
		write_equality_spring(d, joint->has_equality_spring, &joint->equality_spring);
		fputs("/>\n", d->file);
	}
}

/* Writes q_a = ratio q_b + offset as changes from the start: q_a - a0 = offset + ratio b0 - a0 + ratio (q_b - b0). */
static void write_coupling(const AbutDescribing *d, const AbutCouplingDef *coupling)
{
	const char *name[2];
	double start[2], p[5] = {0.0, coupling->ratio, 0.0, 0.0, 0.0};
	for (int s = 0; s < 2; s++) {
		AbutJointState state;
		abut_joint_get(d->model, d->state, coupling->joint[s], &state);
		start[s] = state.position[coupling->axis[s]];
		name[s] = abut_naming_freedom(d->names, coupling->joint[s], coupling->axis[s]);
		if (!d->tree.used[coupling->joint[s]]) {
			abut_describe_note(d, ABUT_LEFT_OUT, "coupling", name[s],
			                   "the coupling of \"%.60s\", which closes a loop", name[s]);
			return;
		}
	}
	if (coupling->tendon) {
		abut_describe_note(d, ABUT_APPROXIMATED, "coupling", name[0],
		                   "the coupling of \"%.60s\", as soft as a tendon, is one of joints", name[0]);
	}
	p[0] = coupling->offset + coupling->ratio * start[1] - start[0];
	fputs("<joint", d->file);
	abut_describe_text(d->file, "joint1", name[0]);
	abut_describe_text(d->file, "joint2", name[1]);
	abut_describe_numbers(d->file, "polycoef", p, 5);
	write_equality_spring(d, coupling->has_equality_spring, &coupling->equality_spring);
	fputs("/>\n", d->file);
}

void abut_describe_laws(const AbutDescribing *d)
{
	const AbutSceneDef *def = d->def;
	write_actuators(d);
	fputs("<equality>\n", d->file);
	for (int i = 0; i < def->n_joints; i++) {
		if (!d->tree.used[i]) {
			write_loop(d, &def->joints[i]);
		}
	}
	for (int i = 0; i < def->n_couplings; i++) {
		write_coupling(d, &def->couplings[i]);
	}
	fputs("</equality>\n", d->file);
}
