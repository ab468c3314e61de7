/* Writes joints and couplings of a scene as elements of URDF. Tested in tests/io/describe_urdf.c. */
#include "io/describe/urdf_joints.h"

#include <math.h>

#include "base/vec3.h"
#include "io/describe/urdf_shapes.h"
#include "io/robot/pose.h"

/* URDF demands an effort and a velocity of most joints, and limits of slides. The importer takes limits of this size
 * for none. */
static const double unlimited = 1e9;

/* Share of the child's mass that a link between two joints has, as imports give it. */
static const double link_share = 1e-6;

/* What URDF calls a type of joint. */
typedef enum UrdfType { FIXED, BALL, PLANAR, PRISMATIC, REVOLUTE, CONTINUOUS } UrdfType;
static const char *const words[] = {"fixed", "ball", "planar", "prismatic", "revolute", "continuous"};

/* --- elements --- */

static void write_start(FILE *file, const char *tag, const char *name, const char *type)
{
	fprintf(file, "<%s", tag);
	abut_describe_text(file, "name", name);
	fprintf(file, " type=\"%s\">", type);
}

static void write_axis(FILE *file, const double axis[3])
{
	fputs("<axis", file);
	abut_describe_numbers(file, "xyz", axis, 3);
	fputs("/>", file);
}

static void write_end(FILE *file, const char *tag, const char *link)
{
	fprintf(file, "<%s", tag);
	abut_describe_text(file, "link", link);
	fputs("/>", file);
}

static void write_ends(const AbutUrdfOut *u, const char *parent, const char *child, const AbutPose *at)
{
	abut_urdf_write_origin(u->d.file, at);
	write_end(u->d.file, "parent", parent);
	write_end(u->d.file, "child", child);
}

void abut_urdf_write_tie(const AbutUrdfOut *u, const char *name, const char *type, const char *parent,
                         const char *child, const AbutPose *at, const double *axis)
{
	write_start(u->d.file, "joint", name, type);
	write_ends(u, parent, child, at);
	if (axis) {
		write_axis(u->d.file, axis);
	}
	fputs("</joint>\n", u->d.file);
}

/* Returns the type of freedom k. */
static UrdfType type_of(const AbutJointDef *joint, int k)
{
	switch ((int)joint->type) {
	case ABUT_JOINT_FIXED:
		return FIXED;
	case ABUT_JOINT_BALL:
		return BALL;
	case ABUT_JOINT_PLANAR:
		return PLANAR;
	default:
		return abut_describe_slides(joint->type, k) ? PRISMATIC
		       : joint->axes[k].has_limits          ? REVOLUTE
		                                            : CONTINUOUS;
	}
}

/* Writes <limit> and <dynamics> of a freedom. */
static void write_law(FILE *file, const AbutJointAxis *axis, UrdfType type)
{
	const AbutMotorDef *motor = &axis->motor;
	const double effort = motor->type == ABUT_MOTOR_NONE ? 0.0 : fmin(motor->limit, unlimited);
	const bool bounded = type == PRISMATIC || type == REVOLUTE;
	if (bounded || effort > 0.0) {
		fputs("<limit", file);
		if (bounded) {
			abut_describe_numbers(file, "lower", axis->has_limits ? &axis->lower : &(double){-unlimited},
			                      1);
			abut_describe_numbers(file, "upper", axis->has_limits ? &axis->upper : &unlimited, 1);
		}
		abut_describe_numbers(file, "effort", &effort, 1);
		abut_describe_numbers(file, "velocity", &unlimited, 1);
		fputs("/>", file);
	}
	if (axis->damping > 0.0 || axis->friction > 0.0) {
		fputs("<dynamics", file);
		abut_describe_numbers(file, "damping", &axis->damping, 1);
		abut_describe_numbers(file, "friction", &axis->friction, 1);
		fputs("/>", file);
	}
}

/* --- couplings --- */

/* Returns whether a freedom is a joint of the tree of its own. */
static bool is_joint(const AbutUrdfOut *u, int joint)
{
	const AbutJointType type = u->d.def->joints[joint].type;
	return u->d.tree.used[joint] && type != ABUT_JOINT_BALL && type != ABUT_JOINT_PLANAR;
}

bool abut_urdf_is_mimic(const AbutUrdfOut *u, int i)
{
	const AbutCouplingDef *all = u->d.def->couplings, *own = &all[i];
	bool first = is_joint(u, own->joint[0]) && is_joint(u, own->joint[1]);
	for (int k = 0; k < i; k++) { /* a joint mimics only one */
		first = first && (all[k].joint[0] != own->joint[0] || all[k].axis[0] != own->axis[0]);
	}
	return first;
}

static void write_mimic(const AbutUrdfOut *u, int joint, int axis)
{
	for (int i = 0; i < u->d.def->n_couplings; i++) {
		const AbutCouplingDef *coupling = &u->d.def->couplings[i];
		if (coupling->joint[0] == joint && coupling->axis[0] == axis && abut_urdf_is_mimic(u, i)) {
			const char *name = abut_naming_freedom(u->d.names, coupling->joint[1], coupling->axis[1]);
			fputs("<mimic", u->d.file);
			abut_describe_text(u->d.file, "joint", name);
			abut_describe_numbers(u->d.file, "multiplier", &coupling->ratio, 1);
			abut_describe_numbers(u->d.file, "offset", &coupling->offset, 1);
			fputs("/>", u->d.file);
		}
	}
}

