/* Writes the joints of a definition as a scene file has them (io/scene/joints.c). */
#include "io/scene/write_joints.h"

#include <math.h>
#include <stddef.h>

#include "io/scene/write_shapes.h"
#include "io/text/number.h"

static void write_frame(FILE *file, const char *key, const AbutJointFrame *frame)
{
	fprintf(file, ", \"%s\": {\"position\": ", key);
	abut_json_write_numbers(file, ", ", frame->position, 3);
	abut_scene_write_vector(file, "orientation", frame->orientation, 4);
	fputc('}', file);
}

static bool has_limits(const AbutJointAxis *axis)
{
	return axis->has_limits;
}

static void write_limits(FILE *file, AbutJointType of, const AbutJointAxis *axis)
{
	(void)of;
	abut_json_write_numbers(file, ", ", (const double[]){axis->lower, axis->upper}, 2);
}

static bool has_motor(const AbutJointAxis *axis)
{
	return axis->motor.type != ABUT_MOTOR_NONE;
}

static void write_motor(FILE *file, AbutJointType of, const AbutJointAxis *axis)
{
	const AbutMotorDef *motor = &axis->motor;
	fprintf(file, "{\"type\": \"%s\"", abut_motor_type_name(motor->type));
	abut_scene_write_number(file, "stiffness", motor->stiffness);
	abut_scene_write_number(file, "damping", motor->damping);
	if (isfinite(motor->limit)) {
		abut_scene_write_number(file, "limit", motor->limit);
	}
	if (of == ABUT_JOINT_BALL) { /* also of the other freedoms */
		const double target[] = {axis[0].motor.target, axis[1].motor.target, axis[2].motor.target};
		fputs(", \"target\": ", file);
		abut_json_write_numbers(file, ", ", target, ABUT_JOINT_FREEDOMS);
	} else {
		abut_scene_write_number(file, "target", motor->target);
	}
	fputc('}', file);
}

/* Keys that act on a freedom: numbers of AbutJointAxis, or values that may be absent. */
static const struct {
	const char *key;
	size_t offset; /* of the number */
	bool (*given)(const AbutJointAxis *axis);
	void (*write)(FILE *file, AbutJointType of,
	              const AbutJointAxis *axis); /* NULL: a number, given unless it is 0 */
} laws[] = {
    {"limits", 0, has_limits, write_limits},
    {"reference", offsetof(AbutJointAxis, reference), NULL, NULL},
    {"stiffness", offsetof(AbutJointAxis, stiffness), NULL, NULL},
    {"damping", offsetof(AbutJointAxis, damping), NULL, NULL},
    {"friction", offsetof(AbutJointAxis, friction), NULL, NULL},
    {"armature", offsetof(AbutJointAxis, armature), NULL, NULL},
    {"motor", 0, has_motor, write_motor},
};

static double number(const AbutJointAxis *axis, size_t law)
{
	return *(const double *)(const void *)((const char *)axis + laws[law].offset);
}

static bool given(const AbutJointAxis *axis, size_t law)
{
	return laws[law].write ? laws[law].given(axis) : number(axis, law) != 0.0;
}

static void write_law(FILE *file, AbutJointType of, const AbutJointAxis *axis, size_t law)
{
	if (!laws[law].write) {
		abut_json_write_number(file, number(axis, law));
	} else if (given(axis, law)) {
		laws[law].write(file, of, axis);
	} else {
		fputs("null", file);
	}
}

static void write_laws(FILE *file, const AbutJointDef *joint)
{
	const int freedoms = abut_joint_type_freedoms(joint->type);
	const bool is_list = freedoms > 1 && joint->type != ABUT_JOINT_BALL;
	const int n = is_list ? freedoms : freedoms > 0;
	for (size_t law = 0; law < sizeof laws / sizeof *laws; law++) {
		bool any = false;
		for (int i = 0; i < n; i++) {
			any = any || given(&joint->axes[i], law);
		}
		if (!any) {
			continue;
		}
		fprintf(file, ", \"%s\": %s", laws[law].key, is_list ? "[" : "");
		for (int i = 0; i < n; i++) {
			fputs(i > 0 ? ", " : "", file);
			write_law(file, joint->type, &joint->axes[i], law);
		}
		fputs(is_list ? "]" : "", file);
	}
}

void abut_scene_write_spring(FILE *file, const AbutJointSpring *spring)
{
	const char *before = "";
	for (int which = 0; which < 2; which++) {
		const int n = which == 0 ? 2 : 5;
		for (int i = 0; (which == 0 ? spring->has_solref : spring->has_solimp) && i < n; i++) {
			fprintf(file, i > 0 ? ", " : which == 0 ? "\"solref\": [" : "%s\"solimp\": [", before);
			abut_json_write_number(file, (which == 0 ? spring->solref : spring->solimp)[i]);
			fputs(i == n - 1 ? "]" : "", file);
			before = ", ";
		}
	}
	if (spring->has_margin) {
		fprintf(file, "%s\"margin\": ", before);
		abut_json_write_number(file, spring->margin);
	}
}

