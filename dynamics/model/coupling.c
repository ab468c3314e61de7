/* Checks and compiles couplings. Tested in tests/dynamics/joint/test_couplings.c. */
#include "dynamics/model/coupling.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "dynamics/model/check.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/pair.h"
#include "dynamics/model/scale.h"

/* --- checks --- */

/* Refuses coupling `index`; `key` begins with a dot, or is empty. */
__attribute__((format(printf, 4, 5))) static AbutStatus refuse(int index, const char *key, AbutError *error,
                                                               const char *format, ...)
{
	char path[64], message[256];
	va_list arguments;
	snprintf(path, sizeof path, "couplings[%d]%s", index, key);
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, path, "%s", message);
}

static AbutStatus check_side(const AbutSceneDef *def, int index, int side, AbutError *error)
{
	const AbutCouplingDef *coupling = &def->couplings[index];
	const int joint = coupling->joint[side], axis = coupling->axis[side];
	char key[32];
	snprintf(key, sizeof key, ".joints[%d]", side);
	if (joint < 0 || joint >= def->n_joints) {
		return refuse(index, key, error, "joint %d does not exist; it must be an index of a joint, 0 to %d",
		              joint, def->n_joints - 1);
	}
	const AbutJointDef *of = &def->joints[joint];
	const int freedoms = abut_joint_type_freedoms(of->type);
	if (of->type == ABUT_JOINT_BALL) {
		return refuse(
		    index, key, error,
		    "joint '%s' is a ball, whose coordinates are entries of a rotation vector; each depends on "
		    "turns about all axes, so a ratio cannot hold it: use a universal joint or hinges",
		    of->name);
	}
	if (freedoms == 0) {
		return refuse(index, key, error,
		              "joint '%s' is of type %s, which has no coordinate; a coupling needs a hinge, slide, "
		              "universal, cylindrical or planar joint",
		              of->name, abut_joint_type_name(of->type));
	}
	if (axis < 0 || axis >= freedoms) {
		snprintf(key, sizeof key, ".axes[%d]", side);
		return refuse(index, key, error, "is %d; joint '%s' is of type %s, whose freedoms are 0 to %d", axis,
		              of->name, abut_joint_type_name(of->type), freedoms - 1);
	}
	return ABUT_OK;
}

static AbutStatus check_coupling(const AbutSceneDef *def, int index, AbutError *error)
{
	const AbutCouplingDef *coupling = &def->couplings[index];
	const double ratio = fabs(coupling->ratio);
	ABUT_TRY(check_side(def, index, 0, error));
	ABUT_TRY(check_side(def, index, 1, error));
	if (coupling->joint[0] == coupling->joint[1] && coupling->axis[0] == coupling->axis[1]) {
		return refuse(index, ".joints", error,
		              "couples joint '%s' with itself; it needs two freedoms of different joints, or different "
		              "\"axes\" of one",
		              def->joints[coupling->joint[0]].name);
	}
	if (!(ratio >= 1e-6 && ratio <= 1e6)) {
		return refuse(index, ".ratio", error, "the ratio is %g; its magnitude must lie in 1e-6 to 1e6",
		              coupling->ratio);
	}
	if (!(fabs(coupling->offset) <= ABUT_LARGEST_MOTION)) {
		return refuse(index, ".offset", error, "the offset is %g; it must lie within +-%g", coupling->offset,
		              ABUT_LARGEST_MOTION);
	}
	return ABUT_OK;
}

/* The two freedoms of a coupling, the smaller one first. */
typedef struct Ends {
	long from, to;
	int index;
} Ends;

static int compare_ends(const void *a, const void *b)
{
	const Ends *x = a, *y = b;
	const long order = x->from != y->from ? x->from - y->from
	                   : x->to != y->to   ? x->to - y->to
	                                      : x->index - y->index;
	return order > 0 ? 1 : order < 0 ? -1 : 0;
}

