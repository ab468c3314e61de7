/* Reads attributes of MJCF: defaults, compiler settings and orientations. */
#include "io/mjcf/mjcf_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "io/robot/importer.h"
#include "io/robot/pose.h"
#include "io/robot/values.h"
#include "io/text/words.h"

/* --- <compiler> --- */

/* Returns whether the attribute `name` equals `yes`; it must be `yes` or `no`. Returns `was` if it is absent. */
static bool read_choice(AbutImporter *importer, const AbutXml *at, const char *name, const char *no, const char *yes,
                        bool was)
{
	const char *text = abut_xml_get(at, name);
	char quoted[ABUT_QUOTE_SIZE];
	if (text && strcmp(text, no) != 0 && strcmp(text, yes) != 0) {
		abut_importer_fail(importer, at, "%s: must be \"%s\" or \"%s\", is %s", name, no, yes,
		                   abut_text_quote(text, quoted));
	}
	return text ? strcmp(text, yes) == 0 : was;
}

static void read_sequence(AbutImporter *importer, const AbutXml *at, char sequence[4])
{
	const char *text = abut_xml_get(at, "eulerseq");
	char quoted[ABUT_QUOTE_SIZE];
	if (text && (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3)) {
		abut_importer_fail(importer, at, "eulerseq: must be three of x, y, z, X, Y, Z, is %s",
		                   abut_text_quote(text, quoted));
	} else if (text) {
		memcpy(sequence, text, 4);
	}
}

static void read_inertia_from_geoms(AbutImporter *importer, const AbutXml *at, int *out)
{
	const char *text = abut_xml_get(at, "inertiafromgeom");
	char quoted[ABUT_QUOTE_SIZE];
	if (text && strcmp(text, "auto") != 0) {
		*out = strcmp(text, "true") == 0 ? 1 : -1;
		if (*out < 0 && strcmp(text, "false") != 0) {
			abut_importer_fail(importer, at, "inertiafromgeom: must be false, true or auto, is %s",
			                   abut_text_quote(text, quoted));
		}
	} else if (text) {
		*out = 0;
	}
}

static void read_one(AbutMjcf *mjcf, const AbutXml *at)
{
	static const char *const changes[] = {"boundmass", "boundinertia", "balanceinertia"};
	AbutMjcfCompiler *compiler = &mjcf->compiler;
	AbutImporter *importer = mjcf->importer;
	double groups[2] = {compiler->first_group, compiler->last_group};
	compiler->radians = read_choice(importer, at, "angle", "degree", "radian", compiler->radians);
	if (read_choice(importer, at, "coordinate", "local", "global", false)) {
		abut_importer_fail(importer, at,
		                   "coordinate: must be \"local\", is \"global\", which MuJoCo no longer supports");
	}
	compiler->explicit_limits =
	    !read_choice(importer, at, "autolimits", "false", "true", !compiler->explicit_limits);
	double *const total = &importer->import->total_mass;
	if (mjcf->depth == 0 && abut_importer_attribute(importer, at, "settotalmass", 1, 1, total) > 0) {
		*total = *total > 0.0 ? *total : 0.0;
	}
	compiler->strips_path = read_choice(importer, at, "strippath", "false", "true", compiler->strips_path);
	read_sequence(importer, at, compiler->sequence);
	read_inertia_from_geoms(importer, at, &compiler->inertia_from_geoms);
	abut_importer_attribute(importer, at, "inertiagrouprange", 2, 2, groups);
	compiler->first_group = (int)groups[0];
	compiler->last_group = (int)groups[1];
	compiler->mesh_folder = abut_xml_get(at, "meshdir") ? abut_xml_get(at, "meshdir") : compiler->mesh_folder;
	compiler->asset_folder = abut_xml_get(at, "assetdir") ? abut_xml_get(at, "assetdir") : compiler->asset_folder;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		const char *text = abut_xml_get(at, changes[i]);
		if (text && strcmp(text, "0") != 0 && strcmp(text, "-1") != 0 && strcmp(text, "false") != 0) {
			abut_importer_note(importer, at,
			                   "left out: <compiler %s=\"%.40s\">: masses are used as written", changes[i],
			                   text);
		}
	}
}

void abut_mjcf_read_compiler(AbutMjcf *mjcf)
{
	mjcf->compiler = (AbutMjcfCompiler){.sequence = "xyz", .last_group = 5};
	for (const AbutXml *at = abut_xml_child(mjcf->root, "compiler"); at; at = abut_xml_next(at)) {
		read_one(mjcf, at);
	}
}

