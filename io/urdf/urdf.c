/* Imports URDF: links as bodies with the links fixed to them, and joints. */
#include "io/urdf/urdf.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "io/robot/importer.h"
#include "io/robot/pose.h"
#include "io/robot/sensing.h"
#include "io/robot/values.h"
#include "io/text/words.h"
#include "io/urdf/urdf_joint.h"
#include "io/urdf/urdf_known.h"
#include "io/urdf/urdf_loop.h"
#include "io/urdf/urdf_mesh.h"

enum { DEPTH_MAX = 200, LINKS_MAX = 10000 };

/* State of an import. */
typedef struct Urdf {
	AbutImporter *importer;
	const AbutXml *robot;
	int visuals, depth;
	int added; /* joints whose child is part of the tree */
	const AbutXml *first_visual;
} Urdf;

/* Reads <origin>: rotations about fixed axes, x by roll, then y by pitch, then z by yaw. */
static AbutPose read_origin(AbutImporter *importer, const AbutXml *parent)
{
	const AbutXml *origin = abut_xml_child(parent, "origin");
	AbutPose pose = abut_pose_identity();
	double rpy[3] = {0.0, 0.0, 0.0};
	if (!origin) {
		return pose;
	}
	abut_importer_attribute(importer, origin, "xyz", 3, 3, pose.position);
	abut_importer_attribute(importer, origin, "rpy", 3, 3, rpy);
	abut_turn_by_euler("XYZ", rpy, pose.orientation);
	return pose;
}

/* Reads a number that must be present. */
static double require(AbutImporter *importer, const AbutXml *at, const char *name)
{
	double value = 0.0;
	if (abut_importer_attribute(importer, at, name, 1, 1, &value) == 0) {
		abut_importer_fail(importer, at, "attribute %s is missing", name);
	}
	return value;
}

static double require_size(AbutImporter *importer, const AbutXml *at, const char *name)
{
	const double value = require(importer, at, name);
	abut_importer_positive(importer, at, name, &value, 1);
	return value;
}

/* --- links --- */

static void read_geometry(AbutImporter *importer, const AbutXml *geometry, AbutGeom *geom)
{
	const AbutXml *shape = geometry ? geometry->child : NULL;
	if (!shape) {
		abut_importer_fail(importer, geom->element, "<geometry> is missing, or empty");
	} else if (strcmp(shape->name, "box") == 0) {
		geom->kind = ABUT_GEOM_BOX;
		if (abut_importer_attribute(importer, shape, "size", 3, 3, geom->size) == 0) {
			abut_importer_fail(importer, shape, "attribute size is missing");
		}
		abut_importer_positive(importer, shape, "size", geom->size, 3);
		abut_scale3(0.5, geom->size, geom->size);
	} else if (strcmp(shape->name, "sphere") == 0) {
		geom->kind = ABUT_GEOM_SPHERE;
		geom->size[0] = require_size(importer, shape, "radius");
	} else if (strcmp(shape->name, "cylinder") == 0 || strcmp(shape->name, "capsule") == 0) {
		geom->kind = shape->name[1] == 'y' ? ABUT_GEOM_CYLINDER : ABUT_GEOM_CAPSULE;
		geom->size[0] = require_size(importer, shape, "radius");
		geom->size[1] = require_size(importer, shape, "length");
	} else if (strcmp(shape->name, "mesh") == 0) {
		abut_urdf_mesh(importer, shape, geom);
	} else {
		abut_importer_fail(importer, shape, "must be box, sphere, cylinder, capsule or mesh");
	}
}

/* Reads <contact><lateral_friction value>, an extension of Bullet. Returns a negative number if it is absent. */
static double read_friction(AbutImporter *importer, const AbutXml *link)
{
	const AbutXml *friction = abut_xml_child(abut_xml_child(link, "contact"), "lateral_friction");
	double value = -1.0;
	if (abut_importer_attribute(importer, friction, "value", 1, 1, &value) > 0 && value < 0.0) {
		abut_importer_fail(importer, friction, "value: must be at least 0, is %g", value);
	}
	return value;
}

static void read_inertial(AbutImporter *importer, const AbutXml *inertial, AbutImportBody *body, const AbutPose *pose)
{
	static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
	const AbutXml *mass = abut_xml_child(inertial, "mass"), *inertia = abut_xml_child(inertial, "inertia");
	if (!mass || !inertia) {
		abut_importer_fail(importer, inertial, "<%s> is missing", mass ? "inertia" : "mass");
		return;
	}
	const double value = require(importer, mass, "value");
	if (!(value >= 0.0)) {
		abut_importer_fail(importer, mass, "value: must be at least 0, is %g", value);
	}
	const AbutPose own = read_origin(importer, inertial), placed = abut_pose_compose(pose, &own);
	double six[6] = {0.0};
	for (int i = 0; i < 6; i++) {
		six[i] = i < 3 ? require(importer, inertia, names[i]) : 0.0;
		abut_importer_attribute(importer, inertia, names[i], 1, 1, &six[i]);
	}
	AbutImportMass *out = value > 0.0 ? abut_importer_mass(importer, body) : NULL;
	if (out) {
		out->mass = value;
		memcpy(out->centre, placed.position, sizeof out->centre);
		abut_importer_inertia(importer, inertia, six, placed.orientation, out->inertia);
	}
}

