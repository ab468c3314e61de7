/* Declares the members of a loaded scene. */
#pragma once

#include "abut/bundle.h"
#include "abut/io.h"
#include "abut/shape_types.h"
#include "io/json/node.h"
#include "io/json/source.h"
#include "io/json/tree.h"
#include "io/text/names.h"

enum {
	ABUT_SCENE_MAX_BYTES = 64 << 20,  /* of a scene file */
	ABUT_SCENE_MAX_STEPS = 1000000000 /* limit of duration / timestep */
};

/* Owns all its data; the strings of `def` are in `root`. */
struct AbutScene {
	AbutSceneDef def;
	AbutSource source;
	AbutNotes notes;
	AbutJson *root;
	char stem[ABUT_NAME_MAX + 1]; /* file name without extension: the default name of the scene */
	int n_shapes;
	AbutBundle **shapes;   /* named shapes first, then shapes of bodies */
	AbutNames shape_names; /* maps a name to its index in `shapes` */
	AbutBodyDef *bodies;
	AbutNames body_names; /* maps a name to its index in `bodies` */
	AbutJointDef *joints;
	AbutNames joint_names; /* maps a name to its index in `joints` */
	AbutCouplingDef *couplings;
	AbutSiteDef *sites;
	AbutSensorDef *sensors;
	AbutPairDef *pairs;
	int (*exclude)[2];
};
