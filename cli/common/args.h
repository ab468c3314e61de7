/* Reads the arguments of a verb: options, and other arguments such as the scene. */
#pragma once

#include <stdbool.h>

#include "cli/common/verb.h"

typedef enum AbutOptionKind {
	ABUT_OPTION_FLAG,     /* bool: --name */
	ABUT_OPTION_TEXT,     /* const char *: --name VALUE or --name=VALUE; once, like numbers */
	ABUT_OPTION_LIST,     /* AbutTextList: may be repeated */
	ABUT_OPTION_NUMBER,   /* double, finite */
	ABUT_OPTION_POSITIVE, /* double, finite and above 0 */
	ABUT_OPTION_INTEGER,  /* unsigned long long, to 2^53 - 1, so that JSON readers keep it exact */
	ABUT_OPTION_THREADS,  /* the same, to 1024 */
	ABUT_OPTION_STEP,     /* the same, to 10^9 */
	ABUT_OPTION_COUNT,    /* the same, from 1 to INT_MAX */
	ABUT_OPTION_FACES     /* the same, from 4 to INT_MAX */
} AbutOptionKind;

/* Strings of the command line; `items` is allocated. */
typedef struct AbutTextList {
	int count;
	const char **items;
} AbutTextList;

/* Adds a text, which must outlive the list. Returns false if out of memory. */
bool abut_text_list_add(AbutTextList *list, const char *text);

typedef struct AbutOption {
	const char *name; /* without the dashes */
	AbutOptionKind kind;
	void *out;
} AbutOption;

/* Reads the arguments of `verb`. Sets its n_options `options`, and stores the arguments that are not options in
 * `words`; the words of missing arguments are unchanged. `--` ends the options. Returns whether the verb shall run;
 * otherwise sets `*exit_status`, after a message or the help. */
bool abut_args_parse(const AbutVerb *verb, int argc, char **argv, const AbutOption *options, int n_options,
                     const char **words, int *exit_status);
