/* Chooses how the joints of a run are drawn, for export formats that display it. */
#pragma once

#include "io/mesh/triangles.h"
#include "io/run/read.h"

/* A mark of a joint in its parent's frame. */
typedef struct AbutJointMark {
	bool has_axis;  /* the joint turns about one axis or slides along it */
	double axis[3]; /* z axis of the joint's frame, unit length; 0 without an axis */
	double size;    /* m */
} AbutJointMark;

AbutJointMark abut_run_joint_mark(const AbutRunRecord *record, int joint);

/* Makes the meshes of marks of size 1 m: a ball for joints without an axis, and a rod along z for joints with one. The
 * caller frees both with abut_shape_mesh_free, also after an error. */
AbutStatus abut_run_joint_meshes(AbutShapeMesh marks[2], AbutError *error);
