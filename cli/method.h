/* The option --method M, which is --set solver.method=M. */
#ifndef CLI_METHOD_H
#define CLI_METHOD_H

#include "cli/cli.h"

/* Whether `name` is a method; says so on stderr when it is not. */
bool abut_method_check(const char *name);

/* Adds the override, for which the list has room; `owned` is then the caller's to free. False when memory ran out.
 * `method` NULL: nothing. */
bool abut_method_add(const char *method, AbutTextList *overrides, char **owned);

/* An error of the method is one of --method, when that set it (`method` not NULL). */
void abut_method_locate(const char *method, AbutError *error);

#endif