/* --- joints --- */

/* Returns the axis of freedom k, in the frame of the link, at coordinates 0: of universal joints, x and y of the frame,
 * of others z. */
static void axis_of(const AbutUrdfOut *u, const AbutJointDef *joint, int k, double axis[3])
{
	const int column = joint->type == ABUT_JOINT_UNIVERSAL ? k : 2;
	const AbutPose frame =
	    abut_urdf_in_link(u, joint->child, joint->child_frame.position, joint->child_frame.orientation);
	double F[9];
	abut_quat_to_mat3(frame.orientation, F);
	for (int i = 0; i < 3; i++) {
		axis[i] = F[3 * i + column];
	}
}

/* Returns the pose of the child's link in the parent's at coordinates 0. */
static AbutPose place_of(const AbutUrdfOut *u, const AbutJointDef *joint)
{
	const AbutJointFrame *p = &joint->parent_frame, *c = &joint->child_frame;
	const AbutPose parent = abut_urdf_in_link(u, joint->parent, p->position, p->orientation);
	const AbutPose child = abut_urdf_in_link(u, joint->child, c->position, c->orientation);
	const AbutPose back = abut_pose_inverse(&child);
	return abut_pose_compose(&parent, &back);
}

/* Writes freedom k of the joint between two links. */
static void write_freedom(const AbutUrdfOut *u, int i, int k, const char *parent, const char *child, const AbutPose *at)
{
	const AbutJointDef *joint = &u->d.def->joints[i];
	const UrdfType type = type_of(joint, k);
	double axis[3];
	write_start(u->d.file, "joint", type == PLANAR ? joint->name : abut_naming_freedom(u->d.names, i, k),
	            words[type]);
	write_ends(u, parent, child, at);
	if (type != FIXED && type != BALL) {
		axis_of(u, joint, k, axis);
		write_axis(u->d.file, axis);
	}
	write_law(u->d.file, &joint->axes[k], type);
	if (is_joint(u, i)) {
		write_mimic(u, i, k);
	}
	fputs("</joint>\n", u->d.file);
}

void abut_urdf_write_joint(const AbutUrdfOut *u, int body)
{
	const int i = u->d.tree.joint[body];
	const AbutJointDef *joint = &u->d.def->joints[i];
	const char *parent = abut_urdf_link_name(u, joint->parent), *child = abut_urdf_link_name(u, body);
	const AbutPose at = place_of(u, joint), none = abut_pose_identity();
	if (joint->type != ABUT_JOINT_UNIVERSAL && joint->type != ABUT_JOINT_CYLINDRICAL) {
		write_freedom(u, i, 0, parent, child, &at);
		return;
	}
	const char *between =
	    abut_naming_get(u->d.names, &(AbutNamedPart){ABUT_NAMED_BETWEEN, body, 0, NULL}, child, "_link");
	fputs("<link", u->d.file);
	abut_describe_text(u->d.file, "name", between);
	fputs(">\n", u->d.file);
	abut_urdf_write_inertial(u, body, link_share);
	fputs("</link>\n", u->d.file);
	write_freedom(u, i, 0, parent, between, &at);
	write_freedom(u, i, 1, between, child, &none);
	abut_describe_note(&u->d, ABUT_APPROXIMATED, "joint", joint->name,
	                   "joint \"%.60s\", of type %s, is two joints with link \"%.60s\" between them, "
	                   "of 1e-6 of the mass",
	                   joint->name, abut_joint_type_name(joint->type), between);
}

/* --- loops --- */

static void write_loop_end(const AbutUrdfOut *u, const char *tag, int body, const AbutJointFrame *frame)
{
	const AbutPose pose = abut_urdf_in_link(u, body, frame->position, frame->orientation);
	double rpy[3];
	abut_urdf_rpy(pose.orientation, rpy);
	fprintf(u->d.file, "<%s", tag);
	abut_describe_text(u->d.file, "link", abut_urdf_link_name(u, body));
	abut_describe_numbers(u->d.file, "xyz", pose.position, 3);
	abut_describe_numbers(u->d.file, "rpy", rpy, 3);
	fputs("/>", u->d.file);
}

void abut_urdf_write_loops(const AbutUrdfOut *u)
{
	static const double z[3] = {0.0, 0.0, 1.0};
	for (int i = 0; i < u->d.def->n_joints; i++) {
		const AbutJointDef *joint = &u->d.def->joints[i];
		if (!abut_urdf_has_loop(u, i)) {
			continue;
		}
		const UrdfType type = type_of(joint, 0);
		write_start(u->d.file, "loop_joint", joint->name, words[type]);
		write_axis(u->d.file, z);
		write_loop_end(u, "link1", joint->parent, &joint->parent_frame);
		write_loop_end(u, "link2", joint->child, &joint->child_frame);
		write_law(u->d.file, &joint->axes[0], type);
		fputs("</loop_joint>\n", u->d.file);
		abut_describe_note(&u->d, ABUT_APPROXIMATED, "joint", joint->name,
		                   "joint \"%.60s\" closes a loop; it is a <loop_joint>, which Dojo and Abut "
		                   "read, and others ignore",
		                   joint->name);
	}
}
