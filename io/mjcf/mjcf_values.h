/* Holds an MJCF model while it is being read, and reads attributes, including their defaults. */
#pragma once

#include "io/robot/model_parts.h"

/* Settings of all <compiler> elements together. */
typedef struct AbutMjcfCompiler {
	bool radians, strips_path;
	bool explicit_limits; /* autolimits="false": a range applies only if `limited` says so */
	char sequence[4];     /* axes of Euler angles: xyz rotate with the body, XYZ are fixed */
	const char *mesh_folder, *asset_folder;
	int inertia_from_geoms;      /* 0: for bodies without <inertial>; 1: always; -1: never */
	int first_group, last_group; /* range of geometry groups that have mass */
} AbutMjcfCompiler;

typedef struct AbutMjcf {
	AbutImporter *importer;
	AbutXml *root;
	AbutMjcfCompiler compiler;
	const AbutXml *key; /* the <key> that gives the initial state, or NULL */
	int depth;          /* of <attach> */
} AbutMjcf;

/* Reads all <compiler> elements. */
void abut_mjcf_read_compiler(AbutMjcf *mjcf);
/* Returns an attribute of the element or of its defaults, or NULL if neither has it. `*at` (may be NULL) is set to the
 * element that has it. */
const char *abut_mjcf_get(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const char *name,
                          const AbutXml **at);
/* Reads the numbers of an attribute of the element or its defaults; returns how many. */
int abut_mjcf_numbers(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const char *name, int least,
                      int most, double *out);
/* Reads a spring from the attributes `solref` and `solimp`, within MuJoCo's limits. The margin is 0. */
AbutJointSpring abut_mjcf_spring(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass,
                                 const char *solref, const char *solimp);
/* Returns the attribute by which the element itself gives its orientation, or NULL if there is none. Fails if there is
 * more than one. */
const char *abut_mjcf_turned_by(const AbutMjcf *mjcf, const AbutXml *element);
/* Reads pos and the orientation, defaults included. If several attributes give an orientation, the last of quat,
 * axisangle, xyaxes, zaxis and euler is used. */
AbutPose abut_mjcf_pose(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass);
/* Reads `range_name` and whether it applies: as `limited_name` says, or, if that is "auto" or absent, whether it is
 * given (with autolimits="false": not). */
bool abut_mjcf_range(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const char *range_name,
                     const char *limited_name, double range[2]);
/* Returns an angle in radians, given in the unit of the model. */
double abut_mjcf_radians(const AbutMjcf *mjcf, double angle);
