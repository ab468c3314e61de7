/* Connects the bodies of an import by joints. Tested in tests/io/import_joints.c. */
#include "io/robot/joints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/vec3.h"
#include "io/robot/importer.h"
#include "io/robot/pose.h"
#include "io/robot/sensing.h"

enum { MOST = ABUT_JOINT_FREEDOMS, NAME_SIZE = 128 };

/* Coordinates outside of their limits by this (rad or m) are so by rounding: they start at the limit, without a note.
 */
static const double rounding = 1e-9;

/* Share of the child's mass and inertia that a link of a chain has. Less could cost digits of the solve. */
static const double link_share = 1e-6;

static bool is_taken(const AbutImport *import, const char *name)
{
	for (int i = 0; i < import->n_joints; i++) {
		if (strcmp(import->joints[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

AbutImportJoint *abut_importer_joint(AbutImporter *importer, const char *name, AbutJointType type, const int body[2],
                                     const AbutPose frame[2])
{
	AbutImport *import = importer->import;
	char made[NAME_SIZE];
	snprintf(made, sizeof made, "%s", name[0] ? name : "joint");
	for (int k = 2; is_taken(import, made); k++) {
		snprintf(made, sizeof made, "%.110s_%d", name[0] ? name : "joint", k);
	}
	char *const own = strdup(made);
	if (importer->status != ABUT_OK || !own ||
	    !abut_grow(&import->joints, &import->joints_capacity, import->n_joints + 1, sizeof *import->joints)) {
		free(own);
		abut_importer_no_memory(importer);
		return NULL;
	}
	AbutImportJoint *joint = &import->joints[import->n_joints++];
	*joint = (AbutImportJoint){.name = own, .type = type};
	for (int s = 0; s < 2; s++) {
		joint->body[s] = body[s];
		joint->frame[s] = frame[s];
		if (body[s] >= 0) {
			import->bodies[body[s]].jointed = true;
		}
	}
	return joint;
}

/* --- the type of a joint of several freedoms --- */

static bool along(const double a[3], const double b[3])
{
	double cross[3];
	abut_cross3(a, b, cross);
	return abut_norm3(cross) < 1e-9 * abut_norm3(a) * abut_norm3(b);
}

static bool across(const double a[3], const double b[3])
{
	return fabs(abut_dot3(a, b)) < 1e-9 * abut_norm3(a) * abut_norm3(b);
}

/* The freedoms of an element as those of one joint: `order[i]` is the freedom of the element that is freedom i of the
 * joint, whose frame has the axes x and y and the anchor of `at`. */
typedef struct Match {
	AbutJointType type;
	int order[MOST], at;
	double x[3], y[3];
} Match;

static bool match_universal(const AbutImportFreedom *f, Match *out)
{
	double apart[3];
	abut_sub3(f[0].anchor, f[1].anchor, apart);
	*out = (Match){.type = ABUT_JOINT_UNIVERSAL, .order = {0, 1}};
	abut_copy3(f[0].axis, out->x);
	abut_copy3(f[1].axis, out->y);
	return !f[0].slides && !f[1].slides && across(f[0].axis, f[1].axis) && abut_norm3(apart) == 0.0;
}

static bool match_planar(const AbutImportFreedom *f, Match *out)
{
	double z[3];
	abut_cross3(f[0].axis, f[1].axis, z);
	const bool swapped = abut_dot3(z, f[2].axis) < 0.0;
	*out = (Match){.type = ABUT_JOINT_PLANAR, .order = {swapped ? 1 : 0, swapped ? 0 : 1, 2}, .at = 2};
	abut_copy3(f[out->order[0]].axis, out->x);
	abut_copy3(f[out->order[1]].axis, out->y);
	return f[0].slides && f[1].slides && !f[2].slides && across(f[0].axis, f[1].axis) && along(z, f[2].axis);
}

static bool match(int n, const AbutImportFreedom *f, Match *out)
{
	return (n == 2 && match_universal(f, out)) || (n == 3 && match_planar(f, out));
}

/* Returns the motion along or about axis i of a frame. */
static AbutPose elementary(bool slides, int i, double by)
{
	AbutPose pose = abut_pose_identity();
	double axis[3] = {0.0, 0.0, 0.0};
	axis[i] = 1.0;
	if (slides) {
		pose.position[i] = by;
	} else {
		abut_turn(axis, by, pose.orientation);
	}
	return pose;
}

AbutPose abut_import_motion(AbutJointType type, const double q[ABUT_JOINT_FREEDOMS])
{
	AbutPose motion = abut_pose_identity();
	if (type == ABUT_JOINT_HINGE || type == ABUT_JOINT_SLIDE) {
		return elementary(type == ABUT_JOINT_SLIDE, 2, q[0]);
	}
	for (int i = 0; i < abut_joint_type_freedoms(type); i++) {
		const AbutPose one = elementary(type == ABUT_JOINT_PLANAR && i < 2, i, q[i]);
		motion = abut_pose_compose(&motion, &one);
	}
	return motion;
}

void abut_importer_start(AbutImporter *importer, AbutImportJoint *joint, int axis, double at, const AbutXml *element)
{
	const AbutImportLaw *law = &joint->law[axis];
	joint->start[axis] = at;
	if (law->axis.has_limits && !(at >= law->axis.lower && at <= law->axis.upper)) {
		joint->start[axis] = at < law->axis.lower ? law->axis.lower : law->axis.upper;
		joint->moved = true;
		if (fabs(at - joint->start[axis]) > rounding) {
			abut_importer_note(importer, element,
			                   "approximated: joint \"%.60s\" is at %.6g in the model, outside of its "
			                   "limits; the scene starts at %.6g",
			                   law->source, at, joint->start[axis]);
		}
	}
}

/* Adds a law to a joint whose coordinate is `at` at the model's pose. */
static void add_law(AbutImportJoint *joint, const AbutImportFreedom *f)
{
	const int axis = joint->n_laws++;
	joint->law[axis] = f->law;
	joint->start[axis] = f->law.at;
}

static void connect_matched(AbutImporter *importer, const int body[2], const AbutPose *in_parent,
                            const AbutImportFreedom *f, const Match *m)
{
	char name[NAME_SIZE] = "";
	AbutPose frame[2];
	double q[MOST] = {0.0};
	const int n = abut_joint_type_freedoms(m->type);
	for (int i = 0; i < n; i++) {
		q[i] = f[m->order[i]].law.at;
	}
	AbutPose motion = abut_import_motion(m->type, q);
	abut_copy3(f[m->at].anchor, frame[1].position);
	abut_turn_of_axes(m->x, m->y, frame[1].orientation);
	motion = abut_pose_inverse(&motion);
	frame[0] = abut_pose_compose(&frame[1], &motion);
	frame[0] = abut_pose_compose(in_parent, &frame[0]);
	for (int i = 0; i < n; i++) { /* one element may have all the freedoms */
		const size_t length = strlen(name);
		if (i == 0 || f[m->order[i]].element != f[m->order[0]].element) {
			snprintf(name + length, sizeof name - length, "%s%.36s", i > 0 ? "+" : "",
			         f[m->order[i]].law.source);
		}
	}
	AbutImportJoint *joint = abut_importer_joint(importer, name, m->type, body, frame);
	for (int i = 0; joint && i < n; i++) {
		add_law(joint, &f[m->order[i]]);
	}
}

/* --- chains --- */

static void connect_one(AbutImporter *importer, const int body[2], const AbutPose *in_parent,
                        const AbutImportFreedom *freedom)
{
	const AbutPose before = elementary(freedom->slides, 2, -freedom->law.at);
	AbutPose frame[2] = {abut_pose_identity(), abut_pose_identity()};
	abut_copy3(freedom->anchor, frame[1].position);
	abut_turn_z_onto(freedom->axis, frame[1].orientation);
	frame[0] = abut_pose_compose(&frame[1], &before);
	frame[0] = abut_pose_compose(in_parent, &frame[0]);
	AbutImportJoint *joint = abut_importer_joint(
	    importer, freedom->law.source, freedom->slides ? ABUT_JOINT_SLIDE : ABUT_JOINT_HINGE, body, frame);
	if (joint) {
		add_law(joint, freedom);
	}
}

/* Adds a link at the pose of the child. Returns its index. */
static int add_link(AbutImporter *importer, int child)
{
	AbutImport *import = importer->import;
	char name[NAME_SIZE];
	snprintf(name, sizeof name, "%.100s_link", import->bodies[child].name);
	AbutImportBody *link = abut_importer_body(importer, import->bodies[child].element, name);
	if (link) {
		link->pose = import->bodies[child].pose;
		link->carried = child;
	}
	return import->n_bodies - 1;
}

void abut_importer_connect(AbutImporter *importer, int parent, int child, const AbutPose *in_parent, int n,
                           const AbutImportFreedom *freedoms)
{
	const AbutPose same = abut_pose_identity();
	Match m;
	int body[2] = {parent, child};
	if (match(n, freedoms, &m)) {
		connect_matched(importer, body, in_parent, freedoms, &m);
		return;
	}
	for (int i = 0; i < n && importer->status == ABUT_OK; i++) {
		body[1] = i < n - 1 ? add_link(importer, child) : child;
		connect_one(importer, body, i == 0 ? in_parent : &same, &freedoms[i]);
		body[0] = body[1];
	}
	if (n > 1) {
		abut_importer_note(
		    importer, importer->import->bodies[child].element,
		    "approximated: the %d joints of \"%.60s\" are a chain through links of 1e-6 of its mass", n,
		    importer->import->bodies[child].name);
	}
}

int abut_import_find_joint(const AbutImport *import, const AbutXml *from, const char *name, int *axis)
{
	int found = -1, nearest = 0;
	for (int i = 0; name && name[0] && i < import->n_joints; i++) {
		for (int k = 0; k < import->joints[i].n_laws; k++) {
			const AbutImportLaw *law = &import->joints[i].law[k];
			const int reach =
			    strcmp(law->source, name) == 0 ? abut_import_reach(import, from, law->element) : 0;
			if (reach > nearest) {
				nearest = reach;
				found = i;
				*axis = k;
			}
		}
	}
	return found;
}

bool abut_import_find_freedom(const AbutImport *import, const AbutXml *from, const char *name, int *joint, int *axis)
{
	*joint = abut_import_find_joint(import, from, name, axis);
	return *joint >= 0 && import->joints[*joint].type != ABUT_JOINT_BALL;
}

void abut_importer_add_coupling(AbutImporter *importer, const AbutImportCoupling *coupling)
{
	AbutImport *import = importer->import;
	if (!abut_grow(&import->couplings, &import->couplings_capacity, import->n_couplings + 1,
	               sizeof *import->couplings)) {
		abut_importer_no_memory(importer);
		return;
	}
	import->couplings[import->n_couplings++] = *coupling;
}

bool abut_importer_couple(AbutImporter *importer, const AbutXml *from, const char *a, const char *b, double ratio,
                          double offset)
{
	AbutImport *import = importer->import;
	AbutImportCoupling made = {.ratio = ratio, .offset = offset};
	if (!abut_import_find_freedom(import, from, a, &made.joint[0], &made.axis[0]) ||
	    !abut_import_find_freedom(import, from, b, &made.joint[1], &made.axis[1])) {
		return false;
	}
	abut_importer_add_coupling(importer, &made);
	return importer->status == ABUT_OK;
}

void abut_importer_weigh_links(AbutImport *import)
{
	for (int i = 0; i < import->n_bodies; i++) {
		AbutImportBody *link = &import->bodies[i];
		int end = link->carried;
		while (end >= 0 && import->bodies[end].carried >= 0) {
			end = import->bodies[end].carried;
		}
		if (end >= 0) {
			link->total = import->bodies[end].total;
			link->total.mass *= link_share;
			for (int k = 0; k < 9; k++) {
				link->total.inertia[k] *= link_share;
			}
		}
	}
}

int abut_import_parent(const AbutImport *import, int body)
{
	for (int i = 0; i < import->n_joints; i++) {
		const AbutImportJoint *joint = &import->joints[i];
		if (joint->body[1] == body && !joint->closes) {
			const int parent = joint->body[0];
			return parent >= 0 && import->bodies[parent].carried >= 0 ? abut_import_parent(import, parent)
			                                                          : parent;
		}
	}
	return ABUT_JOINT_WORLD;
}

int abut_import_child(const AbutImport *import, int body)
{
	for (int i = 0; i < import->n_joints; i++) {
		if (import->joints[i].body[0] == body && !import->joints[i].closes) {
			return import->joints[i].body[1];
		}
	}
	return -1;
}

void abut_importer_renumber(AbutImport *import, const int *map)
{
	for (int i = 0; i < import->n_joints; i++) {
		for (int s = 0; s < 2; s++) {
			AbutImportJoint *joint = &import->joints[i];
			const int body = joint->body[s];
			if (body >= 0 &&
			    map[body] < 0) { /* a static body without geometry: the joint is to the world */
				joint->frame[s] = abut_pose_compose(&import->bodies[body].pose, &joint->frame[s]);
			}
			joint->body[s] = body >= 0 ? map[body] : ABUT_JOINT_WORLD;
		}
	}
	abut_importer_renumber_sensing(import, map);
	for (int i = 0; i < import->n_bodies; i++) {
		int *carried = &import->bodies[i].carried;
		*carried = *carried >= 0 ? map[*carried] : *carried;
	}
}
