/* Imports MJCF: the static geometry of the world, and bodies that move, with the bodies fixed to them. */
#include "io/mjcf/mjcf.h"

#include <stdlib.h>
#include <string.h>

#include "io/mjcf/mjcf_actuator.h"
#include "io/mjcf/mjcf_contact.h"
#include "io/mjcf/mjcf_equality.h"
#include "io/mjcf/mjcf_files.h"
#include "io/mjcf/mjcf_geom.h"
#include "io/mjcf/mjcf_joint.h"
#include "io/mjcf/mjcf_key.h"
#include "io/mjcf/mjcf_known.h"
#include "io/mjcf/mjcf_loop.h"
#include "io/mjcf/mjcf_rest.h"
#include "io/mjcf/mjcf_sensor.h"
#include "io/mjcf/mjcf_tendon.h"
#include "io/mjcf/mjcf_values.h"
#include "io/robot/importer.h"
#include "io/robot/pose.h"
#include "io/robot/values.h"

enum { WORLD = -1 };

/* Where the children of an element are added: to the world, or to an imported body. */
typedef struct Place {
	int body;               /* index of the imported body, or WORLD */
	AbutPose pose;          /* of the element, in the frame of the body or world */
	const char *childclass; /* default class of the children */
	bool light;             /* geometries have no mass: that of the body is given */
} Place;

/* --- bodies --- */

static void walk(const AbutMjcf *mjcf, const AbutXml *element, const Place *place);

/* Returns the name of the static body that a geometry becomes: its own or its mesh's, that of its body, or its type. */
static const char *name_static(const AbutMjcf *mjcf, const AbutXml *geom, const char *childclass, const char *type)
{
	const char *mesh = abut_mjcf_get(mjcf, geom, childclass, "mesh", NULL), *own = abut_importer_name(geom);
	const char *body = strcmp(geom->parent->name, "body") == 0 ? abut_importer_name(geom->parent) : "";
	return own[0] ? own : mesh ? mesh : body[0] && strcmp(body, "world") != 0 ? body : type ? type : "sphere";
}

/* Adds a geometry to its body. A geometry of the world becomes a static body of its own. */
static void add_geom(const AbutMjcf *mjcf, const AbutXml *geom, const Place *place)
{
	AbutImporter *importer = mjcf->importer;
	if (place->body != WORLD) {
		AbutImportBody *owner = &importer->import->bodies[place->body];
		const int first = owner->n_geoms;
		abut_mjcf_geom(mjcf, geom, place->childclass, &place->pose, place->body);
		for (int i = first; i < owner->n_geoms && place->light; i++) {
			owner->geoms[i].weighs = false;
		}
		return;
	}
	const char *type = abut_mjcf_get(mjcf, geom, place->childclass, "type", NULL);
	const char *name = name_static(mjcf, geom, place->childclass, type);
	AbutImportBody *body = abut_importer_body(importer, geom, name);
	if (body) {
		const AbutPose origin = abut_pose_identity();
		const bool is_plane = type && strcmp(type, "plane") == 0;
		body->is_static = true;
		body->pose = is_plane ? origin : place->pose;
		abut_mjcf_geom(mjcf, geom, place->childclass, is_plane ? &place->pose : &origin,
		               importer->import->n_bodies - 1);
		body = &importer->import->bodies[importer->import->n_bodies - 1];
		if (body->n_geoms == 0 || !body->geoms[0].collides) {
			if (body->n_geoms > 0) {
				abut_importer_note(importer, geom,
				                   "left out: <geom> \"%.60s\": it collides with nothing", name);
			}
			abut_importer_drop_body(importer->import);
		}
	}
}

/* Returns whether the body's mass is that of <inertial> rather than that of its geometries. */
static bool has_inertial(const AbutMjcf *mjcf, const AbutXml *body)
{
	return mjcf->compiler.inertia_from_geoms != 1 && abut_xml_child(body, "inertial");
}

/* Notes that gravity compensation (gravcomp) is not supported. */
static void note_compensation(AbutImporter *importer, const AbutXml *body)
{
	const char *text = abut_xml_get(body, "gravcomp");
	if (text && strspn(text, "0. ") != strlen(text)) {
		abut_importer_note(importer, body, "left out: gravcomp=\"%.60s\" of body \"%.60s\": gravity acts on it",
		                   text, abut_importer_name(body));
	}
}

