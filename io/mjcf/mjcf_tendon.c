/* Reads the fixed tendons of MJCF, whose length is L = sum_i c_i q_i. With couplings q_a = r q_b + o, coupled freedoms
 * are expressed by one of them. If a single one is left, L = c q + o, limits, spring and damper of the tendon are those
 * of a joint: stiffness c^2 k about (l - o) / c, damping c^2 d. Tested in tests/io/import_tendons.c. */
#include "io/mjcf/mjcf_tendon.h"
#include "io/mjcf/mjcf_names.h"

#include <math.h>
#include <string.h>

#include "io/robot/importer.h"
#include "io/robot/joints.h"

static const AbutXml *find(const AbutMjcf *mjcf, const char *name)
{
	for (const AbutXml *all = abut_xml_child(mjcf->root, "tendon"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = abut_xml_child(all, "fixed"); at; at = abut_xml_next(at)) {
			if (strcmp(abut_importer_name(at), name) == 0) {
				return at;
			}
		}
	}
	return NULL;
}

/* Adds a term, to the one of the same freedom if there is one. */
static void add_term(AbutMjcfSum *sum, int joint, int axis, double coefficient)
{
	int i = 0;
	while (i < sum->n && (sum->joint[i] != joint || sum->axis[i] != axis)) {
		i++;
	}
	if (i == sum->n) {
		sum->joint[sum->n] = joint;
		sum->axis[sum->n] = axis;
		sum->coefficient[sum->n++] = 0.0;
	}
	sum->coefficient[i] += coefficient;
}

static void remove_term(AbutMjcfSum *sum, int i)
{
	sum->n--;
	sum->joint[i] = sum->joint[sum->n];
	sum->axis[i] = sum->axis[sum->n];
	sum->coefficient[i] = sum->coefficient[sum->n];
}

/* Replaces the freedoms that a coupling gives by the ones they follow. */
static void substitute(const AbutImport *import, AbutMjcfSum *sum)
{
	for (int k = import->n_couplings - 1; k >= 0; k--) {
		const AbutImportCoupling *coupling = &import->couplings[k];
		for (int i = 0; i < sum->n; i++) {
			const double c = sum->coefficient[i];
			if (sum->joint[i] == coupling->joint[0] && sum->axis[i] == coupling->axis[0]) {
				remove_term(sum, i);
				add_term(sum, coupling->joint[1], coupling->axis[1], c * coupling->ratio);
				sum->offset += c * coupling->offset;
				break;
			}
		}
	}
	for (int i = sum->n - 1; i >= 0; i--) {
		if (sum->coefficient[i] == 0.0) {
			remove_term(sum, i);
		}
	}
}

bool abut_mjcf_tendon(const AbutMjcf *mjcf, const char *name, AbutMjcfSum *out)
{
	const AbutXml *tendon = name ? find(mjcf, name) : NULL;
	*out = (AbutMjcfSum){.n = 0};
	for (const AbutXml *at = abut_xml_child(tendon, "joint"); at; at = abut_xml_next(at)) {
		double coefficient = 0.0;
		int joint, axis;
		abut_mjcf_numbers(mjcf, at, NULL, "coef", 1, 1, &coefficient);
		if (!abut_import_find_freedom(mjcf->importer->import, at, abut_xml_get(at, "joint"), &joint, &axis) ||
		    out->n == ABUT_MJCF_TERMS_MAX) {
			return false;
		}
		add_term(out, joint, axis, coefficient);
	}
	substitute(mjcf->importer->import, out);
	return tendon != NULL && out->n > 0;
}

double abut_mjcf_length(const AbutImport *import, const AbutMjcfSum *sum)
{
	double length = sum->offset;
	for (int i = 0; i < sum->n; i++) {
		length += sum->coefficient[i] * import->joints[sum->joint[i]].law[sum->axis[i]].at;
	}
	return length;
}

/* What a tendon does by itself. */
typedef struct Spring {
	bool limited;
	double range[2], stiffness, damping, friction, rest;
} Spring;

static Spring read_spring(const AbutMjcf *mjcf, const AbutXml *at, double length)
{
	Spring out = {.rest = -1.0};
	double rest[2] = {-1.0, -1.0};
	out.limited = abut_mjcf_range(mjcf, at, NULL, "range", "limited", out.range);
	abut_mjcf_numbers(mjcf, at, NULL, "stiffness", 1, 1, &out.stiffness);
	abut_mjcf_numbers(mjcf, at, NULL, "damping", 1, 1, &out.damping);
	abut_mjcf_numbers(mjcf, at, NULL, "frictionloss", 1, 1, &out.friction);
	abut_mjcf_numbers(mjcf, at, NULL, "springlength", 1, 2, rest);
	out.rest = rest[0] == -1.0 ? length : rest[0];
	return out;
}

/* Narrows the limits of a freedom to those of the length c q + o. */
static void narrow(AbutJointAxis *axis, const double range[2], double c, double o)
{
	const double a = (range[0] - o) / c, b = (range[1] - o) / c;
	axis->lower = axis->has_limits ? fmax(axis->lower, fmin(a, b)) : fmin(a, b);
	axis->upper = axis->has_limits ? fmin(axis->upper, fmax(a, b)) : fmax(a, b);
	axis->has_limits = true;
}

/* Returns why something of the tendon is left out, or NULL. */
static const char *apply(const AbutMjcf *mjcf, const AbutXml *at)
{
	AbutImport *import = mjcf->importer->import;
	AbutMjcfSum sum;
	if (strcmp(at->name, "fixed") != 0) {
		return "only fixed tendons have a counterpart";
	}
	const bool found = abut_mjcf_tendon(mjcf, abut_importer_name(at), &sum);
	const Spring spring = read_spring(mjcf, at, found ? abut_mjcf_length(import, &sum) : 0.0);
	if (!spring.limited && spring.stiffness == 0.0 && spring.damping == 0.0 && spring.friction == 0.0) {
		return NULL; /* the tendon only serves actuators and equalities */
	}
	if (!found || sum.n != 1) {
		return "its limits, spring and friction act on several joints";
	}
	const double c = sum.coefficient[0];
	AbutJointAxis *axis = &import->joints[sum.joint[0]].law[sum.axis[0]].axis;
	if (spring.limited) {
		narrow(axis, spring.range, c, sum.offset);
	}
	if (spring.limited && !(axis->lower < axis->upper)) {
		return "its range does not meet that of its joint";
	}
	axis->damping += c * c * spring.damping;
	axis->friction += fabs(c) * spring.friction;
	if (spring.stiffness > 0.0) { /* two springs on one coordinate are one about the weighted mean */
		const double own = axis->stiffness, k = c * c * spring.stiffness;
		axis->reference = (own * axis->reference + k * (spring.rest - sum.offset) / c) / (own + k);
		axis->stiffness = own + k;
	}
	return NULL;
}

void abut_mjcf_tendons(AbutMjcf *mjcf)
{
	for (const AbutXml *all = abut_xml_child(mjcf->root, "tendon"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = all->child; at && mjcf->importer->status == ABUT_OK; at = at->next) {
			const char *why = apply(mjcf, at);
			if (why) {
				abut_mjcf_leave_out(mjcf, at, "tendon", why);
			}
		}
	}
}
