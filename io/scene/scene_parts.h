/* The inside of a loaded scene. */
#ifndef IO_SCENE_SCENE_PARTS_H
#define IO_SCENE_SCENE_PARTS_H

#include "abut/bundle.h"
#include "abut/io.h"
#include "abut/shape_types.h"
#include "io/json/node.h"
#include "io/json/source.h"
#include "io/json/tree.h"
#include "io/text/names.h"

enum {
	ABUT_SCENE_MAX_BYTES = 64 << 20,  /* of a file */
	ABUT_SCENE_MAX_STEPS = 1000000000 /* duration / timestep */
};

/* Owns everything; the strings of `def` lie in `root`. */
struct AbutScene {
	AbutSceneDef def;
	AbutSource source;
	AbutNotes notes;
	AbutJson *root;
	char stem[ABUT_NAME_MAX + 1]; /* of the file: the scene's name when it has none */
	int n_shapes;
	AbutBundle **shapes;   /* named ones first, then those of bodies */
	AbutNames shape_names; /* -> index into shapes */
	AbutBodyDef *bodies;
	AbutNames body_names; /* -> index into bodies */
	AbutPairDef *pairs;
	int (*exclude)[2];
};

#endif
