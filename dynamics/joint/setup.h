/* Sets up a joint for a step. */
#pragma once

#include "dynamics/joint/joint.h"

/* Where the next joint finds its places among the island's unknowns and cones. */
typedef struct AbutJointPlace {
	int y, z, n_cones, law;
	AbutCone *cones; /* array of the island's cones */
} AbutJointPlace;

/* Sets up a joint at `place`, and advances `place`. `bodies` are those of the model, followed by the world. `targets`
 * are those of its motors, in SI. */
void abut_joint_setup(const AbutJoint *joint, AbutJointMemory *last, AbutBodyWork *bodies, const double *targets,
                      double timestep, AbutJointPlace *place, AbutJointWork *work);

/* Writes the masses of both bodies and their mean moments of inertia; 0 if they do not move. */
void abut_joint_weigh(const AbutJointWork *work, double mass[2], double inertia[2]);
/* Computes the typical mass and inertia between the bodies of a joint: harmonic means of both. */
void abut_joint_typical(const AbutJointWork *work, double typical[2]);
/* Sets the small compliances that the held rows have in place of 0 (abut_joint_delta), from the bodies' masses and
 * inertias. */
void abut_joint_set_compliance(AbutJointWork *work);
