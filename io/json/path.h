/* Paths inside a JSON text, such as `bodies[1].mass` or `shapes["my brick"].radius`: keys made of letters, digits,
 * `_` and `-` stand plain after a dot, all others quoted in brackets. */
#ifndef IO_JSON_PATH_H
#define IO_JSON_PATH_H

#include <stddef.h>

enum { ABUT_PATH_MAX_KEY = 127, ABUT_PATH_MAX_STEPS = 64 };

typedef struct AbutPathStep {
	int index;                       /* into an array; -1: `key` of an object */
	char key[ABUT_PATH_MAX_KEY + 1]; /* unquoted */
} AbutPathStep;

/* Each appends one step to the text `path` of capacity `size`, which is cut short when full. Control characters of a
 * key become '?', so that a path stays on one line. */
void abut_path_append_key(char *path, size_t size, const char *key, size_t length);
void abut_path_append_index(char *path, size_t size, int index);

/* Splits `length` bytes of `path` into `steps` (capacity ABUT_PATH_MAX_STEPS). Returns the number of steps (0: the
 * root), or -1 if the path is malformed, too long or has a key of more than ABUT_PATH_MAX_KEY bytes. */
int abut_path_parse(const char *path, size_t length, AbutPathStep *steps);

#endif
