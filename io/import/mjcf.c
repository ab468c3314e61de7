/* Imports MJCF: the static geometry of the world, and bodies that move, with the bodies fixed to them. */
#include "io/import/mjcf.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/import/importer.h"
#include "io/import/mjcf_actuator.h"
#include "io/import/mjcf_equality.h"
#include "io/import/mjcf_geom.h"
#include "io/import/mjcf_joint.h"
#include "io/import/mjcf_rest.h"
#include "io/import/mjcf_values.h"
#include "io/import/pose.h"
#include "io/import/values.h"

enum { WORLD = -1 };

/* Where the children of an element are added: to the world, or to an imported body. */
typedef struct Place {
	int body;               /* index of the imported body, or WORLD */
	AbutPose pose;          /* of the element, in the frame of the body or world */
	const char *childclass; /* default class of the children */
} Place;

/* --- <include file="..."/> ---
 *
 * The children of the included file's root replace the element. Paths are relative to the model's folder. Each file may
 * be included only once, as in MuJoCo. */

/* Returns whether the file `path` has already been read. */
static bool is_read(const AbutImport *import, const char *path)
{
	for (int i = 0; i < import->n_trees; i++) {
		if (strcmp(import->trees[i]->file, path) == 0) {
			return true;
		}
	}
	return false;
}

/* Moves the children of `from` behind `include`. The <include> element itself remains but has no effect; `from` still
 * owns the memory of the children. */
static void splice(AbutXml *include, AbutXml *from)
{
	if (!from->child) {
		return;
	}
	for (AbutXml *child = from->child; child; child = child->next) {
		child->parent = include->parent;
	}
	from->last_child->next = include->next;
	include->next = from->child;
	if (include->parent->last_child == include) {
		include->parent->last_child = from->last_child;
	}
	from->child = from->last_child = NULL;
}

static void include_file(AbutImporter *importer, AbutXml *include)
{
	const char *name = abut_xml_get(include, "file");
	AbutXml *root = NULL;
	if (!name || !name[0]) {
		abut_importer_fail(importer, include, "attribute file is missing");
		return;
	}
	if (!include->parent) {
		abut_importer_fail(importer, include, "may not be the root");
		return;
	}
	char *const path = abut_importer_path(importer, importer->path, "", name);
	if (path && is_read(importer->import, path)) {
		abut_importer_fail(importer, include,
		                   "file: \"%.200s\" is already included; a file may be included only once", name);
	} else if (path) {
		importer->status = abut_xml_read(path, "included file", &root, importer->error);
	}
	if (root) {
		abut_importer_keep(importer, root);
	}
	if (root && importer->status == ABUT_OK) {
		splice(include, root);
	}
	free(path);
}

/* Includes files recursively: included elements follow their <include>, so the loop visits them next. */
static void include_files(AbutImporter *importer, AbutXml *root)
{
	for (AbutXml *at = root->child; at && importer->status == ABUT_OK; at = at->next) {
		if (strcmp(at->name, "include") == 0) {
			include_file(importer, at);
		} else {
			include_files(importer, at);
		}
	}
}

/* --- bodies --- */

static void walk(const AbutMjcf *mjcf, const AbutXml *element, const Place *place);

