/* Reads the joints of a body of MJCF: hinges, slides, balls and free joints, with what acts on them. */
#include "io/mjcf/mjcf_joint.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "io/robot/importer.h"
#include "io/robot/values.h"
#include "io/text/words.h"

const char *abut_mjcf_joint_type(const AbutMjcf *mjcf, const AbutXml *joint, const char *childclass)
{
	const char *type = abut_mjcf_get(mjcf, joint, childclass, "type", NULL);
	return strcmp(joint->name, "freejoint") == 0 ? "free" : type ? type : "hinge";
}

static double number(const AbutMjcf *mjcf, const AbutXml *joint, const char *childclass, const char *name)
{
	double value = 0.0;
	abut_mjcf_numbers(mjcf, joint, childclass, name, 1, 1, &value);
	return value;
}

/* Reads a number that may not be negative. */
static double amount(const AbutMjcf *mjcf, const AbutXml *joint, const char *childclass, const char *name)
{
	const double value = number(mjcf, joint, childclass, name);
	if (value < 0.0) {
		abut_importer_fail(mjcf->importer, joint, "%s: must be at least 0, is %g", name, value);
	}
	return value;
}

static AbutImportFreedom read_freedom(const AbutMjcf *mjcf, const AbutXml *joint, const char *childclass,
                                      const char *type)
{
	AbutImportFreedom out = {.element = joint, .slides = strcmp(type, "slide") == 0, .axis = {0.0, 0.0, 1.0}};
	AbutJointAxis *axis = &out.law.axis;
	const double unit = out.slides ? 1.0 : abut_mjcf_radians(mjcf, 1.0);
	double range[2] = {0.0, 0.0}, most[2] = {0.0, 0.0};
	out.law.source = abut_importer_name(joint);
	out.law.element = joint;
	abut_mjcf_numbers(mjcf, joint, childclass, "pos", 3, 3, out.anchor);
	abut_mjcf_numbers(mjcf, joint, childclass, "axis", 3, 3, out.axis);
	if (!(abut_norm3(out.axis) > 1e-10)) {
		abut_importer_fail(mjcf->importer, joint, "axis: must have a direction, is of length %g",
		                   abut_norm3(out.axis));
	}
	axis->has_limits = abut_mjcf_range(mjcf, joint, childclass, "range", "limited", range);
	axis->lower = unit * range[0];
	axis->upper = unit * range[1];
	if (axis->has_limits && strcmp(type, "ball") != 0 && !(axis->lower < axis->upper)) {
		abut_importer_fail(mjcf->importer, joint,
		                   "range: the lower limit must be below the upper one, is %g %g", range[0], range[1]);
	}
	if (abut_mjcf_range(mjcf, joint, childclass, "actuatorfrcrange", "actuatorfrclimited", most)) {
		out.law.most = fmax(fabs(most[0]), fabs(most[1]));
	}
	out.law.at = unit * number(mjcf, joint, childclass, "ref");
	axis->reference = unit * number(mjcf, joint, childclass, "springref");
	axis->stiffness = amount(mjcf, joint, childclass, "stiffness");
	axis->damping = amount(mjcf, joint, childclass, "damping");
	axis->friction = amount(mjcf, joint, childclass, "frictionloss");
	axis->armature = amount(mjcf, joint, childclass, "armature");
	out.law.limit_spring = abut_mjcf_spring(mjcf, joint, childclass, "solreflimit", "solimplimit");
	out.law.limit_spring.margin = amount(mjcf, joint, childclass, "margin");
	out.law.limit_spring.has_margin = out.law.limit_spring.margin > 0.0;
	out.law.friction_spring = abut_mjcf_spring(mjcf, joint, childclass, "solreffriction", "solimpfriction");
	return out;
}

/* Makes the range of a ball, whose upper value bounds the whole angle, a cone and a twist of this angle. */
static void bound_ball(const AbutMjcf *mjcf, const AbutXml *joint, AbutJointAxis *axis)
{
	const double most = axis->upper, pi = acos(-1.0);
	if (!axis->has_limits) {
		return;
	}
	axis->lower = fmin(fmax(most, 1e-3), pi - 1e-3);
	axis->upper = fmin(fmax(most, 1e-3), pi);
	abut_importer_note(
	    mjcf->importer, joint,
	    "approximated: range of ball \"%.60s\": the angle of its z axis and its twist are at most %g rad, "
	    "each for itself",
	    abut_importer_name(joint), most);
}

AbutMjcfMotion abut_mjcf_joints(const AbutMjcf *mjcf, const AbutXml *body, const char *childclass, bool in_world,
                                AbutImportFreedom freedoms[ABUT_MJCF_JOINTS_MAX], int *n)
{
	AbutMjcfMotion motion = ABUT_MJCF_FIXED;
	char quoted[ABUT_QUOTE_SIZE];
	*n = 0;
	for (const AbutXml *at = body->child; at && mjcf->importer->status == ABUT_OK; at = at->next) {
		if (strcmp(at->name, "joint") != 0 && strcmp(at->name, "freejoint") != 0) {
			continue;
		}
		const char *type = abut_mjcf_joint_type(mjcf, at, childclass);
		const bool free = strcmp(type, "free") == 0, ball = strcmp(type, "ball") == 0;
		if (free && !in_world) {
			abut_importer_fail(
			    mjcf->importer, at,
			    "type: only bodies of the world may have a free joint; this body is in \"%.60s\"",
			    abut_importer_name(body->parent));
		} else if (!free && !ball && strcmp(type, "hinge") != 0 && strcmp(type, "slide") != 0) {
			abut_importer_fail(mjcf->importer, at, "type: must be free, ball, slide or hinge, is %s",
			                   abut_text_quote(type, quoted));
		} else if (motion != ABUT_MJCF_FIXED && (free || ball || motion != ABUT_MJCF_FREEDOMS)) {
			abut_importer_fail(mjcf->importer, at,
			                   "a body with a free joint or a ball may have no other joint");
		} else if (*n == ABUT_MJCF_JOINTS_MAX) {
			abut_importer_fail(mjcf->importer, at, "is one joint too many; a body may have %d",
			                   (int)ABUT_MJCF_JOINTS_MAX);
		} else if (free) {
			motion = ABUT_MJCF_FREE;
		} else {
			motion = ball ? ABUT_MJCF_BALL : ABUT_MJCF_FREEDOMS;
			freedoms[*n] = read_freedom(mjcf, at, childclass, type);
			if (ball) {
				bound_ball(mjcf, at, &freedoms[*n].law.axis);
			}
			++*n;
		}
	}
	return motion;
}
