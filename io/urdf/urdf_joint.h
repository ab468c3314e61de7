/* Reads the joints of URDF. */
#pragma once

#include "io/robot/joints.h"

/* How the child of a joint moves in its parent. */
typedef enum AbutUrdfMotion {
	ABUT_URDF_FIXED,
	ABUT_URDF_FREE,     /* floating */
	ABUT_URDF_FREEDOMS, /* by one freedom, or three if planar */
	ABUT_URDF_BALL
} AbutUrdfMotion;

/* Reads a joint. Sets the freedoms and their number. Fails for a type that does not exist. */
AbutUrdfMotion abut_urdf_joint(AbutImporter *importer, const AbutXml *joint,
                               AbutImportFreedom freedoms[ABUT_JOINT_FREEDOMS], int *n);
/* Makes <mimic> of all joints couplings; call when the joints are read. */
void abut_urdf_mimics(AbutImporter *importer, const AbutXml *robot);