/* Returns whether the geometry is a sphere of radius 0, which some models have for links that touch nothing. */
static bool is_point(AbutImporter *importer, const AbutXml *at)
{
	const AbutXml *sphere = abut_xml_child(abut_xml_child(at, "geometry"), "sphere");
	double radius = 1.0;
	abut_importer_attribute(importer, sphere, "radius", 1, 1, &radius);
	if (radius == 0.0) {
		abut_importer_note(importer, at, "left out: <sphere> of radius 0");
	}
	return radius == 0.0;
}

/* Adds a link's mass and collision geometry; `pose` is the pose of the link in the body. */
static void add_link(Urdf *urdf, const AbutXml *link, AbutImportBody *body, const AbutPose *pose)
{
	AbutImporter *importer = urdf->importer;
	const AbutXml *inertial = abut_xml_child(link, "inertial");
	if (inertial && !body->is_static) {
		read_inertial(importer, inertial, body, pose);
	}
	const double friction = read_friction(importer, link);
	const bool seen = importer->options->visual && !abut_xml_child(link, "collision");
	abut_importer_place(importer, &(AbutImportPlace){link, (int)(body - importer->import->bodies), *pose, NULL});
	for (const AbutXml *at = link->child; at && importer->status == ABUT_OK; at = at->next) {
		const bool is_visual = strcmp(at->name, "visual") == 0;
		if (is_visual && !seen) {
			urdf->first_visual = urdf->first_visual ? urdf->first_visual : at;
			urdf->visuals++;
		} else if ((is_visual || strcmp(at->name, "collision") == 0) && !is_point(importer, at)) {
			AbutGeom *geom = abut_importer_geom(importer, body, at);
			if (geom) {
				const AbutPose own = read_origin(importer, at);
				geom->pose = abut_pose_compose(pose, &own);
				geom->weighs = false;
				geom->friction = friction;
				read_geometry(importer, abut_xml_child(at, "geometry"), geom);
			}
		}
	}
}

/* --- the tree --- */

/* Returns the link that a joint's <parent> or <child> names, or NULL if there is none. */
static const char *end_of(const AbutXml *joint, const char *end)
{
	return abut_xml_get(abut_xml_child(joint, end), "link");
}

static const AbutXml *find_link(const Urdf *urdf, const char *name)
{
	const AbutXml *link = abut_xml_child(urdf->robot, "link");
	while (link && strcmp(abut_importer_name(link), name) != 0) {
		link = abut_xml_next(link);
	}
	return link;
}

/* Returns the joint whose child is the link, or NULL for a root link. */
static const AbutXml *joint_above(const Urdf *urdf, const char *link)
{
	const AbutXml *joint = abut_xml_child(urdf->robot, "joint");
	while (joint && (!end_of(joint, "child") || strcmp(end_of(joint, "child"), link) != 0)) {
		joint = abut_xml_next(joint);
	}
	return joint;
}

/* Notes a joint of which an earlier one has the name: one of them gets a number. */
static void note_name(Urdf *urdf, const AbutXml *joint)
{
	const AbutXml *other = abut_xml_child(urdf->robot, "joint");
	while (other != joint && strcmp(abut_importer_name(other), abut_importer_name(joint)) != 0) {
		other = abut_xml_next(other);
	}
	if (other != joint && abut_importer_name(joint)[0]) {
		abut_importer_note(urdf->importer, joint,
		                   "approximated: another joint is also called \"%.60s\"; one of them gets a number, "
		                   "and <mimic> means the first",
		                   abut_importer_name(joint));
	}
}

/* Returns whether the joint connects two links and no other joint has the same child. */
static bool check_joint(Urdf *urdf, const AbutXml *joint)
{
	static const char *const ends[] = {"parent", "child"};
	char quoted[ABUT_QUOTE_SIZE];
	for (int i = 0; i < 2; i++) {
		const char *name = end_of(joint, ends[i]);
		if (!name || !find_link(urdf, name)) {
			abut_importer_fail(urdf->importer, joint, "<%s link=%s> must name a link of the robot", ends[i],
			                   abut_text_quote(name ? name : "", quoted));
			return false;
		}
	}
	if (joint_above(urdf, end_of(joint, "child")) != joint) {
		abut_importer_fail(urdf->importer, joint, "<child link=\"%.60s\"> is also the child of another joint",
		                   end_of(joint, "child"));
	}
	note_name(urdf, joint);
	return urdf->importer->status == ABUT_OK;
}

