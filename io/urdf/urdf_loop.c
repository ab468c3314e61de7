/* Reads <loop_joint>, by which Dojo closes loops: it gives the joint's frame in both links. Tested in
 * tests/io/import_loops.c. */
#include "io/urdf/urdf_loop.h"

#include <string.h>

#include "io/robot/importer.h"
#include "io/robot/joints.h"
#include "io/robot/pose.h"
#include "io/robot/values.h"
#include "io/urdf/urdf_joint.h"

/* Reads <link1> or <link2>: a link, and the joint's frame in it. Returns false after an error. */
static bool read_end(AbutImporter *importer, const AbutXml *joint, const char *tag, int *body, AbutPose *frame)
{
	const AbutXml *end = abut_xml_child(joint, tag);
	const char *name = abut_xml_get(end, "link");
	const AbutImportPlace *place = abut_import_find_place(importer->import, joint, "link", name);
	AbutPose own = abut_pose_identity();
	double rpy[3] = {0.0, 0.0, 0.0};
	if (!place) {
		abut_importer_fail(importer, joint, "<%s link=\"%.60s\"> must name a link that other joints move", tag,
		                   name ? name : "");
		return false;
	}
	abut_importer_attribute(importer, end, "xyz", 3, 3, own.position);
	abut_importer_attribute(importer, end, "rpy", 3, 3, rpy);
	abut_turn_by_euler("XYZ", rpy, own.orientation);
	*body = place->body;
	*frame = abut_pose_compose(&place->pose, &own);
	return importer->status == ABUT_OK;
}

static void add(AbutImporter *importer, const AbutXml *at)
{
	AbutImportFreedom freedoms[ABUT_JOINT_FREEDOMS] = {{.slides = false}};
	AbutPose frame[2], turn = abut_pose_identity();
	int n = 0, body[2] = {0, 0};
	const AbutUrdfMotion motion = abut_urdf_joint(importer, at, freedoms, &n);
	if (!read_end(importer, at, "link1", &body[0], &frame[0]) ||
	    !read_end(importer, at, "link2", &body[1], &frame[1])) {
		return;
	}
	const bool single = motion == ABUT_URDF_FREEDOMS && n == 1;
	if ((!single && motion != ABUT_URDF_FIXED && motion != ABUT_URDF_BALL) || body[0] == body[1]) {
		abut_importer_note(importer, at, "left out: <loop_joint> \"%.60s\": %s", abut_importer_name(at),
		                   body[0] == body[1]
		                       ? "both ends are of one body"
		                       : "only fixed, revolute, continuous, prismatic and ball ones close "
		                         "loops");
		return;
	}
	AbutJointType type = motion == ABUT_URDF_FIXED ? ABUT_JOINT_FIXED : ABUT_JOINT_BALL;
	if (single) {
		type = freedoms[0].slides ? ABUT_JOINT_SLIDE : ABUT_JOINT_HINGE;
		abut_turn_z_onto(freedoms[0].axis, turn.orientation);
	}
	for (int s = 0; s < 2; s++) {
		frame[s] = abut_pose_compose(&frame[s], &turn);
	}
	AbutImportJoint *joint = abut_importer_joint(importer, abut_importer_name(at), type, body, frame);
	if (joint) {
		joint->closes = true;
		joint->law[0] = freedoms[0].law;
		joint->n_laws = motion != ABUT_URDF_FIXED;
	}
}

void abut_urdf_loops(AbutImporter *importer, const AbutXml *robot)
{
	for (const AbutXml *at = abut_xml_child(robot, "loop_joint"); at && importer->status == ABUT_OK;
	     at = abut_xml_next(at)) {
		add(importer, at);
	}
}
