/* Plans the links of a scene that is written as URDF. Tested in tests/io/describe_urdf.c. */
#include "io/describe/urdf_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "io/robot/pose.h"

/* Returns the joint that carries a body; NULL: none. */
static const AbutJointDef *carrier_of(const AbutUrdfOut *u, int body)
{
	const int joint = u->d.tree.joint[body];
	return joint >= 0 ? &u->d.def->joints[joint] : NULL;
}

bool abut_urdf_has_loop(const AbutUrdfOut *u, int i)
{
	const AbutJointType type = u->d.def->joints[i].type;
	return !u->d.tree.used[i] && (type == ABUT_JOINT_FIXED || type == ABUT_JOINT_HINGE ||
	                              type == ABUT_JOINT_SLIDE || type == ABUT_JOINT_BALL);
}

static bool is_same_turn(const double p[4], const double q[4])
{
	double product[4];
	const double back[4] = {p[0], -p[1], -p[2], -p[3]};
	abut_quat_mul(back, q, product);
	return abut_norm3(&product[1]) < 1e-14;
}

/* Returns whether a joint of this type is at the origin of its link, and has the axes that URDF gives it. */
static bool is_at_origin(AbutJointType type)
{
	return type == ABUT_JOINT_HINGE || type == ABUT_JOINT_UNIVERSAL || type == ABUT_JOINT_CYLINDRICAL ||
	       type == ABUT_JOINT_PLANAR || type == ABUT_JOINT_BALL;
}

/* The link has the axes of the body, unless those of a planar joint or a ball would be others: URDF gives only the
 * normal of the plane, and the frame of a ball is that of the link. */
static AbutPose frame_of(const AbutJointDef *joint)
{
	AbutPose frame = abut_pose_identity();
	double F[9], implied[4];
	if (!joint || !is_at_origin(joint->type)) {
		return frame;
	}
	abut_copy3(joint->child_frame.position, frame.position);
	abut_quat_to_mat3(joint->child_frame.orientation, F);
	const double z[3] = {F[2], F[5], F[8]};
	abut_turn_z_onto(z, implied);
	const bool differs =
	    joint->type == ABUT_JOINT_PLANAR
	        ? !is_same_turn(implied, joint->child_frame.orientation)
	        : joint->type == ABUT_JOINT_BALL && !is_same_turn(frame.orientation, joint->child_frame.orientation);
	if (differs) {
		memcpy(frame.orientation, joint->child_frame.orientation, sizeof frame.orientation);
	}
	return frame;
}

static bool is_needed(const AbutUrdfOut *u, int body)
{
	const AbutSceneDef *def = u->d.def;
	bool needed = !def->bodies[body].is_static;
	for (int k = 0; k < def->bodies[body].n_parts; k++) {
		needed = needed || def->bodies[body].parts[k]->kind != ABUT_SHAPE_HALFSPACE;
	}
	for (int i = 0; i < def->n_joints; i++) {
		needed = needed || def->joints[i].parent == body || def->joints[i].child == body;
	}
	for (int i = 0; i < def->n_sites; i++) {
		needed = needed || def->sites[i].body == body;
	}
	return needed;
}

static bool is_at_rest_pose(const AbutPose *pose)
{
	return abut_norm3(pose->position) == 0.0 && abut_norm3(&pose->orientation[1]) == 0.0;
}

/* A single tree that moves freely from the origin needs no link for the world. */
static bool needs_world(const AbutUrdfOut *u)
{
	const AbutSceneDef *def = u->d.def;
	int roots = 0;
	for (int i = 0; i < def->n_bodies; i++) {
		const AbutJointDef *joint = carrier_of(u, i);
		const AbutPose pose = abut_describe_pose(&u->d, i);
		roots += u->kept[i] && !joint;
		if (u->kept[i] && (joint ? joint->parent < 0
		                         : def->bodies[i].is_static || def->bodies[i].planar_xz ||
		                               !is_at_rest_pose(&pose) || roots > 1)) {
			return true;
		}
	}
	for (int i = 0; i < def->n_joints; i++) {
		if (abut_urdf_has_loop(u, i) && def->joints[i].parent < 0) {
			return true;
		}
	}
	for (int i = 0; i < def->n_sites; i++) {
		if (def->sites[i].body < 0) {
			return true;
		}
	}
	return false;
}

AbutStatus abut_urdf_plan(AbutUrdfOut *u)
{
	const size_t n = (size_t)u->d.def->n_bodies + 1;
	u->frame = calloc(n, sizeof *u->frame);
	u->kept = calloc(n, sizeof *u->kept);
	if (!u->frame || !u->kept) {
		return ABUT_ERROR_MEMORY;
	}
	for (int i = 0; i < u->d.def->n_bodies; i++) {
		u->kept[i] = is_needed(u, i);
		u->frame[i] = frame_of(carrier_of(u, i));
	}
	for (int i = 0; i < u->d.def->n_sites; i++) {
		abut_urdf_site_name(u, i); /* before those of links between joints */
	}
	u->has_world = needs_world(u);
	return ABUT_OK;
}

void abut_urdf_free(AbutUrdfOut *u)
{
	free(u->frame);
	free(u->kept);
}

const char *abut_urdf_link_name(const AbutUrdfOut *u, int body)
{
	return body >= 0 ? abut_naming_body(u->d.names, body) : "world";
}

const char *abut_urdf_site_name(const AbutUrdfOut *u, int site)
{
	return abut_naming_get(u->d.names, &(AbutNamedPart){ABUT_NAMED_SITE, site, 0, NULL}, u->d.def->sites[site].name,
	                       "");
}

AbutPose abut_urdf_in_link(const AbutUrdfOut *u, int body, const double position[3], const double orientation[4])
{
	AbutPose pose = abut_pose_identity(), out = pose;
	abut_copy3(position, pose.position);
	memcpy(pose.orientation, orientation, sizeof pose.orientation);
	if (body >= 0) {
		out = abut_pose_inverse(&u->frame[body]);
	}
	return abut_pose_compose(&out, &pose);
}
