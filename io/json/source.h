/* Where a scene's values come from: the text of a file, and overrides of single values. Turns a path inside the scene
 * into the place that a reader of an error can go to. */
#ifndef IO_JSON_SOURCE_H
#define IO_JSON_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "abut/status.h"
#include "io/json/tree.h"

typedef struct AbutOverride {
	char *text;     /* "path=value", owned */
	char path[256]; /* the outermost value that it set, in the scene's own form */
} AbutOverride;

typedef struct AbutSource {
	char *name; /* of the file, owned */
	char *text; /* owned, NUL-terminated past `length` */
	size_t length;
	int n_overrides;
	AbutOverride *overrides; /* owned */
} AbutSource;

void abut_source_free(AbutSource *source);

/* Parses the text into a tree that the caller owns; `what` is such as "scene", for messages. On failure `error` has the
 * place. */
AbutStatus abut_source_parse(const AbutSource *source, const char *what, AbutJson **root, AbutError *error);

/* Reads the file `path`, of at most `most` bytes, and its tree; both are the caller's, also on failure. */
AbutStatus abut_source_load(AbutSource *source, const char *path, const char *what, size_t most, AbutJson **root,
                            AbutError *error);

/* Adds file, line and column to `error`, whose `where` is a path: of the value, or of its key (`at_key`; `occurrence`
 * selects one of several duplicates). If an override set the value, the file is "--set" and the message quotes it. */
void abut_source_locate(const AbutSource *source, bool at_key, int occurrence, AbutError *error);

#endif