/* Makes a body that moves in its parent, or in the world, at the pose of `place`. Then `place` is that of the body. */
static void make_moving(const AbutMjcf *mjcf, const AbutXml *body, AbutMjcfMotion motion, int n,
                        const AbutImportFreedom *freedoms, Place *place)
{
	AbutImporter *importer = mjcf->importer;
	AbutImport *import = importer->import;
	const AbutPose in_parent = place->pose;
	const int parent = place->body;
	const AbutPose world =
	    parent == WORLD ? in_parent : abut_pose_compose(&import->bodies[parent].pose, &in_parent);
	AbutImportBody *made = abut_importer_body(importer, body, abut_importer_name(body));
	if (!made) {
		return;
	}
	note_compensation(importer, body);
	made->pose = world;
	*place = (Place){.body = import->n_bodies - 1, .pose = abut_pose_identity(), .childclass = place->childclass};
	if (motion == ABUT_MJCF_FREEDOMS) {
		abut_importer_connect(importer, parent, place->body, &in_parent, n, freedoms);
	} else if (motion == ABUT_MJCF_BALL) {
		const int ends[2] = {parent, place->body};
		AbutPose frame[2] = {in_parent, abut_pose_identity()};
		memcpy(frame[1].position, freedoms[0].anchor, sizeof frame[1].position);
		frame[0] = abut_pose_compose(&in_parent, &frame[1]);
		AbutImportJoint *joint =
		    abut_importer_joint(importer, freedoms[0].law.source, ABUT_JOINT_BALL, ends, frame);
		if (joint) {
			joint->law[joint->n_laws++] = freedoms[0].law;
		}
	}
}

static void add_body(const AbutMjcf *mjcf, const AbutXml *body, const Place *outer)
{
	AbutImporter *importer = mjcf->importer;
	const char *childclass = abut_xml_get(body, "childclass");
	Place place = {.body = outer->body, .childclass = childclass ? childclass : outer->childclass};
	const AbutPose own = abut_mjcf_pose(mjcf, body, NULL);
	AbutImportFreedom freedoms[ABUT_MJCF_JOINTS_MAX];
	int n = 0;
	const AbutMjcfMotion motion =
	    abut_mjcf_joints(mjcf, body, place.childclass, outer->body == WORLD, freedoms, &n);
	place.pose = abut_pose_compose(&outer->pose, &own);
	if (importer->status == ABUT_OK && motion != ABUT_MJCF_FIXED) {
		make_moving(mjcf, body, motion, n, freedoms, &place);
	}
	if (importer->status != ABUT_OK) {
		return;
	}
	abut_importer_place(importer, &(AbutImportPlace){body, place.body, place.pose, place.childclass});
	const bool with_inertial = has_inertial(mjcf, body);
	place.light = with_inertial || mjcf->compiler.inertia_from_geoms < 0;
	if (with_inertial && place.body != WORLD) {
		abut_mjcf_inertial(mjcf, abut_xml_child(body, "inertial"), &place.pose, place.body);
	}
	for (const AbutXml *at = body->child; at; at = at->next) {
		if (strcmp(at->name, "geom") == 0) {
			add_geom(mjcf, at, &place);
		}
	}
	walk(mjcf, body, &place);
}

/* Adds the children of a <frame>. */
static void add_frame(const AbutMjcf *mjcf, const AbutXml *frame, const Place *place)
{
	Place inner = *place;
	const AbutPose own = abut_mjcf_pose(mjcf, frame, NULL);
	inner.pose = abut_pose_compose(&place->pose, &own);
	inner.childclass = abut_xml_get(frame, "childclass") ? abut_xml_get(frame, "childclass") : place->childclass;
	walk(mjcf, frame, &inner);
}

/* Adds `count` copies of the children of a <replicate>, each moved from the one before by `offset` and `euler`. */
static void add_copies(const AbutMjcf *mjcf, const AbutXml *element, const Place *place)
{
	enum { MOST = 10000 };
	AbutImporter *importer = mjcf->importer;
	double count = 0.0, angles[3] = {0.0, 0.0, 0.0};
	AbutPose step = abut_pose_identity();
	Place inner = *place;
	abut_importer_attribute(importer, element, "count", 1, 1, &count);
	abut_importer_attribute(importer, element, "offset", 3, 3, step.position);
	abut_importer_attribute(importer, element, "euler", 3, 3, angles);
	for (int k = 0; k < 3; k++) {
		angles[k] = abut_mjcf_radians(mjcf, angles[k]);
	}
	abut_turn_by_euler(mjcf->compiler.sequence, angles, step.orientation);
	if (!(count >= 1.0 && count <= MOST)) {
		abut_importer_fail(importer, element, "count: must be 1 to %d, is %g", (int)MOST, count);
	}
	for (int i = 0; i < (int)count && importer->status == ABUT_OK; i++) {
		walk(mjcf, element, &inner);
		inner.pose = abut_pose_compose(&inner.pose, &step);
		if (importer->import->n_bodies > MOST) {
			abut_importer_fail(importer, element, "makes more than %d bodies", (int)MOST);
		}
	}
}

