/* Shape types of a program's own for scene files: "type": "lens" calls a constructor that the program has registered.
 * A registry is an object that is handed to the loader; there is no global one. Keys are read, checked against their
 * ranges and reported (FILE:LINE:COLUMN: path: ...) like those of the types that the library has; "position" and
 * "orientation" work on every type. docs/tutorial_primitive.md uses it. */
#ifndef ABUT_SHAPE_TYPES_H
#define ABUT_SHAPE_TYPES_H

#include "abut/io.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ABUT_SHAPE_TYPES_MAX 64 /* most types of a registry */
#define ABUT_SHAPE_KEYS_MAX 16  /* most keys of a type */

/* What the value of a key is. */
typedef enum AbutShapeKeyKind {
	ABUT_SHAPE_KEY_NUMBER,  /* a number */
	ABUT_SHAPE_KEY_NUMBERS, /* an array of numbers */
	ABUT_SHAPE_KEY_POINTS   /* an array of arrays of three numbers */
} AbutShapeKeyKind;

/* A key of a type, and what its value may be. */
typedef struct AbutShapeKey {
	const char *name;      /* as in a scene file; not "type", "position", "orientation" */
	AbutShapeKeyKind kind; /* of its value */
	bool optional;         /* it may be left out */
	double low, high;      /* of every number, both allowed; -INFINITY and INFINITY for none */
	int least, most;       /* entries of an array; 0, 0: one or more */
} AbutShapeKey;

/* The value of a key: `count` numbers, or points of three numbers each; count 0 when the key was left out. */
typedef struct AbutShapeValue {
	int count;             /* of numbers or points */
	const double *numbers; /* (count), of points (3 count) */
} AbutShapeValue;

/* Makes a shape from `values`, one for each key in their order, which last as long as the call. An error is reported at
 * the key that its `where` names, or at the shape. */
typedef AbutStatus AbutShapeConstructor(const void *data, const AbutShapeValue *values, AbutShape **out,
                                        AbutError *error);

/* A type: a word for scene files, its keys, and what makes a shape of their values. */
typedef struct AbutShapeType {
	const char *name;             /* the word in "type" */
	int n_keys;                   /* 0 to ABUT_SHAPE_KEYS_MAX */
	const AbutShapeKey *keys;     /* (n_keys) */
	AbutShapeConstructor *create; /* called for each shape of the type */
	const void *data;             /* handed to create; must outlive the registry */
} AbutShapeType;

/* A registry: the types of a program. */
typedef struct AbutShapeTypes AbutShapeTypes;

/* A registry without types. */
ABUT_API AbutStatus abut_shape_types_create(AbutShapeTypes **out, AbutError *error);
ABUT_API void abut_shape_types_destroy(AbutShapeTypes *types); /* NULL is fine */
/* Adds a type, of which names, keys and ranges are copied. Refused: a name that the library or the registry has, or
 * that the format keeps for later; a key that stands twice or that every shape has; a range without a number. */
ABUT_API AbutStatus abut_shape_types_add(AbutShapeTypes *types, const AbutShapeType *type, AbutError *error);

/* abut_scene_load of `path` with `overrides` (n_overrides), and with further types; `types` may be NULL, is only read,
 * and may be destroyed afterwards. */
ABUT_API AbutStatus abut_scene_load_with(const char *path, const AbutShapeTypes *types, int n_overrides,
                                         const char *const *overrides, AbutScene **out, AbutError *error);
/* abut_scene_parse of `text` (length), called `name` in errors, with `overrides` (n_overrides) and further types as
 * above.
 */
ABUT_API AbutStatus abut_scene_parse_with(const char *text, size_t length, const char *name,
                                          const AbutShapeTypes *types, int n_overrides, const char *const *overrides,
                                          AbutScene **out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif
