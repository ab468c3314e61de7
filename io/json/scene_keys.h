/* The keys of every kind of object in a scene file: what the parser accepts, in the order of the interface contract
 * (docs/interface.md). The JSON Schema (docs/scene.schema.json) lists the same; a test compares the two. */
#ifndef IO_JSON_SCENE_KEYS_H
#define IO_JSON_SCENE_KEYS_H

#include "abut/shape.h"

typedef struct AbutKeySet {
	const char *what;         /* the kind of object, for messages */
	const char *const *names; /* NULL-terminated */
	const char *const *later; /* NULL-terminated: in the format, not supported by this version */
} AbutKeySet;

extern const AbutKeySet abut_keys_scene, abut_keys_solver, abut_keys_body, abut_keys_input, abut_keys_contact,
    abut_keys_cones, abut_keys_mass_properties;

/* The types of a shape object: the kinds of shapes, then those that stand for others. */
enum { ABUT_TYPE_UNION = ABUT_SHAPE_COUNT, ABUT_TYPE_MESH, ABUT_TYPE_COUNT };
extern const AbutKeySet abut_keys_shape[ABUT_TYPE_COUNT];
/* The `type` of a shape object: the kind's name, but for smooth shapes, of which a scene file can have superellipsoids
 * and those that a program registers (abut/shape_types.h). */
const char *abut_scene_type(int type);

#endif
