/* Makes the actuators of MJCF motors. With a gear g, an actuator of force p on the length g q is the effort g p on q:
 *
 *     motor      p = u                             a motor of type force
 *     position   p = kp (u - g q) - kv g q'        a position motor of stiffness g^2 kp and damping g^2 kv
 *     velocity   p = kv (u - g q')                 a velocity motor of damping g^2 kv
 *     general    p = a u + b0 + b1 g q + b2 g q'   one of these, if b0 = 0 and b1 or b2 belongs to a
 *
 * Controls u are not part of a scene: targets are 0, or what `run --inputs` gives. The limit of an effort is that of
 * forcerange and, for a motor of type force, that of ctrlrange, whichever is smaller. Tested in
 * tests/io/import_joints.c. */
#include "io/import/mjcf_actuator.h"

#include <math.h>
#include <string.h>

#include "io/import/importer.h"
#include "io/import/joints.h"

/* An actuator: the force a u + b0 + b1 length + b2 rate. */
typedef struct Actuator {
	double gain, bias[3], gear, limit;
} Actuator;

static int numbers(const AbutMjcf *mjcf, const AbutXml *at, const char *name, int most, double *out)
{
	return abut_mjcf_numbers(mjcf, at, NULL, name, 1, most, out);
}

/* Returns the largest magnitude of a range, or INFINITY if it does not apply; `limited` is "true", "false" or "auto".
 */
static double bound(const AbutMjcf *mjcf, const AbutXml *at, const char *name, const char *limited)
{
	double range[2] = {0.0, 0.0};
	const char *text = abut_mjcf_get(mjcf, at, NULL, limited, NULL);
	const bool given = numbers(mjcf, at, name, 2, range) > 0;
	const bool applies = text && strcmp(text, "auto") != 0 ? strcmp(text, "true") == 0 : given;
	if (!applies) {
		return (double)INFINITY;
	}
	if (range[0] != -range[1]) {
		abut_importer_note(mjcf->importer, at,
		                   "approximated: %s of \"%.60s\" is %g to %g; the limit is the larger", name,
		                   abut_importer_name(at), range[0], range[1]);
	}
	return fmax(fabs(range[0]), fabs(range[1]));
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
	return (!gain || strcmp(gain, "fixed") == 0) && (!dynamics || strcmp(dynamics, "none") == 0) &&
	       (!bias || strcmp(bias, "affine") == 0 || strcmp(bias, "none") == 0);
}

/* Reads an actuator. Returns false if motors cannot be like it. */
static bool read_actuator(const AbutMjcf *mjcf, const AbutXml *at, Actuator *out)
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
	out->limit = bound(mjcf, at, "forcerange", "forcelimited");
	if (out->bias[1] == 0.0 && out->bias[2] == 0.0) {
		out->limit = fmin(out->limit, fabs(out->gain) * bound(mjcf, at, "ctrlrange", "ctrllimited"));
	}
	return true;
}

/* Sets the motor. Returns false if there is none of this form. */
static bool make_motor(const Actuator *actuator, AbutMotorDef *motor)
{
	const double square = actuator->gear * actuator->gear, *bias = actuator->bias;
	*motor = (AbutMotorDef){.limit = fabs(actuator->gear) * actuator->limit};
	if (!(motor->limit > 0.0) || bias[0] != 0.0) {
		return false;
	}
	if (bias[1] == 0.0 && bias[2] == 0.0) {
		motor->type = ABUT_MOTOR_FORCE;
		return true;
	}
	motor->type = bias[1] != 0.0 ? ABUT_MOTOR_POSITION : ABUT_MOTOR_VELOCITY;
	motor->stiffness = -square * bias[1];
	motor->damping = -square * bias[2];
	return motor->stiffness >= 0.0 && motor->damping >= 0.0 &&
	       fabs(actuator->gain + (bias[1] != 0.0 ? bias[1] : bias[2])) <= 1e-9 * fabs(actuator->gain);
}

static void add_motor(const AbutMjcf *mjcf, const AbutXml *at)
{
	AbutImporter *importer = mjcf->importer;
	const char *name = abut_mjcf_get(mjcf, at, NULL, "joint", NULL);
	int joint, freedom;
	const bool found = abut_import_find_freedom(importer->import, name, &joint, &freedom);
	AbutJointAxis *axis = found ? &importer->import->joints[joint].law[freedom].axis : NULL;
	Actuator actuator;
	AbutMotorDef motor;
	if (!axis) {
		abut_importer_note(importer, at, "left out: <%s> \"%.60s\": it does not act on a hinge or a slide",
		                   at->name, abut_importer_name(at));
	} else if (axis->motor.type != ABUT_MOTOR_NONE) {
		abut_importer_note(importer, at, "left out: <%s> \"%.60s\": joint \"%.60s\" has a motor already",
		                   at->name, abut_importer_name(at), name);
	} else if (!read_actuator(mjcf, at, &actuator) || !make_motor(&actuator, &motor)) {
		abut_importer_note(
		    importer, at, "left out: <%s> \"%.60s\": it is neither a force nor a servo of position or velocity",
		    at->name, abut_importer_name(at));
	} else {
		axis->motor = motor;
	}
}

void abut_mjcf_actuators(AbutMjcf *mjcf)
{
	for (const AbutXml *all = abut_xml_child(mjcf->root, "actuator"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = all->child; at && mjcf->importer->status == ABUT_OK; at = at->next) {
			add_motor(mjcf, at);
		}
	}
}
