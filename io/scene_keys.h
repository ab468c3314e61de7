/* The keys of every kind of object in a scene file: what the parser accepts, in the order of the interface contract
 * (docs/interface.md). The JSON Schema (docs/scene.schema.json) lists the same; a test compares the two. */
#ifndef IO_SCENE_KEYS_H
#define IO_SCENE_KEYS_H

#include "abut/shape.h"

typedef struct AbutKeySet {
	const char *what;         /* the kind of object, for messages */
	const char *const *names; /* NULL-terminated */
	const char *const *later; /* NULL-terminated: in the format, not supported by this version */
} AbutKeySet;

extern const AbutKeySet abut_keys_scene, abut_keys_solver, abut_keys_body, abut_keys_input, abut_keys_contact;
extern const AbutKeySet abut_keys_shape[ABUT_SHAPE_COUNT];
/* NULL-terminated: shape types of the format that this version does not support. */
extern const char *const abut_shape_types_later[];

#endif
