/* Compiles joints: frames relative to the centres of mass, laws in model units, and the sizes of their unknowns. */
#include "dynamics/model/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/pair.h"
#include "dynamics/model/scale.h"
#include "solver/cones/cones.h"

/* Sets a side's frame: the anchor relative to the centre of mass, and the rotation to body axes. */
static void set_frame(const AbutModel *model, int body, const AbutJointFrame *frame, double place[3], double axes[9])
{
	double q[4];
	memcpy(q, frame->orientation, sizeof q);
	abut_quat_normalise(q);
	abut_quat_to_mat3(q, axes);
	abut_copy3(frame->position, place);
	if (body < model->n_bodies) {
		abut_sub3(place, model->bodies[body].centre_of_mass, place);
	}
	abut_divide3(place, model->units.length, place);
}

static AbutServo servo_of(const AbutMotorDef *motor)
{
	switch (motor->type) {
	case ABUT_MOTOR_FORCE:
		return ABUT_SERVO_EFFORT;
	case ABUT_MOTOR_POSITION:
	case ABUT_MOTOR_VELOCITY:
		return motor->stiffness + motor->damping == 0.0 ? ABUT_SERVO_NONE
		       : isfinite(motor->limit)                 ? ABUT_SERVO_LIMITED
		                                                : ABUT_SERVO_FREE;
	case ABUT_MOTOR_NONE:
	case ABUT_MOTOR_TYPE_COUNT:
		return ABUT_SERVO_NONE;
	}
	return ABUT_SERVO_NONE;
}

/* Converts a freedom's law to model units; `turns` says which units it has. */
static void set_law(const AbutUnits *u, bool turns, const AbutJointAxis *axis, AbutJointLaw *law)
{
	const double c = turns ? 1.0 : u->length, rate = c / u->time;
	const double effort = (turns ? u->torsion : u->impulse) / u->time;
	const AbutMotorDef *motor = &axis->motor;
	*law =
	    (AbutJointLaw){.rubs = axis->friction > 0.0,
	                   .lower = axis->lower / c,
	                   .upper = axis->upper / c,
	                   .reference = axis->reference / c,
	                   .stiffness = axis->stiffness * c / effort,
	                   .damping = axis->damping * rate / effort,
	                   .friction = axis->friction / effort,
	                   .armature = axis->armature * rate / (effort * u->time),
	                   .servo = servo_of(motor),
	                   .to_position = motor->type == ABUT_MOTOR_POSITION,
	                   .motor_stiffness = motor->type == ABUT_MOTOR_POSITION ? motor->stiffness * c / effort : 0.0,
	                   .motor_damping = motor->damping * rate / effort,
	                   .motor_limit = motor->limit / effort};
	law->target_unit = motor->type == ABUT_MOTOR_NONE       ? 0.0
	                   : motor->type == ABUT_MOTOR_FORCE    ? effort
	                   : motor->type == ABUT_MOTOR_POSITION ? c
	                                                        : rate;
}

/* Counts the unknowns of a joint; abut_axis_setup places them in the same way. */
static void set_sizes(AbutJoint *joint)
{
	joint->n_held = joint->n_y = abut_joint_kind_held(joint->kind);
	joint->n_z = joint->n_law = joint->n_cones = 0;
	for (int i = 0; i < joint->kind->n_laws; i++) {
		const AbutJointLaw *law = &joint->law[i];
		const bool spins = joint->kind->freedom[i].spins; /* which share their clips, with the first */
		const int dim = spins ? 4 : 2;
		const int clips = spins && i > 0 ? 0 : (law->rubs ? 1 : 0) + (law->servo == ABUT_SERVO_LIMITED ? 1 : 0);
		const int limits = law->limited ? (law->one_sided ? 1 : 2) : 0;
		joint->n_y += clips + (law->servo == ABUT_SERVO_FREE ? 1 : 0);
		joint->n_z += dim * clips + limits;
		joint->n_law += clips * abut_cone_law_size(ABUT_CONE_SOC_FREE_HEAD, dim) +
		                (law->limited ? abut_cone_law_size(ABUT_CONE_ORTHANT, limits) : 0);
		joint->n_cones += clips + (law->limited ? 1 : 0);
	}
}

/* Returns the number of bounds of a ball: a twist of pi is no limit. */
static int bounds_of(const AbutJointAxis *axis)
{
	return !axis->has_limits ? 0 : axis->upper < M_PI ? 2 : 1;
}

/* Sets the laws of a ball's bounds (kinds/kind.h); other joints have none. */
static void set_bounds(AbutJoint *joint)
{
	const AbutJointAxis *axis = &joint->acting[0];
	joint->cone = joint->kind->n_laws > joint->kind->n_freedoms ? sin(axis->lower) : 0.0;
	for (int k = joint->kind->n_freedoms; k < joint->kind->n_laws; k++) {
		const bool cone = joint->kind->freedom[k].bound == ABUT_BOUND_CONE;
		joint->law[k] = (AbutJointLaw){.limited = true,
		                               .one_sided = cone,
		                               .lower = cone ? -tan(0.5 * axis->lower) : -axis->upper,
		                               .upper = axis->upper,
		                               .servo = ABUT_SERVO_NONE};
	}
}

const AbutJointKind *abut_joint_coordinates(const AbutJoint *joint)
{
	return joint->kind->n_freedoms == 0 ? abut_joint_kind(joint->type, 0) : joint->kind;
}

