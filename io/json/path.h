/* Writes and splits paths in a JSON text, such as `bodies[1].mass` or `shapes["my brick"].radius`. A key of letters,
 * digits, `_`, `-` and `+` follows a dot; any other key is quoted in brackets. */
#pragma once

#include <stddef.h>

enum { ABUT_PATH_MAX_KEY = 127, ABUT_PATH_MAX_STEPS = 64 };

typedef struct AbutPathStep {
	int index;                       /* index into an array, or -1 for the `key` of an object */
	char key[ABUT_PATH_MAX_KEY + 1]; /* unquoted */
} AbutPathStep;

/* Each function appends one step to `path` of `size` bytes, cut off if it does not fit. Control characters in a key
 * become '?', so that a path stays on one line. */
void abut_path_append_key(char *path, size_t size, const char *key, size_t length);
void abut_path_append_index(char *path, size_t size, int index);

/* Splits `length` bytes of `path` into `steps` (capacity ABUT_PATH_MAX_STEPS). Returns the number of steps (0: the
 * root), or -1 if the path is malformed, too long or has a key of more than ABUT_PATH_MAX_KEY bytes. */
int abut_path_parse(const char *path, size_t length, AbutPathStep *steps);