static void write_spring(FILE *file, const char *key, bool always, const AbutJointSpring *spring)
{
	if (always || spring->has_solref || spring->has_solimp || spring->has_margin) {
		fprintf(file, ", \"%s\": {", key);
		abut_scene_write_spring(file, spring);
		fputc('}', file);
	}
}

static void write_joint(FILE *file, const AbutSceneDef *def, const AbutJointDef *joint)
{
	fputs("{\"name\": ", file);
	abut_json_write_string(file, joint->name);
	fprintf(file, ", \"type\": \"%s\", \"parent\": ", abut_joint_type_name(joint->type));
	abut_json_write_string(file, joint->parent == ABUT_JOINT_WORLD ? "world" : def->bodies[joint->parent].name);
	fputs(", \"child\": ", file);
	abut_json_write_string(file, def->bodies[joint->child].name);
	write_frame(file, "parent_frame", &joint->parent_frame);
	write_frame(file, "child_frame", &joint->child_frame);
	if (joint->type == ABUT_JOINT_DISTANCE) {
		abut_scene_write_number(file, "length", joint->length);
	}
	fputs(joint->collide ? ", \"collide\": true" : "", file);
	write_laws(file, joint);
	write_spring(file, "limit_spring", false, &joint->limit_spring);
	write_spring(file, "friction_spring", false, &joint->friction_spring);
	if (joint->has_equality_spring) {
		write_spring(file, "equality_spring", true, &joint->equality_spring);
	}
	fputc('}', file);
}

/* Writes a member of `initial`; it is the first one or not. Returns whether there is one. */
static bool write_initial(FILE *file, const AbutSceneDef *def, bool coordinates, bool first)
{
	bool any = false;
	for (int i = 0; i < def->n_joints; i++) {
		const AbutJointDef *joint = &def->joints[i];
		const int n = abut_joint_type_freedoms(joint->type);
		if (!(coordinates ? joint->has_position : joint->has_velocity)) {
			continue;
		}
		if (any) {
			fputs(", ", file);
		} else {
			fprintf(file, "%s\"%s\": {", first ? "" : ", ", coordinates ? "joints" : "joint_velocities");
		}
		any = true;
		abut_json_write_string(file, joint->name);
		fputs(n > 1 ? ": [" : ": ", file);
		for (int k = 0; k < n; k++) {
			fputs(k > 0 ? ", " : "", file);
			abut_json_write_number(file, coordinates ? joint->position[k] : joint->velocity[k]);
		}
		fputs(n > 1 ? "]" : "", file);
	}
	fputs(any ? "}" : "", file);
	return any;
}

static void write_couplings(FILE *file, const AbutSceneDef *def)
{
	for (int i = 0; i < def->n_couplings; i++) {
		const AbutCouplingDef *coupling = &def->couplings[i];
		fputs(i > 0 ? ",\n    " : ",\n  \"couplings\": [\n    ", file);
		fputs("{\"joints\": [", file);
		abut_json_write_string(file, def->joints[coupling->joint[0]].name);
		fputs(", ", file);
		abut_json_write_string(file, def->joints[coupling->joint[1]].name);
		fprintf(file, "], \"axes\": [%d, %d]", coupling->axis[0], coupling->axis[1]);
		abut_scene_write_number(file, "ratio", coupling->ratio);
		abut_scene_write_number(file, "offset", coupling->offset);
		if (coupling->has_equality_spring) {
			write_spring(file, "equality_spring", true, &coupling->equality_spring);
		}
		fputs(coupling->tendon ? ", \"tendon\": true}" : "}", file);
	}
	fputs(def->n_couplings > 0 ? "\n  ]" : "", file);
}

void abut_scene_write_joints(FILE *file, const AbutSceneDef *def)
{
	for (int i = 0; i < def->n_joints; i++) {
		fputs(i > 0 ? ",\n    " : ",\n  \"joints\": [\n    ", file);
		write_joint(file, def, &def->joints[i]);
	}
	fputs(def->n_joints > 0 ? "\n  ]" : "", file);
	write_couplings(file, def);
	bool any = false;
	for (int i = 0; i < def->n_joints; i++) {
		any = any || def->joints[i].has_position || def->joints[i].has_velocity;
	}
	if (any) {
		fputs(",\n  \"initial\": {", file);
		write_initial(file, def, false, !write_initial(file, def, true, true));
		fputc('}', file);
	}
}
