/* The state of closing the joints of a model (assemble.c). */
#pragma once

#include "base/stop.h"
#include "dynamics/joint/coupling.h"
#include "dynamics/joint/joint.h"
#include "dynamics/model/model.h"
#include "solver/blocks/system.h"

typedef struct AbutAssembly {
	AbutModel *model;
	AbutBodyWork *bodies; /* (n_bodies + 1) with the world */
	double (*turn)[4];    /* (n_bodies) turns so far, quaternions */
	AbutJointWork *joints;
	AbutCouplingWork *couplings;
	int n_pairs;
	int (*coupled)[2];      /* (n_pairs) */
	AbutBlockSystem system; /* of all bodies */
	double allowed[2];      /* largest error of a closed joint: lengths (model units), turns */
	bool holds;             /* given coordinates are held */
	bool far;               /* one of them is further away than a step goes */
	AbutJointFrame *placed; /* (n_bodies) initial poses at the given coordinates */
	int worst;              /* joint with the largest error, or after the joints the coupling */
	AbutStopper stop;
} AbutAssembly;
