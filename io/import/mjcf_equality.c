/* Makes <equality><joint> couplings. MJCF relates changes from the model's pose by a polynomial,
 *
 *     q1 - q1_0 = p0 + p1 (q2 - q2_0) + p2 (q2 - q2_0)^2 + ...,
 *
 * of which a coupling is the linear one: q1 = p1 q2 + (p0 + q1_0 - p1 q2_0). Tested in tests/io/import_joints.c. */
#include "io/import/mjcf_equality.h"

#include <string.h>

#include "io/import/importer.h"
#include "io/import/joints.h"

/* Returns the coordinate of a freedom at the model's pose. */
static double at_pose(const AbutImport *import, const char *name)
{
	int joint, axis;
	return abut_import_find_freedom(import, name, &joint, &axis) ? import->joints[joint].law[axis].at : 0.0;
}

/* Returns why an equality is left out, or NULL if it is a coupling now. */
static const char *add(const AbutMjcf *mjcf, const AbutXml *at)
{
	const AbutImport *import = mjcf->importer->import;
	const char *a = abut_xml_get(at, "joint1"), *b = abut_xml_get(at, "joint2");
	const char *active = abut_mjcf_get(mjcf, at, NULL, "active", NULL);
	double p[5] = {0.0, 1.0};
	if (strcmp(at->name, "joint") != 0) {
		return "it is not of two joints";
	}
	abut_mjcf_numbers(mjcf, at, NULL, "polycoef", 1, 5, p);
	if (active && strcmp(active, "false") == 0) {
		return "it is not active";
	}
	if (!a || !b || p[1] == 0.0 || p[2] != 0.0 || p[3] != 0.0 || p[4] != 0.0) {
		return "it is not a ratio of two coordinates";
	}
	const double offset = p[0] + at_pose(import, a) - p[1] * at_pose(import, b);
	return abut_importer_couple(mjcf->importer, a, b, p[1], offset) ? NULL : "its joints are no hinges or slides";
}

void abut_mjcf_couplings(AbutMjcf *mjcf)
{
	for (const AbutXml *all = abut_xml_child(mjcf->root, "equality"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = all->child; at && mjcf->importer->status == ABUT_OK; at = at->next) {
			const char *why = add(mjcf, at);
			if (why) {
				abut_importer_note(mjcf->importer, at, "left out: <%s> \"%.60s\" of <equality>: %s",
				                   at->name, abut_importer_name(at), why);
			}
		}
	}
}
