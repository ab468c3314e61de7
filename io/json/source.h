/* Stores where a scene's values come from: the text of a file and overrides of single values. Converts a path in the
 * scene to a position in the file, for error messages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "abut/status.h"
#include "io/json/tree.h"

typedef struct AbutOverride {
	char *text;     /* "path=value", owned */
	char path[256]; /* path of the outermost value that it set, as written in messages */
} AbutOverride;

typedef struct AbutSource {
	char *name; /* name of the file, owned */
	char *text; /* owned, with a NUL after `length` bytes */
	size_t length;
	int n_overrides;
	AbutOverride *overrides; /* owned */
} AbutSource;

void abut_source_free(AbutSource *source);

/* Parses the text into a tree that the caller owns; `what` is for messages, such as "scene". On failure `error` has the
 * position. */
AbutStatus abut_source_parse(const AbutSource *source, const char *what, AbutJson **root, AbutError *error);

/* Reads the file `path`, of at most `most` bytes, into a source and a tree. The caller frees both, also on failure. */
AbutStatus abut_source_load(AbutSource *source, const char *path, const char *what, size_t most, AbutJson **root,
                            AbutError *error);

/* Adds file, line and column to `error` for the value at the path `error->where`, or for its key if `at_key`.
 * `occurrence` selects one of several duplicates. If an override set the value, the file is "--set" and the message
 * quotes it. */
void abut_source_locate(const AbutSource *source, bool at_key, int occurrence, AbutError *error);