void abut_joint_set_laws(const AbutUnits *units, AbutJoint *joint)
{
	const AbutJointAxis *first = &joint->acting[0];
	joint->kind = joint->soft.yields ? abut_joint_kind_open()
	                                 : abut_joint_kind(joint->type, abut_joint_acts(first) ? bounds_of(first) : -1);
	for (int k = 0; k < joint->kind->n_freedoms; k++) {
		const bool spins = joint->kind->freedom[k].spins;
		const AbutJointAxis *acting = spins ? first : &joint->acting[k];
		set_law(units, abut_joint_turns(joint->kind, k), acting, &joint->law[k]);
		joint->law[k].limited = acting->has_limits && !spins;
		if (joint->soft.on && !spins) {
			joint->law[k].soft_limits = joint->law[k].limited;
			joint->law[k].soft_friction = joint->law[k].rubs;
			joint->law[k].limited = joint->law[k].rubs = false;
		}
		joint->target[k] = acting->motor.type == ABUT_MOTOR_NONE ? 0.0 : joint->acting[k].motor.target;
	}
	set_bounds(joint);
	set_sizes(joint);
}

static AbutStatus allocate(int n_joints, size_t names, AbutModel *model, AbutError *error)
{
	model->joints.at = calloc((size_t)n_joints + 1, sizeof *model->joints.at);
	model->joints.names = malloc(names + 1);
	return model->joints.at && model->joints.names ? ABUT_OK : abut_model_no_memory(error);
}

AbutStatus abut_joints_create(const AbutSceneDef *def, AbutModel *model, AbutError *error)
{
	const bool soft = model->method->has.springs && model->options.convex_model == ABUT_CONVEX_MODEL_SOFT;
	size_t names = 0;
	for (int i = 0; i < def->n_joints; i++) {
		names += strlen(def->joints[i].name) + 1;
	}
	ABUT_TRY(allocate(def->n_joints, names, model, error));
	char *name = model->joints.names;
	for (int i = 0; i < def->n_joints; i++) {
		const AbutJointDef *from = &def->joints[i];
		AbutJoint *joint = &model->joints.at[i];
		const size_t length = strlen(from->name) + 1;
		*joint = (AbutJoint){.name = memcpy(name, from->name, length),
		                     .type = from->type,
		                     .kind = abut_joint_kind(from->type, -1),
		                     .body = {from->parent < 0 ? model->n_bodies : from->parent, from->child},
		                     .length = from->length / model->units.length,
		                     .soft = {.on = soft,
		                              .yields = soft && from->has_equality_spring,
		                              .equality = abut_joint_softness(&def->solver, &from->equality_spring),
		                              .limit = abut_joint_softness(&def->solver, &from->limit_spring),
		                              .friction = abut_joint_softness(&def->solver, &from->friction_spring)}};
		joint->placed = from->has_position;
		joint->driven = from->has_velocity;
		memcpy(joint->position, from->position, sizeof joint->position);
		memcpy(joint->velocity, from->velocity, sizeof joint->velocity);
		name += length;
		set_frame(model, joint->body[0], &from->parent_frame, joint->place[0], joint->axes[0]);
		set_frame(model, joint->body[1], &from->child_frame, joint->place[1], joint->axes[1]);
		memcpy(joint->acting, from->axes, sizeof joint->acting);
		abut_joint_set_laws(&model->units, joint);
		model->joints.n_yielding += joint->soft.yields;
	}
	model->joints.n = def->n_joints;
	return ABUT_OK;
}

AbutStatus abut_joints_copy(const AbutModel *from, AbutModel *copy, AbutError *error)
{
	size_t names = 0;
	for (int i = 0; i < from->joints.n; i++) {
		names += strlen(from->joints.at[i].name) + 1;
	}
	ABUT_TRY(allocate(from->joints.n, names, copy, error));
	memcpy(copy->joints.at, from->joints.at, (size_t)from->joints.n * sizeof *copy->joints.at);
	memcpy(copy->joints.names, from->joints.names, names);
	copy->joints.n = from->joints.n;
	copy->joints.n_yielding = from->joints.n_yielding;
	for (int i = 0; i < from->joints.n; i++) {
		copy->joints.at[i].name = copy->joints.names + (from->joints.at[i].name - from->joints.names);
	}
	return ABUT_OK;
}

void abut_joints_move(const AbutModel *from, AbutModel *copy)
{
	for (int i = 0; i < 2 * copy->joints.n; i++) {
		AbutJoint *joint = &copy->joints.at[i / 2];
		const int body = joint->body[i % 2];
		for (int k = 0; body < copy->n_bodies && k < 3; k++) {
			joint->place[i % 2][k] +=
			    (from->bodies[body].centre_of_mass[k] - copy->bodies[body].centre_of_mass[k]) /
			    copy->units.length;
		}
	}
}

int abut_model_joint_count(const AbutModel *model)
{
	return model->joints.n;
}

const char *abut_model_joint_name(const AbutModel *model, int joint)
{
	return joint >= 0 && joint < model->joints.n ? model->joints.at[joint].name : "";
}

AbutJointType abut_model_joint_type(const AbutModel *model, int joint)
{
	return joint >= 0 && joint < model->joints.n ? model->joints.at[joint].type : ABUT_JOINT_TYPE_COUNT;
}
