/* Lists the verbs of the command. Each has one source, with its help beside its options. */
#pragma once

#include <limits.h>

/* The verbs, in the order of `abut help`. */
#define ABUT_VERB_LIST(X)                                                                                              \
	X(run)                                                                                                         \
	X(validate)                                                                                                    \
	X(solve)                                                                                                       \
	X(collide) X(grad) X(linearise) X(bench) X(sweep) X(experiment) X(mesh) X(import) X(export) X(view) X(help)

enum { ABUT_ANY_ARGUMENTS = INT_MAX };

typedef struct AbutVerb {
	const char *name;
	const char *summary;              /* one line */
	const char *help;                 /* what `abut help VERB` prints after the summary */
	const char *argument;             /* what the first argument is, for messages: "scene" */
	int min_arguments, max_arguments; /* arguments that are no options */
	/* Runs the verb with the arguments after its name; returns the exit status. */
	int (*run)(const struct AbutVerb *verb, int argc, char **argv);
} AbutVerb;

#define ABUT_X(name) extern const AbutVerb abut_verb_##name;
ABUT_VERB_LIST(ABUT_X)
#undef ABUT_X
