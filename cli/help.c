/* abut help [VERB] */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "io/text/words.h"

static int list_verbs(void)
{
	printf("abut %s: contact between convex shapes\n\nusage: abut VERB [options]\n\n", abut_version());
	for (const AbutVerb *verb = abut_verbs; verb->name; verb++) {
		printf("  %-12s%s%s\n", verb->name, verb->summary, verb->run ? "" : " (not in this version)");
	}
	printf("\n`abut help VERB` explains a verb; `abut --version` prints the version.\n");
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

void abut_report_unknown_verb(const char *caller, const char *name)
{
	enum { MOST_VERBS = 32 };
	const char *names[MOST_VERBS];
	int n = 0;
	for (const AbutVerb *verb = abut_verbs; verb->name && n < MOST_VERBS; verb++) {
		names[n++] = verb->name;
	}
	const int nearest = abut_text_nearest(name, names, n);
	if (nearest >= 0) {
		abut_report("%sunknown verb '%s'; did you mean '%s'? `abut help` lists the verbs", caller, name,
		            names[nearest]);
	} else {
		abut_report("%sunknown verb '%s'; `abut help` lists the verbs", caller, name);
	}
}

int abut_print_help(const char *name)
{
	for (const AbutVerb *verb = abut_verbs; verb->name; verb++) {
		if (strcmp(verb->name, name) == 0) {
			printf("abut %s: %s\n\n%s", verb->name, verb->summary,
			       verb->help ? verb->help : "Not in this version.\n");
			return abut_finish_stdout(ABUT_EXIT_DONE);
		}
	}
	abut_report_unknown_verb("help: ", name);
	return ABUT_EXIT_USAGE;
}

int abut_verb_help(int argc, char **argv)
{
	if (argc > 1) {
		abut_report("help: takes one verb; usage: abut help [VERB]");
		return ABUT_EXIT_USAGE;
	}
	return argc == 0 || strcmp(argv[0], "--help") == 0 ? list_verbs() : abut_print_help(argv[0]);
}
