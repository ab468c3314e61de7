/* Makes the actuators of MJCF motors. With a gear g, an actuator of force p on the length g q is the effort g p on q:
 *
 *     motor      p = u                             a motor of type force
 *     position   p = kp (u - g q) - kv g q'        a position motor of stiffness g^2 kp and damping g^2 kv
 *     velocity   p = kv (u - g q')                 a velocity motor of damping g^2 kv
 *     general    p = a u + b0 + b1 g q + b2 g q'   one of these
 *
 * On a ball, a force acts along the vector g, in the axes of the child. A fixed tendon of length c q + o has the gear g
 * c, and adds b1 g o to b0. Controls u are not part of a scene: targets are those of the keyframe or of u = 0, within
 * ctrlrange, (a u + b0) / (-b1 g) of a position and (a u + b0) / (-b2 g) of a velocity, or what `run --inputs` gives.
 * The limit of an effort is that of forcerange and of the joint's actuatorfrcrange and, for a motor of type force, that
 * of ctrlrange, whichever is smallest. Tested in tests/io/import_joints.c and import_tendons.c. */
#include "io/mjcf/mjcf_actuator.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "io/mjcf/mjcf_key.h"
#include "io/mjcf/mjcf_names.h"
#include "io/mjcf/mjcf_tendon.h"
#include "io/robot/importer.h"
#include "io/robot/joints.h"

/* An actuator: the force gain u + bias0 + bias1 length + bias2 rate. */
typedef struct Actuator {
	double gain, bias[3], gear, limit;
	double control; /* u at the start, within its range */
} Actuator;

static int numbers(const AbutMjcf *mjcf, const AbutXml *at, const char *name, int most, double *out)
{
	return abut_mjcf_numbers(mjcf, at, NULL, name, 1, most, out);
}

/* Returns the largest magnitude of a range, or INFINITY if it does not apply. */
static double bound(const AbutMjcf *mjcf, const AbutXml *at, const char *name, const char *limited)
{
	double range[2] = {0.0, 0.0};
	if (!abut_mjcf_range(mjcf, at, NULL, name, limited, range)) {
		return (double)INFINITY;
	}
	if (range[0] != -range[1]) {
		abut_importer_note(mjcf->importer, at,
		                   "approximated: %s of \"%.60s\" is %g to %g; the limit is the larger", name,
		                   abut_importer_name(at), range[0], range[1]);
	}
	return fmax(fabs(range[0]), fabs(range[1]));
}

/* Notes an activation, through which the control acts with a delay. */
static void note_activation(const AbutMjcf *mjcf, const AbutXml *at, const char *dynamics)
{
	if (dynamics && strcmp(dynamics, "none") != 0) {
		abut_importer_note(mjcf->importer, at,
		                   "approximated: <%s> \"%.60s\": its control acts at once, without dyntype=\"%.20s\"",
		                   at->name, abut_importer_name(at), dynamics);
	}
}

/* Reads <general>. Returns false if its gain or bias is of a type that motors do not have. */
static bool read_general(const AbutMjcf *mjcf, const AbutXml *at, Actuator *out)
{
	const char *gain = abut_mjcf_get(mjcf, at, NULL, "gaintype", NULL);
	const char *bias = abut_mjcf_get(mjcf, at, NULL, "biastype", NULL);
	const char *dynamics = abut_mjcf_get(mjcf, at, NULL, "dyntype", NULL);
	double values[10] = {1.0}, biases[10] = {0.0};
	numbers(mjcf, at, "gainprm", 10, values);
	numbers(mjcf, at, "biasprm", 10, biases);
	out->gain = values[0];
	if (bias && strcmp(bias, "affine") == 0) {
		memcpy(out->bias, biases, sizeof out->bias);
	}
	const bool fixed = !gain || strcmp(gain, "fixed") == 0 ||
	                   (strcmp(gain, "affine") == 0 && values[1] == 0.0 && values[2] == 0.0);
	const bool delays = dynamics && (strcmp(dynamics, "integrator") == 0 || strcmp(dynamics, "muscle") == 0);
	const bool has_counterpart =
	    fixed && !delays && (!bias || strcmp(bias, "affine") == 0 || strcmp(bias, "none") == 0);
	if (has_counterpart) {
		note_activation(mjcf, at, dynamics);
	}
	return has_counterpart;
}

/* Sets the control at the keyframe, or 0, within ctrlrange. */
static void read_control(const AbutMjcf *mjcf, const AbutXml *at, int index, Actuator *out)
{
	double range[2] = {0.0, 0.0};
	out->control = abut_mjcf_key_control(mjcf, index);
	if (abut_mjcf_range(mjcf, at, NULL, "ctrlrange", "ctrllimited", range)) {
		out->control = fmin(fmax(out->control, range[0]), range[1]);
	}
}

/* Reads an actuator. Returns false if motors cannot be like it. */
static bool read_actuator(const AbutMjcf *mjcf, const AbutXml *at, int index, Actuator *out)
{
	double kp = 1.0, kv = strcmp(at->name, "velocity") == 0 ? 1.0 : 0.0, gear[6] = {1.0};
	*out = (Actuator){.gain = 1.0};
	numbers(mjcf, at, "gear", 6, gear);
	numbers(mjcf, at, "kp", 1, &kp);
	numbers(mjcf, at, "kv", 1, &kv);
	out->gear = gear[0];
	if (strcmp(at->name, "position") == 0) {
		out->gain = kp;
		out->bias[1] = -kp;
		out->bias[2] = -kv;
	} else if (strcmp(at->name, "velocity") == 0) {
		out->gain = kv;
		out->bias[2] = -kv;
	} else if (strcmp(at->name, "general") == 0) {
		if (!read_general(mjcf, at, out)) {
			return false;
		}
	} else if (strcmp(at->name, "motor") != 0) {
		return false;
	}
	read_control(mjcf, at, index, out);
	out->limit = bound(mjcf, at, "forcerange", "forcelimited");
	if (out->bias[1] == 0.0 && out->bias[2] == 0.0) {
		out->limit = fmin(out->limit, fabs(out->gain) * bound(mjcf, at, "ctrlrange", "ctrllimited"));
	}
	return true;
}

/* Sets the motor on a freedom of which the actuator's length is gear q + offset. Each of `n` servos on the freedoms of
 * a length holds its share of it. Returns false if there is none of this form. */
static bool make_motor(const Actuator *actuator, double gear, double offset, int n, AbutMotorDef *motor)
{
	const double *bias = actuator->bias;
	const double constant = actuator->gain * actuator->control + bias[0] + bias[1] * offset;
	*motor = (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = fabs(gear) * actuator->limit};
	if (!(motor->limit > 0.0)) {
		return false;
	}
	motor->stiffness = -gear * gear * bias[1];
	motor->damping = -gear * gear * bias[2];
	if (motor->stiffness != 0.0) {
		motor->type = ABUT_MOTOR_POSITION;
		motor->target = gear * constant / (n * motor->stiffness);
	} else if (motor->damping != 0.0) {
		motor->type = ABUT_MOTOR_VELOCITY;
		motor->target = gear * constant / (n * motor->damping);
	} else {
		motor->target = gear * constant;
	}
	return motor->stiffness >= 0.0 && motor->damping >= 0.0;
}

/* Returns whether a freedom has room for a motor: it has none, or the sum of two forces is one. */
static bool has_room(const AbutImportLaw *law, const AbutMotorDef *motor)
{
	const AbutMotorType own = law->axis.motor.type;
	return own == ABUT_MOTOR_NONE || (own == ABUT_MOTOR_FORCE && motor->type == ABUT_MOTOR_FORCE);
}

/* Adds a motor to a freedom that has room for it. */
static void place_motor(AbutImportLaw *law, const AbutMotorDef *motor)
{
	AbutMotorDef *own = &law->axis.motor;
	const AbutMotorDef before = *own;
	*own = *motor;
	if (before.type != ABUT_MOTOR_NONE) {
		own->limit += before.limit;
		own->target += before.target;
	}
	own->limit = law->most > 0.0 ? fmin(own->limit, law->most) : own->limit;
}

/* Finds the freedoms on whose sum the actuator acts: that of a joint, or those of a tendon. */
static bool find_length(const AbutMjcf *mjcf, const AbutXml *at, AbutMjcfSum *out)
{
	const char *joint = abut_mjcf_get(mjcf, at, NULL, "joint", NULL);
	joint = joint ? joint : abut_mjcf_get(mjcf, at, NULL, "jointinparent", NULL);
	*out = (AbutMjcfSum){.n = 1, .coefficient = {1.0}};
	return joint ? abut_import_find_freedom(mjcf->importer->import, at, joint, &out->joint[0], &out->axis[0])
	             : abut_mjcf_tendon(mjcf, abut_mjcf_get(mjcf, at, NULL, "tendon", NULL), out);
}

/* Notes how an actuator on several joints acts. */
static void note_parts(const AbutMjcf *mjcf, const AbutXml *at, const AbutMjcfSum *length, bool forces)
{
	if (length->n > 1) {
		abut_importer_note(mjcf->importer, at,
		                   forces
		                       ? "approximated: <%s> \"%.60s\" of %d joints is a motor on each of them, with "
		                         "a target of its own"
		                       : "approximated: <%s> \"%.60s\" of %d joints is a servo on each of them, which "
		                         "holds the joints rather than their sum",
		                   at->name, abut_importer_name(at), length->n);
	}
}

