/* Errors of initial poses. Tested in tests/dynamics/joint/test_assemble.c. */
#include "dynamics/joint/assembly_check.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/coupling.h"

static AbutStatus refuse_coupling(const AbutAssembly *a, int index, AbutError *error)
{
	const AbutCoupling *coupling = &a->model->joints.couplings[index];
	char where[64];
	snprintf(where, sizeof where, "couplings[%d]", index);
	return abut_error_set(
	    error, ABUT_ERROR_ARGUMENT, where,
	    "joints '%s' and '%s' miss their coupling by %g %s at the nearest poses of all bodies; check "
	    "its offset, and the other couplings and joints that hold the two",
	    a->model->joints.at[coupling->joint[0]].name, a->model->joints.at[coupling->joint[1]].name,
	    fabs(a->couplings[index].value) * (coupling->turns ? 1.0 : a->model->units.length),
	    coupling->turns ? "rad" : "m");
}

AbutStatus abut_assembly_refuse(const AbutAssembly *a, AbutError *error)
{
	if (a->worst >= a->model->joints.n) {
		return refuse_coupling(a, a->worst - a->model->joints.n, error);
	}
	const AbutJointWork *work = &a->joints[a->worst];
	const AbutJoint *joint = &a->model->joints.at[a->worst];
	const int places = abut_joint_kind_places(joint->kind);
	char where[64];
	double apart = 0.0, turned = 0.0;
	for (int k = 0; k < joint->n_held; k++) {
		*(k < places ? &apart : &turned) = abut_max(k < places ? apart : turned, fabs(work->rows[k].value));
	}
	snprintf(where, sizeof where, "joints[%d]", a->worst);
	return abut_error_set(
	    error, ABUT_ERROR_ARGUMENT, where,
	    "joint '%s' cannot be closed: %g m and %g rad are left at the nearest poses of all bodies; "
	    "check its frames, and those of the loop that it closes",
	    joint->name, apart * a->model->units.length, turned);
}

AbutStatus abut_assembly_refuse_reversed(const AbutAssembly *a, int joint, const char *poses, AbutError *error)
{
	char where[64];
	snprintf(where, sizeof where, "joints[%d]", joint);
	return abut_error_set(
	    error, ABUT_ERROR_ARGUMENT, where,
	    "joint '%s': its frames are turned by 90 degrees or more from each other at the %s poses; "
	    "turn one of them, or the child",
	    a->model->joints.at[joint].name, poses);
}

AbutStatus abut_assembly_check_limits(const AbutAssembly *a, AbutError *error)
{
	static const double slack = 1e-9; /* the first step undoes it */
	for (int i = 0; i < a->model->joints.n; i++) {
		AbutJoint *joint = &a->model->joints.at[i];
		const AbutJointRow *rows = &a->joints[i].rows[joint->n_held];
		for (int k = 0; k < joint->kind->n_freedoms; k++) {
			const AbutJointLaw *law = &joint->law[k];
			const bool turns = abut_joint_turns(joint->kind, k);
			double c = rows[k].value;
			if (joint->geared[k] && turns) {
				c = abut_joint_unwrap(c, joint->start[k]);
			} else if (joint->placed && abut_joint_winds(joint->kind, k)) {
				c = abut_joint_unwrap(c, joint->position[k]);
			} else if (abut_joint_law_has_limits(law) && turns) {
				c = abut_joint_unwrap(c, 0.5 * (law->lower + law->upper));
			}
			joint->start[k] = c;
			if (abut_joint_law_has_limits(law) && !(c >= law->lower - slack && c <= law->upper + slack)) {
				const double unit = turns ? 1.0 : a->model->units.length;
				char where[64];
				snprintf(where, sizeof where, "joints[%d].limits", i);
				return abut_error_set(
				    error, ABUT_ERROR_ARGUMENT, where,
				    "joint '%s' is at %g %s at the initial poses; its limits are %g to %g", joint->name,
				    c * unit + 0.0, turns ? "rad" : "m", law->lower * unit, law->upper * unit);
			}
		}
	}
	return ABUT_OK;
}

AbutStatus abut_assembly_check_bounds(const AbutAssembly *a, AbutError *error)
{
	static const double slack = 1e-9;
	for (int i = 0; i < a->model->joints.n; i++) {
		const AbutJoint *joint = &a->model->joints.at[i];
		for (int k = joint->kind->n_freedoms; k < joint->kind->n_laws; k++) {
			const bool cone = joint->law[k].one_sided;
			const double c = a->joints[i].rows[joint->n_held + k].value;
			const double angle = cone ? 2.0 * asin(abut_min(1.0, sqrt(-0.5 * c * joint->cone))) : c;
			const double limit = cone ? joint->acting[0].lower : joint->law[k].upper;
			char where[192];
			if (fabs(angle) <= limit + slack) {
				continue;
			}
			if (joint->placed) {
				snprintf(where, sizeof where, "initial.joints.%.127s", joint->name);
			} else {
				snprintf(where, sizeof where, "joints[%d].limits", i);
			}
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
			                      "joint '%s' %s by %g rad at the initial poses; its limit is %g rad",
			                      joint->name, cone ? "leans" : "is twisted", angle, limit);
		}
	}
	return ABUT_OK;
}
