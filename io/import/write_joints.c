/* Writes the joints of an import as those of a scene file. */
#include "io/import/write_joints.h"

#include <math.h>

#include "io/robot/contact_mix.h"
#include "io/scene/write_joints.h"
#include "io/scene/write_shapes.h"
#include "io/text/number.h"

static const char *body_name(const AbutImport *import, int body)
{
	return body >= 0 ? import->bodies[body].name : "world";
}

static void write_name(FILE *file, const char *key, const char *name)
{
	fprintf(file, ", \"%s\": ", key);
	abut_json_write_string(file, name);
}

static void write_frame(FILE *file, const char *key, const AbutPose *pose)
{
	fprintf(file, ",\n     \"%s\": {\"position\": ", key);
	abut_json_write_numbers(file, ", ", pose->position, 3);
	abut_scene_write_vector(file, "orientation", pose->orientation, 4);
	fputc('}', file);
}

/* --- laws --- */

static bool differs(const AbutImportJoint *joint, double (*get)(const AbutJointAxis *))
{
	for (int i = 0; i < joint->n_laws; i++) {
		if (get(&joint->law[i].axis) != 0.0) {
			return true;
		}
	}
	return false;
}

static void write_values(FILE *file, const char *key, const AbutImportJoint *joint,
                         double (*get)(const AbutJointAxis *))
{
	double values[ABUT_JOINT_FREEDOMS];
	if (!differs(joint, get)) {
		return;
	}
	for (int i = 0; i < joint->n_laws; i++) {
		values[i] = get(&joint->law[i].axis);
	}
	if (joint->n_laws == 1) {
		abut_scene_write_number(file, key, values[0]);
	} else {
		abut_scene_write_vector(file, key, values, joint->n_laws);
	}
}

static double reference(const AbutJointAxis *axis)
{
	return axis->reference;
}

static double stiffness(const AbutJointAxis *axis)
{
	return axis->stiffness;
}

static double damping(const AbutJointAxis *axis)
{
	return axis->damping;
}

static double friction(const AbutJointAxis *axis)
{
	return axis->friction;
}

static double armature(const AbutJointAxis *axis)
{
	return axis->armature;
}

/* Writes the limits or the motor of a freedom, or null. */
typedef void WriteLaw(FILE *file, const AbutJointAxis *axis);

static void write_limits(FILE *file, const AbutJointAxis *axis)
{
	if (axis->has_limits) {
		abut_json_write_numbers(file, ", ", (const double[2]){axis->lower, axis->upper}, 2);
	} else {
		fputs("null", file);
	}
}

/* Begins the object of a motor; its target follows. */
static void begin_motor(FILE *file, const AbutJointAxis *axis)
{
	const AbutMotorDef *motor = &axis->motor;
	fprintf(file, "{\"type\": \"%s\"", abut_motor_type_name(motor->type));
	if (motor->type == ABUT_MOTOR_POSITION) {
		abut_scene_write_number(file, "stiffness", motor->stiffness);
	}
	if (motor->type != ABUT_MOTOR_FORCE && motor->damping > 0.0) {
		abut_scene_write_number(file, "damping", motor->damping);
	}
	if (isfinite(motor->limit)) {
		abut_scene_write_number(file, "limit", motor->limit);
	}
}

static void write_motor(FILE *file, const AbutJointAxis *axis)
{
	if (axis->motor.type == ABUT_MOTOR_NONE) {
		fputs("null", file);
		return;
	}
	begin_motor(file, axis);
	if (axis->motor.target != 0.0) {
		abut_scene_write_number(file, "target", axis->motor.target);
	}
	fputc('}', file);
}

/* Writes the motor of a ball, whose target is a vector. */
static void write_ball_motor(FILE *file, const AbutImportJoint *joint)
{
	double target[ABUT_JOINT_FREEDOMS];
	for (int k = 0; k < ABUT_JOINT_FREEDOMS; k++) {
		target[k] = joint->law[k].axis.motor.target;
	}
	fputs(", \"motor\": ", file);
	begin_motor(file, &joint->law[0].axis);
	if (target[0] != 0.0 || target[1] != 0.0 || target[2] != 0.0) {
		fputs(", \"target\": ", file);
		abut_json_write_numbers(file, ", ", target, ABUT_JOINT_FREEDOMS);
	}
	fputc('}', file);
}

static void write_list(FILE *file, const char *key, const AbutImportJoint *joint, WriteLaw *write)
{
	fprintf(file, ", \"%s\": %s", key, joint->n_laws > 1 ? "[" : "");
	for (int i = 0; i < joint->n_laws; i++) {
		fputs(i > 0 ? ", " : "", file);
		write(file, &joint->law[i].axis);
	}
	fputs(joint->n_laws > 1 ? "]" : "", file);
}

static double is_limited(const AbutJointAxis *axis)
{
	return axis->has_limits;
}

static double is_driven(const AbutJointAxis *axis)
{
	return axis->motor.type != ABUT_MOTOR_NONE;
}