static void add_free(Urdf *urdf, const AbutXml *link, const AbutPose *pose, bool is_static);
static void add_below(Urdf *urdf, const char *link, int body, const AbutPose *pose, const AbutPose *in_world);

/* Makes a link a body at a pose in the world. Returns false on an error. */
static bool make_body(Urdf *urdf, const AbutXml *link, const AbutPose *pose, bool is_static)
{
	const AbutPose origin = abut_pose_identity();
	AbutImportBody *body = abut_importer_body(urdf->importer, link, abut_importer_name(link));
	if (body) {
		body->pose = *pose;
		body->is_static = is_static;
		add_link(urdf, link, body, &origin);
	}
	return urdf->importer->status == ABUT_OK;
}

/* Makes the child of a joint a body that moves in `body`, at the pose `placed` in it. */
static void add_moving(Urdf *urdf, const AbutXml *link, AbutUrdfMotion motion, int n, const AbutImportFreedom *freedoms,
                       int body, const AbutPose *placed, const AbutPose *in_world)
{
	AbutImporter *importer = urdf->importer;
	const AbutPose world = abut_pose_compose(in_world, placed);
	const int child = importer->import->n_bodies, ends[2] = {body, child};
	const AbutPose frame[2] = {*placed, abut_pose_identity()};
	if (!make_body(urdf, link, &world, false)) {
		return;
	}
	if (motion == ABUT_URDF_FREEDOMS) {
		abut_importer_connect(importer, body, child, placed, n, freedoms);
	} else {
		AbutImportJoint *joint =
		    abut_importer_joint(importer, freedoms[0].law.source, ABUT_JOINT_BALL, ends, frame);
		if (joint) {
			joint->law[joint->n_laws++] = freedoms[0].law;
		}
	}
	add_below(urdf, abut_importer_name(link), child, &frame[1], &world);
}

/* Adds the child of a joint. */
static void add_child(Urdf *urdf, const AbutXml *joint, int body, const AbutPose *pose, const AbutPose *in_world)
{
	AbutImporter *importer = urdf->importer;
	const char *child = end_of(joint, "child");
	const AbutXml *link = find_link(urdf, child);
	const AbutPose own = read_origin(importer, joint), placed = abut_pose_compose(pose, &own);
	AbutImportFreedom freedoms[ABUT_JOINT_FREEDOMS];
	int n = 0;
	const AbutUrdfMotion motion = abut_urdf_joint(importer, joint, freedoms, &n);
	urdf->added++;
	if (importer->status != ABUT_OK) {
		return;
	}
	if (motion == ABUT_URDF_FIXED) {
		abut_importer_site(importer, child, body, &placed);
		add_link(urdf, link, &importer->import->bodies[body], &placed);
		add_below(urdf, child, body, &placed, in_world);
	} else if (motion == ABUT_URDF_FREE) {
		const AbutPose world = abut_pose_compose(in_world, &placed);
		add_free(urdf, link, &world, false);
	} else {
		add_moving(urdf, link, motion, n, freedoms, body, &placed, in_world);
	}
}

/* Adds the children of a link: a fixed joint merges its child into the body, a floating joint makes it a free body, and
 * most others make it a body on a joint. */
static void add_below(Urdf *urdf, const char *link, int body, const AbutPose *pose, const AbutPose *in_world)
{
	AbutImporter *importer = urdf->importer;
	if (urdf->depth++ >= DEPTH_MAX) {
		abut_importer_fail(importer, urdf->robot, "joints are nested more than %d deep", DEPTH_MAX);
	}
	for (const AbutXml *joint = abut_xml_child(urdf->robot, "joint"); joint && importer->status == ABUT_OK;
	     joint = abut_xml_next(joint)) {
		if (!end_of(joint, "parent") || strcmp(end_of(joint, "parent"), link) != 0) {
			continue;
		}
		add_child(urdf, joint, body, pose, in_world);
	}
	urdf->depth--;
}

static void add_free(Urdf *urdf, const AbutXml *link, const AbutPose *pose, bool is_static)
{
	const AbutPose origin = abut_pose_identity();
	const int index = urdf->importer->import->n_bodies;
	if (make_body(urdf, link, pose, is_static)) {
		add_below(urdf, abut_importer_name(link), index, &origin, pose);
	}
}

