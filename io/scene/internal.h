/* The inside of a loaded scene, and the steps of reading one. */
#ifndef IO_SCENE_INTERNAL_H
#define IO_SCENE_INTERNAL_H

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

/* Apply override `index` ("path=value") of the source to the tree and note in the source what it set. */
AbutStatus abut_scene_override(AbutScene *scene, int index, AbutError *error);

/* The parts of a scene, in the order in which they are read. Errors stick in the nodes' reader. */
void abut_scene_read_solver(const AbutNode *root, AbutSolverOptions *solver);
void abut_scene_read_shapes(AbutScene *scene, const AbutNode *root);
void abut_scene_read_bodies(AbutScene *scene, const AbutNode *root);
void abut_scene_read_contacts(AbutScene *scene, const AbutNode *root);

/* Makes the shape of an object node, a union as its parts, anything else as one; the caller owns it. NULL after an
 * error. */
AbutBundle *abut_scene_make_shape(const AbutNode *node);
/* Records that `node` names nothing of `known`, with the nearest name. `what` is such as "shape". */
void abut_scene_fail_unknown(const AbutNode *node, const char *what, const AbutNames *known);

/* The scene from `text` (taken over, also on failure), `length` bytes and a NUL. */
AbutStatus abut_scene_from_text(char *text, size_t length, const char *name, const AbutShapeTypes *types,
                                int n_overrides, const char *const *overrides, AbutScene **out, AbutError *error);

#endif
