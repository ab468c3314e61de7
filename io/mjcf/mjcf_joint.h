/* Reads the joints of a body of MJCF. */
#pragma once

#include "io/mjcf/mjcf_values.h"
#include "io/robot/joints.h"

/* How a body moves in its parent. */
typedef enum AbutMjcfMotion {
	ABUT_MJCF_FIXED,   /* no joint */
	ABUT_MJCF_FREE,    /* a free joint */
	ABUT_MJCF_BALL,    /* a ball, described by freedoms[0]: its axis is that of the cone and the twist */
	ABUT_MJCF_FREEDOMS /* hinges and slides */
} AbutMjcfMotion;

/* Returns the type of a <joint> or <freejoint>, such as "hinge". */
const char *abut_mjcf_joint_type(const AbutMjcf *mjcf, const AbutXml *joint, const char *childclass);

enum { ABUT_MJCF_JOINTS_MAX = 6 }; /* most hinges and slides of a body */

/* Reads the joints of a body, whose children have the default class `childclass`. `in_world`: the body's parent is the
 * world. Sets the number of freedoms. */
AbutMjcfMotion abut_mjcf_joints(const AbutMjcf *mjcf, const AbutXml *body, const char *childclass, bool in_world,
                                AbutImportFreedom freedoms[ABUT_MJCF_JOINTS_MAX], int *n);