/* Fails if joints form a loop: no root link is above them, so that not all were added to the tree. */
static void refuse_loop(Urdf *urdf, int n_joints)
{
	const AbutXml *joint = urdf->added < n_joints ? abut_xml_child(urdf->robot, "joint") : NULL;
	for (; joint && urdf->importer->status == ABUT_OK; joint = abut_xml_next(joint)) {
		const AbutXml *above = joint; /* after so many steps up, it is a joint of the loop */
		for (int i = 0; above && i < n_joints; i++) {
			above = joint_above(urdf, end_of(above, "parent"));
		}
		if (above) {
			abut_importer_fail(
			    urdf->importer, above,
			    "its joints form a loop: link \"%.60s\" is below itself; a joint that closes a "
			    "loop is a <loop_joint>",
			    end_of(above, "child"));
		}
	}
}

/* Returns whether a root link is fixed to the world: the link "world", and one without mass from which joints start. */
static bool is_fixed(const Urdf *urdf, const AbutXml *link)
{
	const char *name = abut_importer_name(link);
	bool moves = false;
	for (const AbutXml *joint = abut_xml_child(urdf->robot, "joint"); joint; joint = abut_xml_next(joint)) {
		const char *type = abut_xml_get(joint, "type");
		moves = moves || (type && strcmp(type, "fixed") != 0 && strcmp(type, "floating") != 0 &&
		                  end_of(joint, "parent") && strcmp(end_of(joint, "parent"), name) == 0);
	}
	return strcmp(name, "world") == 0 || (moves && !abut_xml_child(link, "inertial"));
}

/* Fails if an element or attribute belongs to xacro, which must be expanded first. */
static bool refuse_xacro(AbutImporter *importer, const AbutXml *element)
{
	for (const AbutXml *at = element; at && importer->status == ABUT_OK; at = at->next) {
		bool uses = strncmp(at->name, "xacro:", 6) == 0;
		for (int i = 0; i < at->n_attributes; i++) {
			uses = uses || strstr(at->attributes[i].value, "${");
		}
		if (uses) {
			abut_importer_fail(importer, at,
			                   "is xacro, not URDF; expand it first: `xacro MODEL.xacro > "
			                   "MODEL.urdf`");
		} else if (at->child) {
			refuse_xacro(importer, at->child);
		}
	}
	return importer->status != ABUT_OK;
}

static void note_rest(Urdf *urdf)
{
	static const char *const known[] = {"link", "joint", "loop_joint", "material"};
	AbutImporter *importer = urdf->importer;
	if (urdf->visuals > 0) {
		abut_importer_note(importer, urdf->first_visual, "left out: %d <visual>, the first here",
		                   urdf->visuals);
		abut_importer_count_note(importer, urdf->visuals);
	}
	for (const AbutXml *at = urdf->robot->child; at; at = at->next) {
		if (abut_text_index(at->name, known, sizeof known / sizeof *known) < 0) {
			abut_importer_note(importer, at, "left out: <%s> %s", at->name, abut_importer_name(at));
		}
	}
}

void abut_import_urdf(AbutImporter *importer, const AbutXml *robot)
{
	Urdf urdf = {.importer = importer, .robot = robot};
	const AbutPose origin = abut_pose_identity();
	int n_links = 0, n_joints = 0;
	if (refuse_xacro(importer, robot)) {
		return;
	}
	for (const AbutXml *joint = abut_xml_child(robot, "joint"); joint; joint = abut_xml_next(joint)) {
		if (++n_joints > LINKS_MAX) {
			abut_importer_fail(importer, joint, "is one joint too many; at most %d are allowed", LINKS_MAX);
		}
		if (importer->status != ABUT_OK || !check_joint(&urdf, joint)) {
			return;
		}
	}
	abut_importer_set_name(importer, abut_xml_get(robot, "name"));
	for (const AbutXml *link = abut_xml_child(robot, "link"); link && importer->status == ABUT_OK;
	     link = abut_xml_next(link)) {
		if (++n_links > LINKS_MAX) {
			abut_importer_fail(importer, link, "is one link too many; at most %d are allowed", LINKS_MAX);
		} else if (!abut_importer_name(link)[0]) {
			abut_importer_fail(importer, link, "attribute name is missing");
		} else if (find_link(&urdf, abut_importer_name(link)) != link) {
			abut_importer_fail(importer, link, "name: another link is also called \"%.60s\"",
			                   abut_importer_name(link));
		} else if (!joint_above(&urdf, abut_importer_name(link))) {
			add_free(&urdf, link, &origin, is_fixed(&urdf, link));
		}
	}
	refuse_loop(&urdf, n_joints);
	abut_urdf_loops(importer, robot);
	abut_urdf_mimics(importer, robot);
	note_rest(&urdf);
	abut_urdf_note_unknown(importer, robot);
}
