/* Reads the joints of URDF: their axes, limits and dynamics. The effort of <limit> is that of a motor of type force. */
#include "io/urdf/urdf_joint.h"

#include <math.h>

#include "base/vec3.h"
#include "io/robot/importer.h"
#include "io/robot/pose.h"
#include "io/robot/values.h"
#include "io/text/words.h"

static double number(AbutImporter *importer, const AbutXml *at, const char *name)
{
	double value = 0.0;
	abut_importer_attribute(importer, at, name, 1, 1, &value);
	return value;
}

static double amount(AbutImporter *importer, const AbutXml *at, const char *name)
{
	const double value = number(importer, at, name);
	if (value < 0.0) {
		abut_importer_fail(importer, at, "%s: must be at least 0, is %g", name, value);
	}
	return value;
}

/* Limits of 1e9 stand for none: URDF demands limits of slides. */
static void read_limits(AbutImporter *importer, const AbutXml *joint, AbutJointAxis *axis)
{
	const AbutXml *limit = abut_xml_child(joint, "limit");
	axis->lower = number(importer, limit, "lower");
	axis->upper = number(importer, limit, "upper");
	const bool none = axis->lower <= -1e9 && axis->upper >= 1e9;
	axis->has_limits = axis->lower < axis->upper && !none;
	if (axis->lower > axis->upper) {
		abut_importer_fail(importer, limit, "lower: must be at most upper, are %g and %g", axis->lower,
		                   axis->upper);
	} else if (!axis->has_limits && !none) {
		abut_importer_note(importer, joint, "left out: the limits of joint \"%.60s\", of no range",
		                   abut_importer_name(joint));
	}
}

/* Reads <dynamics> and the effort of <limit>. If <dynamics> is given twice, the later one counts. */
static void read_dynamics(AbutImporter *importer, const AbutXml *joint, AbutJointAxis *axis)
{
	const double effort = amount(importer, abut_xml_child(joint, "limit"), "effort");
	for (const AbutXml *at = abut_xml_child(joint, "dynamics"); at; at = abut_xml_next(at)) {
		axis->damping = amount(importer, at, "damping");
		axis->friction = amount(importer, at, "friction");
	}
	if (effort > 0.0) {
		axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = effort};
	}
}

/* Makes the freedoms of a planar joint of that of its normal. */
static void make_planar(AbutImportFreedom freedoms[3])
{
	double q[4], R[9];
	freedoms[2] = freedoms[0];
	abut_turn_z_onto(freedoms[2].axis, q);
	abut_quat_to_mat3(q, R);
	for (int i = 0; i < 2; i++) {
		freedoms[i] = freedoms[2];
		freedoms[i].slides = true;
		for (int k = 0; k < 3; k++) {
			freedoms[i].axis[k] = R[3 * k + i];
		}
	}
}

/* Makes two turns about axes orthogonal to the given one. */
static void make_orbital(AbutImportFreedom freedoms[2])
{
	double q[4], R[9];
	abut_turn_z_onto(freedoms[0].axis, q);
	abut_quat_to_mat3(q, R);
	freedoms[1] = freedoms[0];
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 3; k++) {
			freedoms[i].axis[k] = R[3 * k + i];
		}
	}
}

/* Types of joints, as URDF and Dojo (the last four) call them. */
typedef enum UrdfType {
	REVOLUTE,
	CONTINUOUS,
	PRISMATIC,
	FIXED,
	FLOATING,
	PLANAR,
	BALL,
	SPHERICAL,
	ORBITAL,
	PLANARAXIS
} UrdfType;

