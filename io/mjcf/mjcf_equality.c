/* Makes <equality><joint> and <equality><tendon> couplings. MJCF relates changes from the model's pose by a polynomial,
 *
 *     q1 - q1_0 = p0 + p1 (q2 - q2_0) + p2 (q2 - q2_0)^2 + ...,
 *
 * of which a coupling is the linear one: q1 = p1 q2 + (p0 + q1_0 - p1 q2_0). Lengths of fixed tendons are sums of
 * coordinates; their equality is a coupling if two coordinates are left. Tested in tests/io/import_joints.c and
 * import_tendons.c. */
#include "io/mjcf/mjcf_equality.h"

#include <math.h>
#include <string.h>

#include "io/mjcf/mjcf_names.h"
#include "io/mjcf/mjcf_tendon.h"
#include "io/robot/importer.h"
#include "io/robot/joints.h"

/* Returns the coordinate of a freedom at the model's pose. */
static double at_pose(const AbutImport *import, const AbutXml *from, const char *name)
{
	int joint, axis;
	return abut_import_find_freedom(import, from, name, &joint, &axis) ? import->joints[joint].law[axis].at : 0.0;
}

/* Returns why an equality of joints is left out, or NULL if it is a coupling now. */
static const char *add_joints(const AbutMjcf *mjcf, const AbutXml *at, const double p[5])
{
	const AbutImport *import = mjcf->importer->import;
	const char *a = abut_xml_get(at, "joint1"), *b = abut_xml_get(at, "joint2");
	if (!a || !b || p[1] == 0.0) {
		return "it is not a ratio of two coordinates";
	}
	const double offset = p[0] + at_pose(import, at, a) - p[1] * at_pose(import, at, b);
	if (!abut_importer_couple(mjcf->importer, at, a, b, p[1], offset)) {
		return "its joints are no hinges or slides";
	}
	AbutImportCoupling *coupling = &mjcf->importer->import->couplings[import->n_couplings - 1];
	coupling->has_spring = true;
	coupling->spring = abut_mjcf_spring(mjcf, at, NULL, "solref", "solimp");
	return NULL;
}

/* Subtracts p1 times the length of the second tendon, if there is one. Returns false if it is unknown. */
static bool subtract(const AbutMjcf *mjcf, const AbutXml *at, double p1, AbutMjcfSum *sum)
{
	const char *name = abut_xml_get(at, "tendon2");
	AbutMjcfSum second;
	if (!name || p1 == 0.0) {
		return true;
	}
	if (!abut_mjcf_tendon(mjcf, name, &second) || sum->n + second.n > ABUT_MJCF_TERMS_MAX) {
		return false;
	}
	sum->offset -= p1 * second.offset;
	for (int i = 0; i < second.n; i++) {
		sum->joint[sum->n] = second.joint[i];
		sum->axis[sum->n] = second.axis[i];
		sum->coefficient[sum->n++] = -p1 * second.coefficient[i];
	}
	return true;
}

/* Returns why an equality of tendons is left out, or NULL if it is a coupling now: with lengths at the model's pose,
 * c1 q1 + c2 q2 keeps its value there, plus p0. */
static const char *add_tendons(const AbutMjcf *mjcf, const AbutXml *at, const double p[5])
{
	const AbutImport *import = mjcf->importer->import;
	AbutMjcfSum sum;
	const bool known = abut_mjcf_tendon(mjcf, abut_xml_get(at, "tendon1"), &sum) && subtract(mjcf, at, p[1], &sum);
	if (!known || sum.n != 2 || (sum.joint[0] == sum.joint[1] && sum.axis[0] == sum.axis[1])) {
		return "it is not of two coordinates";
	}
	const double length = abut_mjcf_length(import, &sum) - sum.offset + p[0];
	AbutImportCoupling coupling = {.joint = {sum.joint[0], sum.joint[1]},
	                               .axis = {sum.axis[0], sum.axis[1]},
	                               .ratio = -sum.coefficient[1] / sum.coefficient[0],
	                               .offset = length / sum.coefficient[0],
	                               .has_spring = true,
	                               .tendon = true,
	                               .spring = abut_mjcf_spring(mjcf, at, NULL, "solref", "solimp")};
	coupling.spring.solimp[2] /= fabs(sum.coefficient[0]); /* of the length, not of q1 */
	abut_importer_add_coupling(mjcf->importer, &coupling);
	return NULL;
}

/* Returns why an equality is left out, or NULL if it is a coupling now. */
static const char *add(const AbutMjcf *mjcf, const AbutXml *at)
{
	const char *active = abut_mjcf_get(mjcf, at, NULL, "active", NULL);
	double p[5] = {0.0, 1.0};
	abut_mjcf_numbers(mjcf, at, NULL, "polycoef", 1, 5, p);
	if (active && strcmp(active, "false") == 0) {
		return "it is not active";
	}
	if (p[2] != 0.0 || p[3] != 0.0 || p[4] != 0.0) {
		return "its polynomial is not linear";
	}
	if (strcmp(at->name, "joint") == 0) {
		return add_joints(mjcf, at, p);
	}
	return strcmp(at->name, "tendon") == 0 ? add_tendons(mjcf, at, p) : "it has no counterpart";
}

void abut_mjcf_couplings(AbutMjcf *mjcf)
{
	for (const AbutXml *all = abut_xml_child(mjcf->root, "equality"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = all->child; at && mjcf->importer->status == ABUT_OK; at = at->next) {
			const bool closes = strcmp(at->name, "connect") == 0 || strcmp(at->name, "weld") == 0;
			const char *why = closes ? NULL : add(mjcf, at);
			if (why) {
				abut_mjcf_leave_out(mjcf, at, "equality", why);
			}
		}
	}
}
