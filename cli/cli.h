/* The `abut` command: one file per verb, and what they share. Only this folder prints and decides exit statuses. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>

#include "abut/abut.h"

/* Exit statuses of the interface contract (docs/interface.md). */
enum {
	ABUT_EXIT_DONE = 0,
	ABUT_EXIT_CHECK = 1,  /* the run ended but a step or a check failed */
	ABUT_EXIT_USAGE = 2,  /* the call or an input file is wrong */
	ABUT_EXIT_MACHINE = 3 /* out of memory, disk full */
};

typedef struct AbutVerb {
	const char *name;
	const char *summary;               /* one line */
	const char *help;                  /* what `abut help VERB` prints after the summary; NULL: a later verb */
	int (*run)(int argc, char **argv); /* the arguments after the verb; NULL: not in this version */
} AbutVerb;

extern const AbutVerb abut_verbs[]; /* ends with a NULL name */

int abut_verb_run(int argc, char **argv);
int abut_verb_validate(int argc, char **argv);
int abut_verb_solve(int argc, char **argv);
int abut_verb_collide(int argc, char **argv);
int abut_verb_grad(int argc, char **argv);
int abut_verb_bench(int argc, char **argv);
int abut_verb_sweep(int argc, char **argv);
int abut_verb_experiment(int argc, char **argv);
int abut_verb_mesh(int argc, char **argv);
int abut_verb_import(int argc, char **argv);
int abut_verb_export(int argc, char **argv);
int abut_verb_view(int argc, char **argv);
int abut_verb_help(int argc, char **argv);
int abut_print_help(const char *name); /* of a verb; the exit status */
/* version.c */
int abut_print_version(void);
/* On stderr, with the verb that may have been meant; `caller` begins the line. */
void abut_report_unknown_verb(const char *caller, const char *name);

/* --- arguments (args.c) --- */

enum { ABUT_MOST_THREADS = 1024, ABUT_MOST_STEPS = 1000000000 };

typedef enum AbutOptionKind {
	ABUT_OPTION_FLAG,    /* bool: --name */
	ABUT_OPTION_TEXT,    /* const char *: --name VALUE or --name=VALUE; once, like those of numbers */
	ABUT_OPTION_LIST,    /* AbutTextList: may be repeated */
	ABUT_OPTION_NUMBER,  /* unsigned long long, up to 2^53 - 1 so that JSON readers keep it exact */
	ABUT_OPTION_THREADS, /* the same, up to ABUT_MOST_THREADS */
	ABUT_OPTION_STEP     /* the same, up to ABUT_MOST_STEPS */
} AbutOptionKind;

/* Strings of the command line; `items` has room for one per argument. */
typedef struct AbutTextList {
	int count;
	const char **items;
} AbutTextList;

typedef struct AbutOption {
	const char *name; /* without the dashes */
	AbutOptionKind kind;
	void *out;
} AbutOption;

/* Splits the arguments of `verb` into options (n of them) and at most `max_words` words, at least `min_words`; missing
 * words are NULL. `--` ends the options. True when the verb is to go on; otherwise `*exit_status` is set and what was
 * wrong is printed (or the help, after --help). */
bool abut_args_parse(const char *verb, int argc, char **argv, const AbutOption *options, int n_options, int min_words,
                     int max_words, const char **words, int *exit_status);

/* The value of a text option as a finite number; false after a line on stderr. NULL leaves `out` as it is. */
bool abut_args_number(const char *verb, const char *name, const char *text, double *out);

/* --- errors (report.c) --- */

/* Prints the error as one line on stderr. The exit status: ABUT_EXIT_MACHINE when memory ran out, else `otherwise`. */
int abut_report_error(const AbutError *error, int otherwise);
/* Of an error of output: a wrong folder or file is the call's fault, a full disk the machine's (io/text/path_status.h).
 */
int abut_exit_status(const AbutError *error);
__attribute__((format(printf, 1, 2))) void abut_report(const char *format, ...);
/* Ends what was printed on stdout: `exit_status`, or ABUT_EXIT_MACHINE (and a line on stderr) when it did not get out.
 */
int abut_finish_stdout(int exit_status);

/* Prints what is worth knowing about a scene that is right, a line each on stderr. */
void abut_report_warnings(const AbutScene *scene);

/* --- scenes (open.c) --- */

/* Loads the scene and makes its model. ABUT_EXIT_DONE and both set, or another exit status, neither set and `error`
 * filled but not printed. */
int abut_open_scene(const char *path, const AbutTextList *overrides, AbutScene **scene, AbutModel **model,
                    AbutError *error);

#endif
