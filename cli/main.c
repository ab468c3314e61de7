/* Runs the `abut` command: finds the verb and calls it; prints the list of verbs and the version. Only this folder
 * prints and decides exit statuses. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/report.h"
#include "cli/common/verb.h"
#include "io/text/words.h"

#ifdef __OPTIMIZE__
#define OPTIMISED "optimised"
#else
#define OPTIMISED "not optimised"
#endif

#define ABUT_X(name) &abut_verb_##name,
static const AbutVerb *const verbs[] = {ABUT_VERB_LIST(ABUT_X)};
#undef ABUT_X

enum { VERBS = sizeof verbs / sizeof *verbs };

/* Returns the verb; NULL after a message, which begins with `caller`. */
static const AbutVerb *find_verb(const char *caller, const char *name)
{
	const char *names[VERBS];
	char meant[ABUT_MEANT_SIZE];
	for (int i = 0; i < VERBS; i++) {
		names[i] = verbs[i]->name;
		if (strcmp(names[i], name) == 0) {
			return verbs[i];
		}
	}
	abut_report("%sunknown verb '%s'; %s`abut help` lists the verbs", caller, name,
	            abut_meant(abut_text_nearest(name, names, VERBS), meant));
	return NULL;
}

static int print_version(void)
{
	printf("abut %s\n", abut_version());
	printf("built by %s, %s, for %s\n", ABUT_BUILD_COMPILER, OPTIMISED, ABUT_BUILD_MACHINE);
	printf("mesh files (Assimp): %s\n", ABUT_BUILD_ASSIMP);
	printf("sweeps under mpirun: %s\n", ABUT_BUILD_MPI);
	printf("sanitizers: %s\n", ABUT_BUILD_SANITIZERS);
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

static int list_verbs(void)
{
	printf("abut %s: contact between convex shapes\n\nusage: abut VERB [options]\n\n", abut_version());
	for (int i = 0; i < VERBS; i++) {
		printf("  %-12s%s\n", verbs[i]->name, verbs[i]->summary);
	}
	printf("\n`abut help VERB` explains a verb; `abut --version` prints the version.\n");
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

static int help(const AbutVerb *own, int argc, char **argv)
{
	char option[] = "--help", *asked[] = {option};
	(void)own;
	if (argc > 1) {
		return abut_refuse("help: takes one verb; usage: abut help [VERB]");
	}
	if (argc == 0 || strcmp(argv[0], "--help") == 0) {
		return list_verbs();
	}
	const AbutVerb *verb = find_verb("help: ", argv[0]);
	if (verb == &abut_verb_help) {
		printf("abut help: %s\n\n%s", verb->summary, verb->help);
		return abut_finish_stdout(ABUT_EXIT_DONE);
	}
	return verb ? verb->run(verb, 1, asked) : ABUT_EXIT_USAGE;
}

const AbutVerb abut_verb_help = {"help", "explain a verb", "usage: abut help [VERB]\n", NULL, 0, 1, help};

int main(int argc, char **argv)
{
	/* A closed reader is a write error, which is reported like any other. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		return abut_refuse("no verb given; `abut help` lists the verbs");
	}
	if (strcmp(argv[1], "--version") == 0) {
		return print_version();
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		return list_verbs();
	}
	const AbutVerb *verb = find_verb("", argv[1]);
	return verb ? verb->run(verb, argc - 2, argv + 2) : ABUT_EXIT_USAGE;
}
