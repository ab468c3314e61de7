/* Declares a registry of shape types and the reader of their objects. */
#pragma once

#include "abut/shape_types.h"
#include "io/json/node.h"

enum { ABUT_TYPE_NAME_SIZE = 64 };

typedef struct AbutRegisteredType {
	char name[ABUT_TYPE_NAME_SIZE];
	char what[ABUT_TYPE_NAME_SIZE + 16]; /* for messages, such as: a shape "lens" */
	int n_keys;
	AbutShapeKey keys[ABUT_SHAPE_KEYS_MAX];
	char key_names[ABUT_SHAPE_KEYS_MAX][ABUT_TYPE_NAME_SIZE];
	const char *all_names[ABUT_SHAPE_KEYS_MAX + 4]; /* including the keys of every shape; NULL-terminated */
	AbutKeySet set;
	AbutShapeConstructor *create;
	const void *data;
} AbutRegisteredType;

struct AbutShapeTypes {
	AbutStop stop;
	int count;
	AbutRegisteredType *types[ABUT_SHAPE_TYPES_MAX];
};

/* Reads the keys of the object and, if they are correct, calls the constructor. Errors in the file are recorded in the
 * node's reader. */
AbutStatus abut_registered_read(const AbutRegisteredType *type, const AbutNode *node, AbutShape **out,
                                AbutError *error);