/* Writes the springs of method convex, of the first freedom that has limits or friction. */
static void write_springs(FILE *file, const AbutImportJoint *joint)
{
	for (int which = 0; which < 2; which++) {
		for (int i = 0; i < joint->n_laws && joint->type != ABUT_JOINT_BALL; i++) {
			const AbutImportLaw *law = &joint->law[i];
			const AbutJointSpring *spring = which == 0 ? &law->limit_spring : &law->friction_spring;
			if (which == 0 ? law->axis.has_limits : law->axis.friction > 0.0) {
				if (abut_spring_is_special(spring)) {
					fprintf(file, ", \"%s\": {", which == 0 ? "limit_spring" : "friction_spring");
					abut_scene_write_spring(file, spring);
					fputc('}', file);
				}
				break;
			}
		}
	}
}

static void write_joint(FILE *file, const AbutImport *import, const AbutImportJoint *joint)
{
	fputs("{\"name\": ", file);
	abut_json_write_string(file, joint->name);
	write_name(file, "type", abut_joint_type_name(joint->type));
	write_name(file, "parent", body_name(import, joint->body[0]));
	write_name(file, "child", body_name(import, joint->body[1]));
	write_frame(file, "parent_frame", &joint->frame[0]);
	write_frame(file, "child_frame", &joint->frame[1]);
	fputs(joint->collides ? ", \"collide\": true" : "", file);
	if (differs(joint, is_limited)) {
		write_list(file, "limits", joint, write_limits);
	}
	write_values(file, "reference", joint, reference);
	write_values(file, "stiffness", joint, stiffness);
	write_values(file, "damping", joint, damping);
	write_values(file, "friction", joint, friction);
	write_values(file, "armature", joint, armature);
	if (differs(joint, is_driven)) {
		if (joint->type == ABUT_JOINT_BALL) {
			write_ball_motor(file, joint);
		} else {
			write_list(file, "motor", joint, write_motor);
		}
	}
	write_springs(file, joint);
	if (joint->has_spring) {
		fputs(", \"equality_spring\": {", file);
		if (abut_spring_is_special(&joint->spring)) {
			abut_scene_write_spring(file, &joint->spring);
		}
		fputc('}', file);
	}
	fputc('}', file);
}

static void write_couplings(FILE *file, const AbutImport *import)
{
	for (int i = 0; i < import->n_couplings; i++) {
		const AbutImportCoupling *coupling = &import->couplings[i];
		fputs(i > 0 ? ",\n    " : ",\n  \"couplings\": [\n    ", file);
		fputs("{\"joints\": ", file);
		abut_scene_write_pair(file, import->joints[coupling->joint[0]].name,
		                      import->joints[coupling->joint[1]].name);
		fprintf(file, ", \"axes\": [%d, %d]", coupling->axis[0], coupling->axis[1]);
		abut_scene_write_number(file, "ratio", coupling->ratio);
		abut_scene_write_number(file, "offset", coupling->offset);
		if (coupling->has_spring) {
			fputs(", \"equality_spring\": {", file);
			abut_scene_write_spring(file, &coupling->spring);
			fputs(coupling->tendon ? "}, \"tendon\": true" : "}", file);
		}
		fputc('}', file);
	}
	fputs(import->n_couplings > 0 ? "\n  ]" : "", file);
}

/* Writes the coordinates of the joints that do not start at the model's pose, or the rates of those that turn. */
static void write_values_of_start(FILE *file, const AbutImport *import, bool rates)
{
	int written = 0;
	for (int i = 0; i < import->n_joints; i++) {
		const AbutImportJoint *joint = &import->joints[i];
		const int n = joint->type == ABUT_JOINT_BALL ? ABUT_JOINT_FREEDOMS : joint->n_laws;
		const double *values = rates ? joint->rate : joint->start;
		if (!(rates ? joint->turning : joint->moved)) {
			continue;
		}
		fputs(written++ > 0 ? ", " : rates ? "\"joint_velocities\": {" : "\"joints\": {", file);
		abut_json_write_string(file, joint->name);
		fputs(": ", file);
		if (n == 1) {
			abut_json_write_number(file, values[0]);
		} else {
			abut_json_write_numbers(file, ", ", values, n);
		}
	}
	fputs(written > 0 ? "}" : "", file);
}

/* Writes how the joints start, if any does so in its own way. */
static void write_starts(FILE *file, const AbutImport *import)
{
	bool moved = false, turning = false;
	for (int i = 0; i < import->n_joints; i++) {
		moved = moved || import->joints[i].moved;
		turning = turning || import->joints[i].turning;
	}
	if (moved || turning) {
		fputs(",\n  \"initial\": {", file);
		write_values_of_start(file, import, false);
		fputs(moved && turning ? ",\n    " : "", file);
		write_values_of_start(file, import, true);
		fputs("}", file);
	}
}

void abut_import_write_joints(FILE *file, const AbutImport *import)
{
	if (import->n_joints == 0) {
		return;
	}
	fputs(",\n  \"joints\": [", file);
	for (int i = 0; i < import->n_joints; i++) {
		fputs(i > 0 ? ",\n    " : "\n    ", file);
		write_joint(file, import, &import->joints[i]);
	}
	fputs("\n  ]", file);
	write_couplings(file, import);
	write_starts(file, import);
}
