/* Reads the <contact> section of MJCF: pairs of bodies that do not touch, and pairs of geometries that do. */
#include "io/mjcf/mjcf_contact.h"

#include <math.h>

#include "base/grow.h"
#include "io/robot/importer.h"

/* Reads the two names of an element. Returns false after an error. */
static bool read_names(AbutImporter *importer, const AbutXml *at, const char *first, const char *second,
                       const char *names[2])
{
	names[0] = abut_xml_get(at, first);
	names[1] = abut_xml_get(at, second);
	if (!names[0] || !names[1]) {
		abut_importer_fail(importer, at, "attribute %s is missing", names[0] ? second : first);
	}
	return importer->status == ABUT_OK;
}

/* Reads <exclude body1 body2>; a name may be "world". */
static void add_excluded(AbutImporter *importer, const AbutXml *at)
{
	AbutImportContacts *contacts = &importer->import->contacts;
	const char *names[2];
	if (!read_names(importer, at, "body1", "body2", names)) {
		return;
	}
	if (!abut_grow(&contacts->excluded, &contacts->excluded_capacity, contacts->n_excluded + 1,
	               sizeof *contacts->excluded)) {
		abut_importer_no_memory(importer);
		return;
	}
	contacts->excluded[contacts->n_excluded++] = (AbutImportExclude){at, {names[0], names[1]}};
}

/* Reads <pair geom1 geom2>. Its friction is two coefficients of sliding, one of torsion and two of rolling. */
static void add_pair(const AbutMjcf *mjcf, const AbutXml *at)
{
	AbutImporter *importer = mjcf->importer;
	AbutImportContacts *contacts = &importer->import->contacts;
	double friction[5] = {1.0, 1.0, 0.005, 0.0001, 0.0001}, dimensions = 3.0;
	AbutImportPair pair = {.element = at};
	double margin = 0.0, gap = 0.0;
	abut_mjcf_numbers(mjcf, at, NULL, "friction", 1, 5, friction);
	abut_mjcf_numbers(mjcf, at, NULL, "condim", 1, 1, &dimensions);
	abut_mjcf_numbers(mjcf, at, NULL, "margin", 1, 1, &margin);
	abut_mjcf_numbers(mjcf, at, NULL, "gap", 1, 1, &gap);
	if (!read_names(importer, at, "geom1", "geom2", pair.geom)) {
		return;
	}
	if (friction[0] < 0.0 || friction[2] < 0.0) {
		abut_importer_fail(importer, at, "friction: must be at least 0, is %g",
		                   friction[0] < 0.0 ? friction[0] : friction[2]);
	}
	if (friction[1] != friction[0] && dimensions > 1.0) {
		abut_importer_note(importer, at, "approximated: friction %g and %g along two axes; both are the first",
		                   friction[0], friction[1]);
	}
	pair.friction = dimensions > 1.0 ? friction[0] : 0.0;
	pair.torsion = dimensions >= 4.0 ? friction[2] : 0.0;
	pair.spring = abut_mjcf_spring(mjcf, at, NULL, "solref", "solimp");
	pair.spring.margin = fmax(margin - gap, 0.0);
	pair.spring.has_margin = pair.spring.margin > 0.0;
	if (!abut_grow(&contacts->pairs, &contacts->pairs_capacity, contacts->n_pairs + 1, sizeof *contacts->pairs)) {
		abut_importer_no_memory(importer);
		return;
	}
	contacts->pairs[contacts->n_pairs++] = pair;
}

void abut_mjcf_contacts(AbutMjcf *mjcf)
{
	for (const AbutXml *all = abut_xml_child(mjcf->root, "contact"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = abut_xml_child(all, "exclude"); at; at = abut_xml_next(at)) {
			add_excluded(mjcf->importer, at);
		}
		for (const AbutXml *at = abut_xml_child(all, "pair"); at; at = abut_xml_next(at)) {
			add_pair(mjcf, at);
		}
	}
}
