/* The name of the function that `abut linearise --casadi` writes. */
#pragma once

#include <stdbool.h>

/* Returns the length of the name of the file at `path` without its folder and its ending .c, and sets `*begin` to it.
 */
int abut_function_name(const char *path, const char **begin);
/* Refuses, on stderr, a path whose name is not that of a function in C, or is one that the source has for itself. */
bool abut_function_check(const char *path);
