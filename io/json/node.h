/* Reads typed values from a JSON tree. Errors name the place, the value and what is allowed.
 *
 * A node is a value with its path from the root; nodes live on the stack. The reader keeps the first error, after which
 * all calls do nothing, so that a sequence of reads needs only one check at its end. */
#pragma once

#include <stdbool.h>

#include "abut/status.h"
#include "base/stop.h"
#include "io/json/path.h"
#include "io/json/scene_keys.h"
#include "io/json/source.h"
#include "io/json/tree.h"
#include "io/text/notes.h"

typedef struct AbutReader {
	const AbutSource *source;
	AbutStatus status;                  /* of the first error */
	AbutError *error;                   /* not NULL */
	AbutNotes *notes;                   /* receives warnings; NULL: they are dropped */
	const struct AbutShapeTypes *types; /* registered shape types of a scene; NULL: none */
	AbutStopper *stop;                  /* ends the reading of a scene early; NULL: never */
} AbutReader;

typedef struct AbutNode {
	AbutReader *reader;
	const struct AbutNode *parent; /* NULL for the root */
	const AbutJson *value;
	const char *key; /* key in the parent object; NULL in an array */
	int index;       /* position in the parent, as counted by abut_node_next */
} AbutNode;

enum { ABUT_NODE_PATH_SIZE = 256, ABUT_NAME_MAX = ABUT_PATH_MAX_KEY };

/* Records an error at this node, unless an error is already recorded. */
__attribute__((format(printf, 3, 4))) void abut_node_fail(const AbutNode *node, AbutStatus status, const char *format,
                                                          ...);
/* Records an error at the key of this node; `occurrence` selects one of several duplicates. */
__attribute__((format(printf, 4, 5))) void abut_node_fail_key(const AbutNode *node, int occurrence, AbutStatus status,
                                                              const char *format, ...);
/* Records a warning at this node. */
__attribute__((format(printf, 2, 3))) void abut_node_warn(const AbutNode *node, const char *format, ...);
void abut_node_fail_memory(const AbutNode *node);
/* Records "must be EXPECTED, is VALUE". */
void abut_node_fail_expected(const AbutNode *node, const char *expected);
bool abut_node_ok(const AbutNode *node); /* true if no error is recorded */
void abut_node_path(const AbutNode *node, char path[ABUT_NODE_PATH_SIZE]);

/* Gets the member `key` of an object node. Returns false if it is absent, or after an error. */
bool abut_node_get(const AbutNode *object, const char *key, AbutNode *member);
/* Gets a member that must be present; records an error if it is absent. */
bool abut_node_require(const AbutNode *object, const char *key, AbutNode *member);
/* Get the first and the next member or element: `for (bool more = first(n, &c); more; more = next(&c))`. */
bool abut_node_first(const AbutNode *container, AbutNode *child);
bool abut_node_next(AbutNode *child);

/* Checks that the node is an object whose keys are all in the set and occur only once. */
bool abut_node_check_keys(const AbutNode *node, const AbutKeySet *keys);
/* Check that the node has the type, is an array, or is an array of `n` elements; `expected` is for the message. */
bool abut_node_check_type(const AbutNode *node, AbutJsonType type, const char *expected);
bool abut_node_check_array(const AbutNode *node, const char *expected);
bool abut_node_check_count(const AbutNode *node, int n, const char *expected);