/* --- defaults --- */

/* Returns the <default> element of class `name` at or below `at`, or NULL if there is none. */
static const AbutXml *find_class(const AbutXml *at, const char *name)
{
	const char *own = abut_xml_get(at, "class");
	if (own && strcmp(own, name) == 0) {
		return at;
	}
	const AbutXml *found = NULL;
	for (const AbutXml *inner = abut_xml_child(at, "default"); inner && !found; inner = abut_xml_next(inner)) {
		found = find_class(inner, name);
	}
	return found;
}

/* Returns the <default> element of a class, or NULL if there is none or it is the unnamed main class. */
static const AbutXml *class_of(const AbutMjcf *mjcf, const char *name)
{
	const AbutXml *found = NULL;
	for (const AbutXml *at = abut_xml_child(mjcf->root, "default"); at && !found && name; at = abut_xml_next(at)) {
		found = find_class(at, name);
	}
	return found;
}

/* Returns whether an element of a class gives defaults to `element`. All actuators have the same defaults, and so have
 * all tendons and all equalities. */
static bool gives(const AbutXml *says, const AbutXml *element)
{
	static const char *const actuators[] = {"general", "motor",    "position", "velocity", "intvelocity",
	                                        "damper",  "cylinder", "muscle",   "adhesion"};
	const char *section = element->parent ? element->parent->name : "";
	if (strcmp(section, "actuator") == 0) {
		return abut_text_index(says->name, actuators, sizeof actuators / sizeof *actuators) >= 0;
	}
	const bool shared = strcmp(section, "equality") == 0 || strcmp(section, "tendon") == 0;
	return strcmp(says->name, shared ? section : element->name) == 0;
}

/* Returns the value of an attribute that a class gives to an element. If it is given twice, the later one is used, as
 * in MuJoCo. */
static const char *class_value(const AbutXml *class, const AbutXml *element, const char *name, const AbutXml **at)
{
	const char *found = NULL;
	for (const AbutXml *says = class->child; says; says = says->next) {
		const char *text = gives(says, element) ? abut_xml_get(says, name) : NULL;
		if (text) {
			*at = says;
			found = text;
		}
	}
	return found;
}

/* Returns the value given by the main class, which may consist of several <default> elements. */
static const char *main_value(const AbutMjcf *mjcf, const AbutXml *element, const char *name, const AbutXml **at)
{
	const char *found = NULL;
	for (const AbutXml *says = abut_xml_child(mjcf->root, "default"); says; says = abut_xml_next(says)) {
		const char *text = class_value(says, element, name, at);
		found = text ? text : found;
	}
	return found;
}

const char *abut_mjcf_get(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const char *name,
                          const AbutXml **at)
{
	const AbutXml *unused = NULL;
	const AbutXml **const where = at ? at : &unused;
	const char *text = abut_xml_get(element, name), *class = abut_xml_get(element, "class");
	char quoted[ABUT_QUOTE_SIZE];
	*where = element;
	if (text) {
		return text;
	}
	class = class ? class : childclass;
	const AbutXml *says = class_of(mjcf, class);
	if (class && !says && strcmp(class, "main") != 0) {
		abut_importer_fail(mjcf->importer, element, "class: must name a <default class>, is %s",
		                   abut_text_quote(class, quoted));
	}
	for (; says && says->parent != mjcf->root && !text; says = says->parent) {
		text = class_value(says, element, name, where);
	}
	return text ? text : main_value(mjcf, element, name, where);
}

int abut_mjcf_numbers(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const char *name, int least,
                      int most, double *out)
{
	const AbutXml *at = element;
	const char *text = abut_mjcf_get(mjcf, element, childclass, name, &at);
	return abut_importer_numbers(mjcf->importer, at, name, text, least, most, out);
}

bool abut_mjcf_range(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const char *range_name,
                     const char *limited_name, double range[2])
{
	const char *limited = abut_mjcf_get(mjcf, element, childclass, limited_name, NULL);
	const bool given = abut_mjcf_numbers(mjcf, element, childclass, range_name, 2, 2, range) > 0;
	if (limited && strcmp(limited, "auto") != 0) {
		return strcmp(limited, "true") == 0;
	}
	return given && !mjcf->compiler.explicit_limits;
}

/* --- turns --- */

double abut_mjcf_radians(const AbutMjcf *mjcf, double angle)
{
	return mjcf->compiler.radians ? angle : angle * acos(-1.0) / 180.0;
}

