/* Carries initial coordinates over couplings. Tested in tests/dynamics/joint/test_couplings.c. */
#include "dynamics/joint/couple.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/scale.h"

static const double revolution = 2.0 * 3.14159265358979323846;

/* Calls `visit` for all couplings, in alternating order, until a round changes nothing. */
static void repeat(const AbutModel *model, bool (*visit)(void *data, const AbutCoupling *coupling), void *data)
{
	const int n = model->joints.n_couplings;
	bool changed = n > 0, back = false;
	for (; changed; back = !back) {
		changed = false;
		for (int i = 0; i < n; i++) {
			changed = visit(data, &model->joints.couplings[back ? n - 1 - i : i]) || changed;
		}
	}
}

/* Returns the value of end `far` that the other end's `value` asks for; a rate if `rate`. */
static double asked(const AbutCoupling *coupling, int far, double value, bool rate)
{
	return ((rate ? 0.0 : coupling->offset) - coupling->factor[1 - far] * value) / coupling->factor[far];
}

/* --- given coordinates and rates --- */

typedef struct Spreading {
	AbutModel *model;
	bool rates;
} Spreading;

/* Returns the given coordinate or rate of an end of a coupling (SI). */
static double *value_of(const Spreading *spreading, const AbutCoupling *coupling, int end)
{
	AbutJoint *joint = &spreading->model->joints.at[coupling->joint[end]];
	return &(spreading->rates ? joint->velocity : joint->position)[coupling->axis[end]];
}

static bool *given_of(const Spreading *spreading, const AbutCoupling *coupling, int end)
{
	AbutJoint *joint = &spreading->model->joints.at[coupling->joint[end]];
	return spreading->rates ? &joint->driven : &joint->placed;
}

static double unit_of(const Spreading *spreading, const AbutCoupling *coupling, int end)
{
	const AbutJointKind *kind = spreading->model->joints.at[coupling->joint[end]].kind;
	return abut_joint_turns(kind, coupling->axis[end]) ? 1.0 : spreading->model->units.length;
}

/* Returns what a given value of the other end asks of end `far`, SI. */
static double asked_si(const Spreading *spreading, const AbutCoupling *coupling, int far)
{
	const double other = *value_of(spreading, coupling, 1 - far) / unit_of(spreading, coupling, 1 - far);
	return asked(coupling, far, other, spreading->rates) * unit_of(spreading, coupling, far);
}

static bool spread_one(void *data, const AbutCoupling *coupling)
{
	const Spreading *spreading = data;
	if (coupling->yields) {
		return false;
	}
	for (int far = 0; far < 2; far++) {
		const AbutJoint *joint = &spreading->model->joints.at[coupling->joint[far]];
		bool *given = given_of(spreading, coupling, far);
		if (!*given && *given_of(spreading, coupling, 1 - far) && joint->kind->n_freedoms == 1) {
			*given = true;
			*value_of(spreading, coupling, far) = asked_si(spreading, coupling, far);
			return true;
		}
	}
	return false;
}

static AbutStatus check_given(const Spreading *spreading, int index, AbutError *error)
{
	const AbutCoupling *coupling = &spreading->model->joints.couplings[index];
	const AbutJoint *joints = spreading->model->joints.at;
	if (coupling->yields || !*given_of(spreading, coupling, 0) || !*given_of(spreading, coupling, 1)) {
		return ABUT_OK;
	}
	const double own = *value_of(spreading, coupling, 0), other = asked_si(spreading, coupling, 0);
	if (fabs(own - other) <= 1e-9 * (1.0 + fabs(own))) {
		return ABUT_OK;
	}
	const char *what = spreading->rates ? "rate" : "coordinate";
	char where[192];
	snprintf(where, sizeof where, "initial.%s.%.127s", spreading->rates ? "joint_velocities" : "joints",
	         joints[coupling->joint[0]].name);
	return abut_error_set(
	    error, ABUT_ERROR_ARGUMENT, where,
	    "the initial %s of joint '%s' is %g, but couplings[%d] makes it %g by that of joint '%s'; "
	    "leave one of them out",
	    what, joints[coupling->joint[0]].name, own, index, other, joints[coupling->joint[1]].name);
}

AbutStatus abut_couplings_spread(AbutModel *model, AbutError *error)
{
	for (int rates = 0; rates < 2; rates++) {
		Spreading spreading = {model, rates == 1};
		repeat(model, spread_one, &spreading);
		for (int i = 0; i < model->joints.n_couplings; i++) {
			ABUT_TRY(check_given(&spreading, i, error));
		}
	}
	return ABUT_OK;
}

/* --- revolutions --- */