/* --- balls --- */

/* Returns the ball on which an actuator acts, or -1. */
static int find_ball(const AbutMjcf *mjcf, const AbutXml *at)
{
	const AbutImport *import = mjcf->importer->import;
	const char *name = abut_mjcf_get(mjcf, at, NULL, "joint", NULL);
	int axis;
	name = name ? name : abut_mjcf_get(mjcf, at, NULL, "jointinparent", NULL);
	const int joint = abut_import_find_joint(import, at, name, &axis);
	return joint >= 0 && import->joints[joint].type == ABUT_JOINT_BALL ? joint : -1;
}

/* Adds an actuator of a ball, a torque along its gear in the child's axes, to the motor of the ball. Returns why it is
 * left out, or NULL. */
static const char *add_to_ball(const AbutMjcf *mjcf, const AbutXml *at, int index, AbutImportJoint *ball)
{
	Actuator actuator;
	double gear[6] = {1.0};
	AbutImportLaw *law = ball->law;
	AbutMotorDef *motor = &law[0].axis.motor;
	numbers(mjcf, at, "gear", 6, gear);
	if (!read_actuator(mjcf, at, index, &actuator) || actuator.bias[1] != 0.0 || actuator.bias[2] != 0.0) {
		return "on a ball, only forces have a counterpart";
	}
	if (!abut_mjcf_get(mjcf, at, NULL, "joint", NULL)) {
		return "it acts about axes of the parent; motors of balls act about those of the child";
	}
	const double bound = abut_norm3(gear) * actuator.limit, p = actuator.gain * actuator.control + actuator.bias[0];
	if (!(bound > 0.0)) {
		return "its force is 0";
	}
	motor->limit = motor->type == ABUT_MOTOR_NONE ? bound : fmax(motor->limit, bound);
	motor->limit = law[0].most > 0.0 ? fmin(motor->limit, law[0].most) : motor->limit;
	motor->type = ABUT_MOTOR_FORCE;
	for (int k = 0; k < ABUT_JOINT_FREEDOMS; k++) {
		law[k].axis.motor.target += gear[k] * p;
	}
	if (isfinite(motor->limit)) {
		abut_importer_note(mjcf->importer, at,
		                   "approximated: <%s> \"%.60s\": of the limits of ball \"%.60s\", the largest "
		                   "bounds the length of its torque",
		                   at->name, abut_importer_name(at), ball->name);
	}
	return NULL;
}

/* Returns why an actuator is left out, or NULL if it is motors now. */
static const char *add(const AbutMjcf *mjcf, const AbutXml *at, int index)
{
	AbutMjcfSum length;
	Actuator actuator;
	AbutMotorDef motor[ABUT_MJCF_TERMS_MAX] = {{.type = ABUT_MOTOR_NONE}};
	AbutImportLaw *law[ABUT_MJCF_TERMS_MAX];
	const int ball = find_ball(mjcf, at);
	if (ball >= 0) {
		return add_to_ball(mjcf, at, index, &mjcf->importer->import->joints[ball]);
	}
	if (!find_length(mjcf, at, &length)) {
		return abut_mjcf_get(mjcf, at, NULL, "site", NULL) ? "it acts on a site; motors act on joints"
		                                                   : "it does not act on hinges or slides";
	}
	if (!read_actuator(mjcf, at, index, &actuator)) {
		return "it is neither a force nor a servo of position or velocity";
	}
	for (int i = 0; i < length.n; i++) {
		const double gear = actuator.gear * length.coefficient[i];
		law[i] = &mjcf->importer->import->joints[length.joint[i]].law[length.axis[i]];
		if (!make_motor(&actuator, gear, actuator.gear * length.offset, length.n, &motor[i])) {
			return "it is neither a force nor a servo of position or velocity";
		}
		if (!has_room(law[i], &motor[i])) {
			return "its joint has a motor already";
		}
	}
	for (int i = 0; i < length.n; i++) {
		place_motor(law[i], &motor[i]);
	}
	note_parts(mjcf, at, &length, motor[0].type == ABUT_MOTOR_FORCE);
	return NULL;
}

void abut_mjcf_actuators(AbutMjcf *mjcf)
{
	int index = 0;
	for (const AbutXml *all = abut_xml_child(mjcf->root, "actuator"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = all->child; at && mjcf->importer->status == ABUT_OK; at = at->next) {
			const char *why = add(mjcf, at, index++);
			if (why) {
				abut_mjcf_leave_out(mjcf, at, NULL, why);
			}
		}
	}
}
