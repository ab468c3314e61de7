/* Lists the keys of every kind of object in a scene file: what the parser accepts, in the order of docs/interface.md.
 * The JSON Schema (docs/scene.schema.json) lists the same keys; a test compares the two. */
#pragma once

#include "abut/shape.h"

typedef struct AbutKeySet {
	const char *what;         /* the kind of object, for messages */
	const char *const *names; /* NULL-terminated */
} AbutKeySet;

extern const AbutKeySet abut_keys_scene, abut_keys_solver, abut_keys_body, abut_keys_input, abut_keys_contact,
    abut_keys_cones, abut_keys_mass_properties, abut_keys_joint, abut_keys_joint_frame, abut_keys_motor,
    abut_keys_coupling, abut_keys_initial, abut_keys_site, abut_keys_sensor, abut_keys_limit_spring,
    abut_keys_friction_spring, abut_keys_equality_spring;

/* Types of a shape object: the shape kinds, then types that create shapes of these kinds. */
enum { ABUT_TYPE_UNION = ABUT_SHAPE_COUNT, ABUT_TYPE_MESH, ABUT_TYPE_COUNT };
extern const AbutKeySet abut_keys_shape[ABUT_TYPE_COUNT];
/* Returns the `type` of a shape object. It is the name of the kind, except that smooth shapes are called
 * "superellipsoid". Smooth shapes registered by a program have names of their own (abut/shape_types.h). */
const char *abut_scene_type(int type);
