/* A box that touches a plane or another box with a tilt about y, and its contact point in the solution of a step. */
#pragma once

#include "abut/collide.h"
#include "abut/model.h"

typedef struct AbutTiltedBox {
	double half[3]; /* m, half extents */
	bool on_box; /* on one of the same size, whose centre is `offset` to the right of ours; otherwise on a plane */
	double offset; /* m, along x */
	double mass;   /* kg */
	double friction;
	double timestep; /* s */
} AbutTiltedBox;

/* Returns the pose in which the box touches the body below at this tilt, without overlap. */
AbutPose abut_tilted_box_pose(const AbutTiltedBox *box, double tilt);

/* Makes the shapes of the body below (at the origin except for `offset`) and of the box; the caller destroys them. */
AbutStatus abut_tilted_box_shapes(const AbutTiltedBox *box, AbutShape *shapes[2], AbutError *error);

/* One step from rest at the tilt, from cold and without retries. */
typedef struct AbutTiltedStep {
	AbutOutcome outcome;
	int iterations;
	double point;      /* m, along x from the box's centre; NaN without a contact */
	double tilt_after; /* rad */
} AbutTiltedStep;

AbutStatus abut_tilted_box_step(const AbutTiltedBox *box, AbutMethod method, AbutFinish finish, double kappa,
                                double tilt, AbutTiltedStep *out, AbutError *error);