/* Adds a geometry to its body. A geometry of the world becomes a static body of its own. */
static void add_geom(const AbutMjcf *mjcf, const AbutXml *geom, const Place *place)
{
	AbutImporter *importer = mjcf->importer;
	if (place->body != WORLD) {
		abut_mjcf_geom(mjcf, geom, place->childclass, &place->pose, place->body);
		return;
	}
	const AbutXml *parent = geom->parent;
	const char *name = abut_importer_name(geom)[0]         ? abut_importer_name(geom)
	                   : strcmp(parent->name, "body") == 0 ? abut_importer_name(parent)
	                                                       : "";
	AbutImportBody *body = abut_importer_body(importer, geom, name);
	if (body) {
		const AbutPose origin = abut_pose_identity();
		const char *type = abut_mjcf_get(mjcf, geom, place->childclass, "type", NULL);
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
	*place = (Place){import->n_bodies - 1, abut_pose_identity(), place->childclass};
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
	const int first = place.body == WORLD ? 0 : importer->import->bodies[place.body].n_geoms;
	const int with_inertial = has_inertial(mjcf, body);
	if (with_inertial && place.body != WORLD) {
		abut_mjcf_inertial(mjcf, abut_xml_child(body, "inertial"), &place.pose, place.body);
	}
	for (const AbutXml *at = body->child; at; at = at->next) {
		if (strcmp(at->name, "geom") == 0) {
			add_geom(mjcf, at, &place);
		}
	}
	if (place.body != WORLD && (with_inertial || mjcf->compiler.inertia_from_geoms < 0)) {
		AbutImportBody *owner = &importer->import->bodies[place.body];
		for (int i = first; i < owner->n_geoms; i++) {
			owner->geoms[i].weighs = false;
		}
	}
	walk(mjcf, body, &place);
}

/* Adds the bodies and frames within an element, and the geometries of frames and of the world. */
static void walk(const AbutMjcf *mjcf, const AbutXml *element, const Place *place)
{
	const bool is_body = strcmp(element->name, "body") == 0;
	for (const AbutXml *at = element->child; at && mjcf->importer->status == ABUT_OK; at = at->next) {
		if (strcmp(at->name, "body") == 0) {
			add_body(mjcf, at, place);
		} else if (strcmp(at->name, "geom") == 0 && !is_body) {
			add_geom(mjcf, at, place);
		} else if (strcmp(at->name, "frame") == 0) {
			Place inner = *place;
			const AbutPose own = abut_mjcf_pose(mjcf, at, NULL);
			inner.pose = abut_pose_compose(&place->pose, &own);
			inner.childclass =
			    abut_xml_get(at, "childclass") ? abut_xml_get(at, "childclass") : place->childclass;
			walk(mjcf, at, &inner);
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
	import->no_contacts = import->no_contacts || (contact && strcmp(contact, "disable") == 0);
	if (gravity && strcmp(gravity, "disable") == 0) {
		memset(import->gravity, 0, sizeof import->gravity);
	}
}

/* Reads <exclude body1 body2>. The names, which may be "world", are looked up when the scene is written. */
static void read_excluded(AbutImporter *importer, const AbutXml *contact)
{
	AbutImport *import = importer->import;
	for (const AbutXml *at = abut_xml_child(contact, "exclude"); at; at = abut_xml_next(at)) {
		const char *a = abut_xml_get(at, "body1"), *b = abut_xml_get(at, "body2");
		if (!a || !b) {
			abut_importer_fail(importer, at, "attribute %s is missing", a ? "body2" : "body1");
		} else if (!abut_grow(&import->excluded, &import->excluded_capacity, import->n_excluded + 1,
		                      sizeof *import->excluded)) {
			abut_importer_no_memory(importer);
		} else {
			import->excluded[import->n_excluded][0] = a;
			import->excluded[import->n_excluded++][1] = b;
		}
	}
}

void abut_import_mjcf(AbutImporter *importer, AbutXml *mujoco)
{
	AbutMjcf mjcf = {.importer = importer, .root = mujoco};
	const Place world = {.body = WORLD, .pose = abut_pose_identity()};
	const char *name = abut_xml_get(mujoco, "model");
	include_files(importer, mujoco);
	abut_importer_set_name(importer, name);
	importer->import->timestep = 0.002;
	importer->import->takes_larger = true;
	if (importer->status == ABUT_OK) {
		abut_mjcf_read_compiler(&mjcf);
	}
	for (const AbutXml *at = mujoco->child; at && importer->status == ABUT_OK; at = at->next) {
		if (strcmp(at->name, "option") == 0) {
			read_option(importer, at);
		} else if (strcmp(at->name, "contact") == 0) {
			read_excluded(importer, at);
		} else if (strcmp(at->name, "worldbody") == 0) {
			walk(&mjcf, at, &world);
		}
	}
	abut_mjcf_actuators(&mjcf);
	abut_mjcf_couplings(&mjcf);
	if (importer->status == ABUT_OK) {
		abut_mjcf_note_rest(&mjcf);
	}
}