/* Refuses the first coupling of two freedoms that an earlier one couples. */
static AbutStatus check_doubled(const AbutSceneDef *def, AbutError *error)
{
	const int n = def->n_couplings;
	Ends *ends = malloc(((size_t)n + 1) * sizeof *ends);
	int doubled = n, by = 0;
	if (!ends) {
		return abut_model_no_memory(error);
	}
	for (int i = 0; i < n; i++) {
		const AbutCouplingDef *c = &def->couplings[i];
		const long a = (long)c->joint[0] * ABUT_JOINT_FREEDOMS + c->axis[0],
		           b = (long)c->joint[1] * ABUT_JOINT_FREEDOMS + c->axis[1];
		ends[i] = (Ends){a < b ? a : b, a < b ? b : a, i};
	}
	qsort(ends, (size_t)n, sizeof *ends, compare_ends);
	for (int i = 1; i < n; i++) {
		if (ends[i].from == ends[i - 1].from && ends[i].to == ends[i - 1].to && ends[i].index < doubled) {
			doubled = ends[i].index;
			by = ends[i - 1].index;
		}
	}
	free(ends);
	if (doubled == n) {
		return ABUT_OK;
	}
	const AbutCouplingDef *c = &def->couplings[doubled];
	return refuse(doubled, ".joints", error,
	              "joints '%s' and '%s' are coupled by couplings[%d] already; leave one out",
	              def->joints[c->joint[0]].name, def->joints[c->joint[1]].name, by);
}

AbutStatus abut_couplings_check(const AbutSceneDef *def, const AbutMethodRow *method, AbutError *error)
{
	if (def->n_couplings < 0 || def->n_couplings > ABUT_JOINTS_MAX || (def->n_couplings > 0 && !def->couplings)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "couplings",
		                      "the scene has %d couplings%s; it may have 0 to %d, with their array",
		                      def->n_couplings, def->couplings ? "" : " (NULL)", (int)ABUT_JOINTS_MAX);
	}
	for (int i = 0; i < def->n_couplings; i++) {
		ABUT_TRY(check_coupling(def, i, error));
	}
	for (int i = 0; method->check_springs && i < def->n_couplings; i++) {
		const AbutSoftness soft = abut_joint_softness(&def->solver, &def->couplings[i].equality_spring);
		char where[64];
		snprintf(where, sizeof where, "couplings[%d].equality_spring", i);
		ABUT_TRY(def->couplings[i].has_equality_spring ? method->check_springs(&soft, where, error) : ABUT_OK);
	}
	return check_doubled(def, error);
}

/* --- compiling --- */

AbutStatus abut_couplings_create(const AbutSceneDef *def, AbutModel *model, AbutError *error)
{
	const bool soft = model->method->has.springs && model->options.convex_model == ABUT_CONVEX_MODEL_SOFT;
	model->joints.couplings = calloc((size_t)def->n_couplings + 1, sizeof *model->joints.couplings);
	if (!model->joints.couplings) {
		return abut_model_no_memory(error);
	}
	model->joints.n_couplings = def->n_couplings;
	for (int i = 0; i < def->n_couplings; i++) {
		const AbutCouplingDef *from = &def->couplings[i];
		AbutCoupling *out = &model->joints.couplings[i];
		double unit[2];
		for (int side = 0; side < 2; side++) {
			out->joint[side] = from->joint[side];
			out->axis[side] = from->axis[side];
			out->turns = abut_joint_turns(model->joints.at[from->joint[side]].kind, from->axis[side]);
			unit[side] = out->turns ? 1.0 : model->units.length;
			model->joints.at[from->joint[side]].geared[from->axis[side]] = true;
		}
		out->turns = abut_joint_turns(model->joints.at[from->joint[0]].kind, from->axis[0]);
		out->yields = soft && from->has_equality_spring;
		out->tendon = from->tendon;
		out->soft = abut_joint_softness(&def->solver, &from->equality_spring);
		out->factor[0] = 1.0;
		out->factor[1] = -from->ratio * unit[1] / unit[0];
		out->offset = from->offset / unit[0];
	}
	return ABUT_OK;
}

AbutStatus abut_couplings_copy(const AbutModel *from, AbutModel *copy, AbutError *error)
{
	const size_t n = (size_t)from->joints.n_couplings;
	copy->joints.couplings = calloc(n + 1, sizeof *copy->joints.couplings);
	if (!copy->joints.couplings) {
		return abut_model_no_memory(error);
	}
	for (size_t i = 0; i < n; i++) {
		copy->joints.couplings[i] = from->joints.couplings[i];
	}
	copy->joints.n_couplings = from->joints.n_couplings;
	return ABUT_OK;
}

int abut_model_coupling_count(const AbutModel *model)
{
	return model->joints.n_couplings;
}