static void require_length(const AbutMjcf *mjcf, const AbutXml *at, const char *name, const double *v, int n)
{
	double squares = 0.0;
	for (int i = 0; i < n; i++) {
		squares += v[i] * v[i];
	}
	if (!(squares > 1e-20)) {
		abut_importer_fail(mjcf->importer, at, "%s: must have a direction, is of length %g", name,
		                   sqrt(squares));
	}
}

static void read_axes(const AbutMjcf *mjcf, const AbutXml *at, const double v[6], double q[4])
{
	double across[3];
	abut_cross3(v, v + 3, across);
	require_length(mjcf, at, "xyaxes", across, 3);
	if (mjcf->importer->status == ABUT_OK) {
		abut_turn_of_axes(v, v + 3, q);
	}
}

/* --- orientations --- */

/* The attributes that can give an orientation. More than one in the same element is an error. As in MuJoCo, each of
 * them can also come from a default; if the element and a default give different ones, the last one in this list is
 * used. */
enum { BY_QUAT, BY_AXISANGLE, BY_XYAXES, BY_ZAXIS, BY_EULER, WAYS };
static const char *const ways[WAYS] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

static void read_turn(const AbutMjcf *mjcf, const AbutXml *at, int way, double q[4])
{
	static const int sizes[WAYS] = {4, 4, 6, 3, 3};
	double v[6] = {0.0};
	abut_importer_attribute(mjcf->importer, at, ways[way], sizes[way], sizes[way], v);
	if (way == BY_EULER) {
		const double angles[3] = {abut_mjcf_radians(mjcf, v[0]), abut_mjcf_radians(mjcf, v[1]),
		                          abut_mjcf_radians(mjcf, v[2])};
		abut_turn_by_euler(mjcf->compiler.sequence, angles, q);
	} else if (way == BY_XYAXES) {
		read_axes(mjcf, at, v, q);
	} else if (way == BY_ZAXIS) {
		require_length(mjcf, at, ways[way], v, 3);
		abut_turn_z_onto(v, q);
	} else if (way == BY_AXISANGLE) {
		require_length(mjcf, at, ways[way], v, 3);
		abut_turn(v, abut_mjcf_radians(mjcf, v[3]), q);
	} else {
		require_length(mjcf, at, ways[way], v, 4);
		memcpy(q, v, 4 * sizeof *q);
		abut_quat_normalise(q);
	}
}

const char *abut_mjcf_turned_by(const AbutMjcf *mjcf, const AbutXml *element)
{
	const char *first = NULL;
	for (int way = 0; way < WAYS; way++) {
		if (!abut_xml_get(element, ways[way])) {
			continue;
		}
		if (first) {
			abut_importer_fail(mjcf->importer, element, "%s: the orientation is already given by %s",
			                   ways[way], first);
		}
		first = ways[way];
	}
	return first;
}

AbutPose abut_mjcf_pose(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass)
{
	AbutPose pose = abut_pose_identity();
	abut_mjcf_numbers(mjcf, element, childclass, "pos", 3, 3, pose.position);
	abut_mjcf_turned_by(mjcf, element);
	for (int way = WAYS - 1; way >= 0 && mjcf->importer->status == ABUT_OK; way--) {
		const AbutXml *at = element;
		if (abut_mjcf_get(mjcf, element, childclass, ways[way], &at)) {
			abut_mjcf_turned_by(mjcf, at);
			read_turn(mjcf, at, way, pose.orientation);
			break;
		}
	}
	return pose;
}

AbutJointSpring abut_mjcf_spring(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass,
                                 const char *solref, const char *solimp)
{
	static const double least = 1e-4; /* of impedances, and of their distance from 1 */
	AbutJointSpring spring = ABUT_MJCF_SPRING;
	spring.has_solref = spring.has_solimp = true;
	abut_mjcf_numbers(mjcf, element, childclass, solref, 1, 2, spring.solref);
	abut_mjcf_numbers(mjcf, element, childclass, solimp, 1, 5, spring.solimp);
	if ((spring.solref[0] > 0.0) != (spring.solref[1] > 0.0)) {
		abut_importer_fail(mjcf->importer, element, "%s: both numbers must be positive, or none, is %g %g",
		                   solref, spring.solref[0], spring.solref[1]);
	}
	for (int i = 0; i < 4; i++) {
		if (i != 2) {
			spring.solimp[i] = fmin(fmax(spring.solimp[i], least), 1.0 - least);
		}
	}
	spring.solimp[2] = fmax(spring.solimp[2], 0.0);
	spring.solimp[4] = fmax(spring.solimp[4], 1.0);
	return spring;
}
