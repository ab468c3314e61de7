/* Connects the bodies of an import by joints. */
#pragma once

#include "io/robot/model_parts.h"

/* A freedom of a body in its parent, in the order of the file: a turn about an axis, or a slide along it. */
typedef struct AbutImportFreedom {
	bool slides;
	double anchor[3], axis[3]; /* in the child's frame; `axis` of any length but 0 */
	const AbutXml *element;
	AbutImportLaw law;
} AbutImportFreedom;

/* Adds a joint between two bodies, or the world, with frames at which its coordinates are 0. The name, if taken, gets a
 * number. NULL: an error. */
AbutImportJoint *abut_importer_joint(AbutImporter *importer, const char *name, AbutJointType type, const int body[2],
                                     const AbutPose frame[2]);
/* Lets `child`, at the pose `in_parent`, move in `parent` by n freedoms (1 or more), of which each moves the later
 * ones. Two or three make a universal, cylindrical or planar joint if their axes allow it; otherwise, a chain of joints
 * through links of a millionth of the child's mass. */
void abut_importer_connect(AbutImporter *importer, int parent, int child, const AbutPose *in_parent, int n,
                           const AbutImportFreedom *freedoms);
/* Adds a coupling. */
void abut_importer_add_coupling(AbutImporter *importer, const AbutImportCoupling *coupling);
/* Couples the freedoms that come from the elements `a` and `b`, named by `from`: q_a = ratio q_b + offset. Returns
 * false if one of them is of no joint. */
bool abut_importer_couple(AbutImporter *importer, const AbutXml *from, const char *a, const char *b, double ratio,
                          double offset);
/* Finds the freedom that comes from the element `name`, as a joint and its axis; see abut_import_reach about `from`. */
bool abut_import_find_freedom(const AbutImport *import, const AbutXml *from, const char *name, int *joint, int *axis);
/* Returns the joint that has the freedom, or is the ball, of the element `name`, and its axis; -1: none. */
int abut_import_find_joint(const AbutImport *import, const AbutXml *from, const char *name, int *axis);
/* Returns the pose of the child's frame in the parent's frame of a joint at the coordinates `q` (a hinge, a slide,
 * a universal or a planar joint). */
AbutPose abut_import_motion(AbutJointType type, const double q[ABUT_JOINT_FREEDOMS]);
/* Moves the start of a freedom to `at`, or to the nearer limit, with a note. `element` is for the note. */
void abut_importer_start(AbutImporter *importer, AbutImportJoint *joint, int axis, double at, const AbutXml *element);
/* Gives the links of chains their masses; call when all other bodies have theirs. */
void abut_importer_weigh_links(AbutImport *import);
/* Returns the body in which `body` moves, past the links of a chain, or ABUT_JOINT_WORLD. */
int abut_import_parent(const AbutImport *import, int body);
/* Returns the body that the first joint of `body` as a parent moves, or -1. */
int abut_import_child(const AbutImport *import, int body);
/* Replaces the indices of bodies after `kept` of them were kept: body i is now body map[i], or dropped if negative. */
void abut_importer_renumber(AbutImport *import, const int *map);
