/* The bodies and joints of a model at poses, to close the joints (assemble.h) or to measure mobilities (mobility.h). */
#pragma once

#include "base/stop.h"
#include "dynamics/joint/coupling.h"
#include "dynamics/joint/joint.h"
#include "dynamics/model/model.h"
#include "solver/blocks/system.h"

/* What closing does with a coordinate. */
typedef enum AbutAssemblyStop {
	ABUT_ASSEMBLY_IGNORED, /* it is free, and may pass limits */
	ABUT_ASSEMBLY_FREE,
	ABUT_ASSEMBLY_AT_LOWER,
	ABUT_ASSEMBLY_AT_UPPER
} AbutAssemblyStop;

typedef struct AbutAssembly {
	AbutModel *model;
	AbutBodyWork *bodies; /* (n_bodies + 1) with the world */
	double (*turn)[4];    /* (n_bodies) turns so far, quaternions */
	AbutJointWork *joints;
	AbutCouplingWork *couplings;
	int n_pairs;
	int (*coupled)[2]; /* (n_pairs) */
	AbutBlockPattern pattern;
	AbutBlockMemory memory;
	AbutBlockSystem system; /* of all bodies */
	double allowed[2];      /* largest error of a closed joint: lengths (model units), turns */
	bool holds;             /* given coordinates are held */
	bool far;               /* one of them is further away than a step goes */
	AbutJointFrame *placed; /* (n_bodies) initial poses at the given coordinates */
	AbutAssemblyStop (*stops)[ABUT_JOINT_FREEDOMS]; /* of each joint (assembly_limits.h) */
	int worst; /* joint with the largest error, or after the joints the coupling */
	AbutStopper stop;
} AbutAssembly;

/* Places the bodies at their initial poses, and makes the memory and the system of an assembly that is 0 but for its
 * model. Call abut_assembly_end afterwards, also after an error. */
AbutStatus abut_assembly_begin(AbutAssembly *assembly, AbutError *error);
void abut_assembly_end(AbutAssembly *assembly);
/* Places all bodies at their initial poses. */
void abut_assembly_place_bodies(AbutAssembly *assembly);
/* Sets the work of a `body` at a pose (m). */
void abut_assembly_place_body(const AbutModel *model, int body, const double position[3], const double orientation[4],
                              AbutBodyWork *work);
/* Sets the rows of all joints at the poses of the bodies. */
void abut_assembly_place_joints(const AbutAssembly *assembly);
/* Adds the inertias of all moving bodies to the system, which is clear. A planar body has no motion across its plane.
 */
void abut_assembly_add_inertias(const AbutAssembly *assembly);
