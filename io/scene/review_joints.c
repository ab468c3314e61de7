/* Finds what is legal in the joints and couplings of a model but probably not meant (review_joints.h): angles in
 * degrees, springs without stiffness, and couplings that leave a freedom only one value. Tested in tests/io/review.c.
 */
#include "io/scene/review_joints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dynamics/model/coupling.h"
#include "dynamics/model/joint.h"

/* A value of a freedom. */
typedef struct Value {
	const AbutJoint *joint;
	int index, axis; /* of the joint, of the freedom */
	const char *key, *member;
	double value;
} Value;

/* Writes where the value is in the scene, such as "joints[2].limits[1]". */
static void locate(const Value *value, AbutError *out)
{
	char entry[16] = "";
	if (value->joint->kind->n_freedoms > 1) {
		snprintf(entry, sizeof entry, "[%d]", value->axis);
	}
	*out = (AbutError){.status = ABUT_OK};
	snprintf(out->where, sizeof out->where, "joints[%d].%s%s%s", value->index, value->key, entry, value->member);
}

/* Sets `worst` to the angle of the freedom that is largest in magnitude, if it is larger. */
static void find_angle(const AbutJoint *joint, int index, int axis, Value *worst)
{
	const AbutJointAxis *of = &joint->acting[axis];
	const Value values[] = {
	    {joint, index, axis, "limits", "", of->has_limits ? of->lower : 0.0},
	    {joint, index, axis, "limits", "", of->has_limits ? of->upper : 0.0},
	    {joint, index, axis, "reference", "", of->reference},
	    {joint, index, axis, "motor", ".target", of->motor.type == ABUT_MOTOR_POSITION ? of->motor.target : 0.0}};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		if (fabs(values[i].value) > fabs(worst->value)) {
			*worst = values[i];
		}
	}
}

/* Warns about the largest angle, if it is more than a turn. Returns the number of warnings. */
static int write_angle(const AbutModel *model, AbutError *out)
{
	Value worst = {.value = 0.0};
	for (int i = 0; i < model->joints.n; i++) {
		for (int k = 0; k < model->joints.at[i].kind->n_freedoms; k++) {
			if (abut_joint_winds(model->joints.at[i].kind, k)) {
				find_angle(&model->joints.at[i], i, k, &worst);
			}
		}
	}
	if (!worst.joint || !(fabs(worst.value) > 2.0 * M_PI)) {
		return 0;
	}
	locate(&worst, out);
	snprintf(
	    out->message, sizeof out->message,
	    "joint %.128s has an angle of %g rad here, which is more than a turn; angles are in radians: if those of "
	    "the scene are in degrees, multiply them by 0.017453293",
	    worst.joint->name, worst.value);
	return 1;
}

/* Warns about the first reference of a spring without stiffness. Returns the number of warnings. */
static int write_slack(const AbutModel *model, AbutError *out)
{
	for (int i = 0; i < model->joints.n; i++) {
		const AbutJoint *joint = &model->joints.at[i];
		for (int k = 0; k < joint->kind->n_freedoms; k++) {
			const AbutJointAxis *of = &joint->acting[k];
			if (of->reference != 0.0 && of->stiffness == 0.0) {
				locate(&(Value){joint, i, k, "reference", "", of->reference}, out);
				snprintf(
				    out->message, sizeof out->message,
				    "the reference %g of joint %.128s has no effect, because its stiffness is 0; set "
				    "\"stiffness\", or take \"initial\" for the coordinate at the start",
				    of->reference, joint->name);
				return 1;
			}
		}
	}
	return 0;
}

/* A freedom's rate as a multiple of that of another one. */
typedef struct Link {
	int of;
	double factor;
} Link;

/* Returns the freedom as a multiple of the root of its tree. */
static Link find_root(const Link *links, int freedom)
{
	Link found = {freedom, 1.0};
	while (links[found.of].of != found.of) {
		const Link *next = &links[found.of];
		found.factor *= next->factor;
		found.of = next->of;
	}
	return found;
}

/* Links the two freedoms of a coupling. Returns false if other couplings link them already, with another ratio. */
static bool link_freedoms(Link *links, const AbutCoupling *coupling)
{
	const int a = ABUT_JOINT_FREEDOMS * coupling->joint[0] + coupling->axis[0],
	          b = ABUT_JOINT_FREEDOMS * coupling->joint[1] + coupling->axis[1];
	const Link from = find_root(links, a), to = find_root(links, b);
	const double ratio = -coupling->factor[1] / coupling->factor[0];
	if (from.of == to.of) {
		return fabs(from.factor - ratio * to.factor) <= 1e-9 * fabs(from.factor);
	}
	links[from.of] = (Link){to.of, ratio * to.factor / from.factor};
	return true;
}

/* Warns about the first coupling that closes a ring of couplings whose ratios disagree. */
static AbutStatus write_lock(const AbutModel *model, int *count, AbutError *out)
{
	const AbutJointList *joints = &model->joints;
	const size_t n = (size_t)joints->n * ABUT_JOINT_FREEDOMS;
	Link *const links = calloc(n + 1, sizeof *links);
	if (!links) {
		return ABUT_ERROR_MEMORY;
	}
	for (size_t i = 0; i < n; i++) {
		links[i] = (Link){(int)i, 1.0};
	}
	int i = 0;
	while (i < joints->n_couplings && link_freedoms(links, &joints->couplings[i])) {
		i++;
	}
	free(links);
	if (i < joints->n_couplings) {
		const AbutCoupling *coupling = &joints->couplings[i];
		*out = (AbutError){.status = ABUT_OK};
		snprintf(out->where, sizeof out->where, "couplings[%d].ratio", i);
		snprintf(out->message, sizeof out->message,
		         "this coupling and those before it give %.128s and %.128s two different ratios, so that "
		         "neither can "
		         "move; change a ratio, or leave a coupling out",
		         joints->at[coupling->joint[0]].name, joints->at[coupling->joint[1]].name);
		(*count)++;
	}
	return ABUT_OK;
}

AbutStatus abut_review_joints(const AbutModel *model, int *count, AbutError *out)
{
	int n = write_angle(model, out);
	n += write_slack(model, &out[n]);
	const AbutStatus status = write_lock(model, &n, &out[n]);
	*count += n;
	return status;
}