typedef struct Unwrapping {
	AbutModel *model;
	bool (*known)[ABUT_JOINT_FREEDOMS]; /* (n_joints) whether `start` is chosen */
	/* (ABUT_JOINT_FREEDOMS n_joints) per freedom: one that is coupled with it, up to the first of its group, which
	 * is its own; and, of the first, whether a coupling of the group has chosen both its ends */
	int *next;
	bool *began;
	bool both; /* the next coupling of each group of which no end is known chooses both */
} Unwrapping;

/* Returns the first freedom of the group of an end. */
static int group_of(const Unwrapping *un, const AbutCoupling *coupling, int end)
{
	int at = ABUT_JOINT_FREEDOMS * coupling->joint[end] + coupling->axis[end];
	while (un->next[at] != at) {
		at = un->next[at] = un->next[un->next[at]];
	}
	return at;
}

static void find_groups(const Unwrapping *un)
{
	const AbutJointList *joints = &un->model->joints;
	for (int i = 0; i < ABUT_JOINT_FREEDOMS * joints->n; i++) {
		un->next[i] = i;
	}
	for (int i = 0; i < joints->n_couplings; i++) {
		un->next[group_of(un, &joints->couplings[i], 1)] = group_of(un, &joints->couplings[i], 0);
	}
}

/* Turns an end by whole revolutions to what the other end asks for. */
static double unwrap_end(const Unwrapping *un, const AbutCoupling *coupling, int far)
{
	const AbutJoint *joints = un->model->joints.at;
	const double other = joints[coupling->joint[1 - far]].start[coupling->axis[1 - far]];
	return abut_joint_unwrap(joints[coupling->joint[far]].start[coupling->axis[far]],
	                         asked(coupling, far, other, false));
}

static bool unwrap_one(void *data, const AbutCoupling *coupling)
{
	Unwrapping *un = data;
	bool *known[2];
	double *start[2], apart[2];
	for (int end = 0; end < 2; end++) {
		known[end] = &un->known[coupling->joint[end]][coupling->axis[end]];
		start[end] = &un->model->joints.at[coupling->joint[end]].start[coupling->axis[end]];
	}
	bool *began = &un->began[group_of(un, coupling, 0)];
	if (*known[0] == *known[1] && (*known[0] || !un->both || *began)) {
		return false;
	}
	if (!*known[0] && !*known[1]) { /* the better of a turn of either end */
		*began = true;
		for (int far = 0; far < 2; far++) {
			const double turned = unwrap_end(un, coupling, far);
			apart[far] = fabs(far == 0 ? abut_coupling_value(coupling, turned, *start[1])
			                           : abut_coupling_value(coupling, *start[0], turned));
		}
		*known[apart[1] < 0.999 * apart[0] ? 0 : 1] = true;
	}
	const int far = *known[0] ? 1 : 0;
	*start[far] = unwrap_end(un, coupling, far);
	*known[far] = true;
	return true;
}

/* Sets a coordinate as far as its joint alone decides it. Returns whether that decides its revolution. */
static bool begin(AbutJoint *joint, int k, double c)
{
	const AbutJointLaw *law = &joint->law[k];
	const bool turns = abut_joint_turns(joint->kind, k),
	           narrow = abut_joint_law_has_limits(law) && law->upper - law->lower < revolution;
	if (turns && joint->placed) {
		c = abut_joint_unwrap(c, joint->position[k]);
	} else if (turns && abut_joint_law_has_limits(law)) {
		c = abut_joint_unwrap(c, 0.5 * (law->lower + law->upper));
	}
	joint->start[k] = c;
	return !turns || joint->placed || narrow;
}

static AbutStatus allocate(Unwrapping *un)
{
	const size_t n = (size_t)un->model->joints.n + 1;
	un->known = calloc(n, sizeof *un->known);
	un->next = calloc(n, ABUT_JOINT_FREEDOMS * sizeof *un->next);
	un->began = calloc(n, ABUT_JOINT_FREEDOMS * sizeof *un->began);
	return un->known && un->next && un->began ? ABUT_OK : ABUT_ERROR_MEMORY;
}

AbutStatus abut_couplings_unwrap(AbutModel *model, const AbutJointWork *joints, AbutError *error)
{
	Unwrapping un = {.model = model};
	AbutStatus status = allocate(&un) == ABUT_OK ? ABUT_OK : abut_model_no_memory(error);
	for (int i = 0; status == ABUT_OK && i < model->joints.n; i++) {
		AbutJoint *joint = &model->joints.at[i];
		for (int k = 0; k < joint->kind->n_freedoms; k++) {
			un.known[i][k] = begin(joint, k, joints[i].rows[joint->n_held + k].value);
		}
	}
	if (status == ABUT_OK) {
		find_groups(&un);
		repeat(model, unwrap_one, &un);
		un.both = true;
		repeat(model, unwrap_one, &un);
	}
	free(un.known);
	free(un.next);
	free(un.began);
	return status;
}
