/* Makes <connect> and <weld> joints between bodies that other joints move. A <connect> is a ball, a <weld> a fixed
 * joint. As in MuJoCo, the model's own pose satisfies them, unless two sites or `relpose` say otherwise. Tested in
 * tests/io/import_loops.c. */
#include "io/mjcf/mjcf_loop.h"

#include <string.h>

#include "base/vec3.h"
#include "io/mjcf/mjcf_names.h"
#include "io/robot/importer.h"
#include "io/robot/joints.h"
#include "io/robot/pose.h"

/* An end of a joint, as a frame of the model. */
typedef struct End {
	int body;       /* index, or ABUT_JOINT_WORLD */
	AbutPose pose;  /* in the frame of the body */
	AbutPose world; /* at the model's pose */
} End;

/* Finds the end that an attribute names. An absent second body is the world. */
static bool find_end(const AbutMjcf *mjcf, const AbutXml *at, const char *kind, const char *attribute, End *out)
{
	const AbutImport *import = mjcf->importer->import;
	const char *name = abut_xml_get(at, attribute);
	const AbutImportPlace *place = abut_import_find_place(import, at, kind, name);
	*out = (End){.body = ABUT_JOINT_WORLD, .pose = abut_pose_identity(), .world = abut_pose_identity()};
	if (place) {
		out->body = place->body;
		out->pose = out->world = place->pose;
		if (place->body >= 0) {
			out->world = abut_pose_compose(&import->bodies[place->body].pose, &place->pose);
		}
	} else if (name && strcmp(name, "world") != 0) {
		abut_importer_fail(mjcf->importer, at, "%s: must name a %s of the model, is \"%.60s\"", attribute, kind,
		                   name);
	}
	return mjcf->importer->status == ABUT_OK;
}

/* Moves both ends to the anchor of a weld, in the second body's frame, whose pose in the first body's is `relpose`. */
static void read_weld(const AbutMjcf *mjcf, const AbutXml *at, End end[2])
{
	double relative[7] = {0.0};
	AbutPose own = abut_pose_identity(), anchor = abut_pose_identity();
	abut_mjcf_numbers(mjcf, at, NULL, "relpose", 7, 7, relative);
	abut_mjcf_numbers(mjcf, at, NULL, "anchor", 3, 3, anchor.position);
	if (abut_dot3(relative + 4, relative + 4) + relative[3] * relative[3] > 1e-20) {
		memcpy(own.position, relative, sizeof own.position);
		memcpy(own.orientation, relative + 3, sizeof own.orientation);
		abut_quat_normalise(own.orientation);
	} else {
		const AbutPose back = abut_pose_inverse(&end[0].world);
		own = abut_pose_compose(&back, &end[1].world);
	}
	end[0].pose = abut_pose_compose(&end[0].pose, &own);
	end[0].pose = abut_pose_compose(&end[0].pose, &anchor);
	end[1].pose = abut_pose_compose(&end[1].pose, &anchor);
}

/* Moves both ends to the anchor of a connect, in the first body's frame. */
static void read_connect(const AbutMjcf *mjcf, const AbutXml *at, End end[2])
{
	AbutPose own = abut_pose_identity();
	abut_mjcf_numbers(mjcf, at, NULL, "anchor", 3, 3, own.position);
	end[0].pose = abut_pose_compose(&end[0].pose, &own);
	end[0].world = abut_pose_compose(&end[0].world, &own);
	const AbutPose back = abut_pose_inverse(&end[1].world);
	const AbutPose across = abut_pose_compose(&back, &end[0].world);
	end[1].pose = abut_pose_compose(&end[1].pose, &across);
}

/* Adds the joint of an equality. Returns why it is left out, or NULL. */
static const char *add(const AbutMjcf *mjcf, const AbutXml *at)
{
	const char *active = abut_mjcf_get(mjcf, at, NULL, "active", NULL);
	const bool welds = strcmp(at->name, "weld") == 0, by_sites = abut_xml_get(at, "site1") != NULL;
	const char *kind = by_sites ? "site" : "body";
	End end[2];
	if (active && strcmp(active, "false") == 0) {
		return "it is not active";
	}
	if (!find_end(mjcf, at, kind, by_sites ? "site1" : "body1", &end[0]) ||
	    !find_end(mjcf, at, kind, by_sites ? "site2" : "body2", &end[1])) {
		return NULL;
	}
	if (end[0].body == end[1].body) {
		return "both ends are of one body";
	}
	if (!by_sites && welds) {
		read_weld(mjcf, at, end);
	} else if (!by_sites) {
		read_connect(mjcf, at, end);
	}
	const int child = end[1].body >= 0 ? 1 : 0, body[2] = {end[1 - child].body, end[child].body};
	const AbutPose frame[2] = {end[1 - child].pose, end[child].pose};
	const char *name = abut_importer_name(at);
	double scale = 1.0; /* of a weld's torques, in method convex */
	abut_mjcf_numbers(mjcf, at, NULL, "torquescale", 1, 1, &scale);
	if (scale != 1.0) {
		abut_importer_note(mjcf->importer, at, "approximated: <weld> \"%.60s\": its torquescale is 1, not %g",
		                   name, scale);
	}
	AbutImportJoint *joint = abut_importer_joint(mjcf->importer, name[0] ? name : at->name,
	                                             welds ? ABUT_JOINT_FIXED : ABUT_JOINT_BALL, body, frame);
	if (joint) {
		joint->closes = joint->collides = joint->has_spring = true;
		joint->spring = abut_mjcf_spring(mjcf, at, NULL, "solref", "solimp");
	}
	return NULL;
}

void abut_mjcf_loops(AbutMjcf *mjcf)
{
	for (const AbutXml *all = abut_xml_child(mjcf->root, "equality"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = all->child; at && mjcf->importer->status == ABUT_OK; at = at->next) {
			const bool closes = strcmp(at->name, "connect") == 0 || strcmp(at->name, "weld") == 0;
			const char *why = closes ? add(mjcf, at) : NULL;
			if (why) {
				abut_mjcf_leave_out(mjcf, at, "equality", why);
			}
		}
	}
}