/* Returns the type of a joint, or FIXED after an error. */
static UrdfType read_type(AbutImporter *importer, const AbutXml *joint)
{
	static const char *const types[] = {
	    [REVOLUTE] = "revolute", [CONTINUOUS] = "continuous", [PRISMATIC] = "prismatic", [FIXED] = "fixed",
	    [FLOATING] = "floating", [PLANAR] = "planar",         [BALL] = "ball",           [SPHERICAL] = "spherical",
	    [ORBITAL] = "orbital",   [PLANARAXIS] = "planaraxis"};
	const char *type = abut_xml_get(joint, "type");
	const int found = type ? abut_text_index(type, types, sizeof types / sizeof *types) : -1;
	char quoted[ABUT_QUOTE_SIZE], list[128];
	if (found >= 0) {
		return (UrdfType)found;
	}
	abut_importer_fail(importer, joint, "type: must be one of %s, is %s",
	                   abut_text_join(types, sizeof types / sizeof *types, list, sizeof list),
	                   type ? abut_text_quote(type, quoted) : "missing");
	return FIXED;
}

AbutUrdfMotion abut_urdf_joint(AbutImporter *importer, const AbutXml *joint,
                               AbutImportFreedom freedoms[ABUT_JOINT_FREEDOMS], int *n)
{
	const UrdfType type = read_type(importer, joint);
	AbutImportFreedom *f = &freedoms[0];
	*n = 0;
	if (type == FIXED || type == FLOATING) {
		return type == FLOATING ? ABUT_URDF_FREE : ABUT_URDF_FIXED;
	}
	*f = (AbutImportFreedom){.element = joint, .axis = {1.0, 0.0, 0.0}};
	f->law.source = abut_importer_name(joint);
	f->law.element = joint;
	abut_importer_attribute(importer, abut_xml_child(joint, "axis"), "xyz", 3, 3, f->axis);
	if (!(abut_norm3(f->axis) > 1e-10)) {
		abut_importer_fail(importer, abut_xml_child(joint, "axis"),
		                   "xyz: must have a direction, is of length %g", abut_norm3(f->axis));
	}
	read_dynamics(importer, joint, &f->law.axis);
	*n = 1;
	if (type == BALL || type == SPHERICAL) {
		f->law.axis.motor = (AbutMotorDef){.type = ABUT_MOTOR_NONE};
		return ABUT_URDF_BALL;
	}
	if (type == ORBITAL) { /* Dojo: two turns about axes orthogonal to the given one */
		f->law.axis.motor = (AbutMotorDef){.type = ABUT_MOTOR_NONE};
		make_orbital(freedoms);
		*n = 2;
		abut_importer_note(importer, joint,
		                   "approximated: orbital joint \"%.60s\" is a universal joint, which keeps the twist "
		                   "about its axis to second order",
		                   abut_importer_name(joint));
		return ABUT_URDF_FREEDOMS;
	}
	if (type == PLANAR || type == PLANARAXIS) { /* the latter: Dojo */
		make_planar(freedoms);
		*n = 3;
		return ABUT_URDF_FREEDOMS;
	}
	f->slides = type == PRISMATIC;
	if ((type == PRISMATIC || type == REVOLUTE) && abut_xml_child(joint, "limit")) {
		read_limits(importer, joint, &f->law.axis);
	}
	return ABUT_URDF_FREEDOMS;
}

void abut_urdf_mimics(AbutImporter *importer, const AbutXml *robot)
{
	for (const AbutXml *at = abut_xml_child(robot, "joint"); at && importer->status == ABUT_OK;
	     at = abut_xml_next(at)) {
		const AbutXml *mimic = abut_xml_child(at, "mimic");
		double ratio = 1.0, offset = 0.0;
		if (!mimic) {
			continue;
		}
		abut_importer_attribute(importer, mimic, "multiplier", 1, 1, &ratio);
		abut_importer_attribute(importer, mimic, "offset", 1, 1, &offset);
		if (!abut_importer_couple(importer, at, abut_importer_name(at), abut_xml_get(mimic, "joint"), ratio,
		                          offset)) {
			abut_importer_note(importer, mimic, "left out: <mimic> of joint \"%.60s\": it is of no freedom",
			                   abut_importer_name(at));
		}
	}
}