/* Reads what acts on the joints, and equalities. */
static void add_laws(AbutMjcf *mjcf)
{
	abut_mjcf_couplings(mjcf);
	abut_mjcf_loops(mjcf);
	abut_mjcf_tendons(mjcf);
	abut_mjcf_actuators(mjcf);
}

/* Adds the body that an <attach> takes from another model, with what acts on its joints. */
static void attach(const AbutMjcf *mjcf, const AbutXml *element, const Place *place)
{
	AbutMjcf other = {.importer = mjcf->importer, .depth = mjcf->depth + 1};
	const AbutXml *body = abut_mjcf_attached(mjcf, element, &other);
	if (body) {
		const Place outer = {.body = place->body, .pose = place->pose};
		add_body(&other, body, &outer);
		abut_mjcf_contacts(&other);
		add_laws(&other);
		abut_mjcf_note_unknown(&other);
	}
}

/* Adds the bodies, frames and sites within an element, and the geometries of frames and of the world. */
static void walk(const AbutMjcf *mjcf, const AbutXml *element, const Place *place)
{
	const bool is_body = strcmp(element->name, "body") == 0;
	for (const AbutXml *at = element->child; at && mjcf->importer->status == ABUT_OK; at = at->next) {
		if (strcmp(at->name, "body") == 0) {
			add_body(mjcf, at, place);
		} else if (strcmp(at->name, "geom") == 0 && !is_body) {
			add_geom(mjcf, at, place);
		} else if (strcmp(at->name, "frame") == 0) {
			add_frame(mjcf, at, place);
		} else if (strcmp(at->name, "replicate") == 0) {
			add_copies(mjcf, at, place);
		} else if (strcmp(at->name, "attach") == 0) {
			attach(mjcf, at, place);
		} else if (strcmp(at->name, "site") == 0) {
			AbutPose pose = abut_mjcf_pose(mjcf, at, place->childclass);
			pose = abut_pose_compose(&place->pose, &pose);
			abut_importer_place(mjcf->importer, &(AbutImportPlace){at, place->body, pose, NULL});
		}
	}
}

static void read_option(AbutImporter *importer, const AbutXml *option)
{
	AbutImport *import = importer->import;
	abut_importer_attribute(importer, option, "gravity", 3, 3, import->gravity);
	if (abut_importer_attribute(importer, option, "timestep", 1, 1, &import->timestep) > 0) {
		abut_importer_positive(importer, option, "timestep", &import->timestep, 1);
	}
	const char *gravity = abut_xml_get(abut_xml_child(option, "flag"), "gravity");
	const char *contact = abut_xml_get(abut_xml_child(option, "flag"), "contact");
	import->contacts.none = import->contacts.none || (contact && strcmp(contact, "disable") == 0);
	if (gravity && strcmp(gravity, "disable") == 0) {
		memset(import->gravity, 0, sizeof import->gravity);
	}
}

void abut_import_mjcf(AbutImporter *importer, AbutXml *mujoco)
{
	AbutMjcf mjcf = {.importer = importer, .root = mujoco};
	const Place world = {.body = WORLD, .pose = abut_pose_identity()};
	const char *name = abut_xml_get(mujoco, "model");
	abut_mjcf_include(importer, mujoco);
	abut_importer_set_name(importer, name);
	importer->import->timestep = 0.002;
	importer->import->contacts.takes_larger = true;
	if (importer->status == ABUT_OK) {
		abut_mjcf_read_compiler(&mjcf);
	}
	for (const AbutXml *at = mujoco->child; at && importer->status == ABUT_OK; at = at->next) {
		if (strcmp(at->name, "option") == 0) {
			read_option(importer, at);
		} else if (strcmp(at->name, "worldbody") == 0) {
			walk(&mjcf, at, &world);
		}
	}
	abut_mjcf_contacts(&mjcf);
	abut_mjcf_key(&mjcf);
	add_laws(&mjcf);
	if (importer->status == ABUT_OK) {
		abut_mjcf_place_key(&mjcf);
		abut_mjcf_sensors(&mjcf);
		abut_mjcf_note_rest(&mjcf);
		abut_mjcf_note_unknown(&mjcf);
	}
}
