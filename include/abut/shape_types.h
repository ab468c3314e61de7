/* A program's own shape types in scene files: "type": "lens" calls a constructor that the program has registered. The
 * registry is an object that is passed to the loader; there is no global registry. Keys are read, checked against their
 * ranges and reported (FILE:LINE:COLUMN: path: ...) like those of built-in types. "position" and "orientation" work for
 * every type. docs/tutorial_primitive.md has an example. */
#ifndef ABUT_SHAPE_TYPES_H
#define ABUT_SHAPE_TYPES_H

#include "abut/io.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ABUT_SHAPE_TYPES_MAX 64 /* most types of a registry */
#define ABUT_SHAPE_KEYS_MAX 16  /* most keys of a type */

/* The kinds of value of a key. */
typedef enum AbutShapeKeyKind {
	ABUT_SHAPE_KEY_NUMBER,  /* a number */
	ABUT_SHAPE_KEY_NUMBERS, /* an array of numbers */
	ABUT_SHAPE_KEY_POINTS   /* an array of arrays of three numbers */
} AbutShapeKeyKind;

/* A key of a type, and its allowed values. */
typedef struct AbutShapeKey {
	const char *name;      /* as in scene files; not "type", "position", "orientation" */
	AbutShapeKeyKind kind; /* kind of its value */
	bool optional;         /* the key may be omitted */
	double low, high;      /* closed range of every number; -INFINITY and INFINITY for no bound */
	int least, most;       /* number of entries of an array; 0, 0: one or more */
} AbutShapeKey;

/* The value of a key: `count` numbers, or points of three numbers each; count 0 if the key was omitted. */
typedef struct AbutShapeValue {
	int count;             /* number of numbers or points */
	const double *numbers; /* (count); for points (3 count) */
} AbutShapeValue;

/* Creates a shape from `values`, one for each key in their order, which are valid during the call. An error is reported
 * at the key that its `where` names, otherwise at the shape. */
typedef AbutStatus AbutShapeConstructor(const void *data, const AbutShapeValue *values, AbutShape **out,
                                        AbutError *error);

/* A type: its name in scene files, its keys, and the constructor of a shape from their values. */
typedef struct AbutShapeType {
	const char *name;             /* value of "type" */
	int n_keys;                   /* 0 to ABUT_SHAPE_KEYS_MAX */
	const AbutShapeKey *keys;     /* (n_keys) */
	AbutShapeConstructor *create; /* called for each shape of the type */
	const void *data;             /* passed to `create`; must outlive the registry */
} AbutShapeType;

/* A registry of the types of a program. */
typedef struct AbutShapeTypes AbutShapeTypes;

/* Creates a registry without types. */
ABUT_API AbutStatus abut_shape_types_create(AbutShapeTypes **out, AbutError *error);
ABUT_API void abut_shape_types_destroy(AbutShapeTypes *types); /* Frees the registry `types`; accepts NULL. */
/* Adds `type` to `types`. The names of the type and its keys, and the keys' ranges, are copied; `data` is not. Refuses
 * a name that a built-in or registered type has, a key that occurs twice or that every shape has, an empty range, a
 * name of 0 or of too many bytes, a missing constructor, too many keys and a full registry. */
ABUT_API AbutStatus abut_shape_types_add(AbutShapeTypes *types, const AbutShapeType *type, AbutError *error);

/* Lets the reading of scenes with this registry end early with ABUT_ERROR_STOPPED. `stop` is copied; NULL: never. */
ABUT_API void abut_shape_types_set_stop(AbutShapeTypes *types, const AbutStop *stop);

/* Reads the scene file `path` with `overrides` (n_overrides), like abut_scene_load, and accepts the shape types in
 * `types`. `types` may be NULL; it is only read, and may be destroyed afterwards. */
ABUT_API AbutStatus abut_scene_load_with(const char *path, const AbutShapeTypes *types, int n_overrides,
                                         const char *const *overrides, AbutScene **out, AbutError *error);
/* Reads a scene from `text` of `length` bytes, called `name` in errors, with `overrides` (n_overrides) and shape
 * `types` as above, like abut_scene_parse. */
ABUT_API AbutStatus abut_scene_parse_with(const char *text, size_t length, const char *name,
                                          const AbutShapeTypes *types, int n_overrides, const char *const *overrides,
                                          AbutScene **out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
