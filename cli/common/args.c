/* Reads the arguments of a verb. Tested in tests/cli/command.c. */
#include "cli/common/args.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/report.h"
#include "io/text/words.h"

enum { MOST_OPTIONS = 32 };

/* Least and largest value of each kind of integer. */
static const unsigned long long ranges[][2] = {[ABUT_OPTION_INTEGER] = {0, (1ull << 53) - 1},
                                               [ABUT_OPTION_THREADS] = {0, 1024},
                                               [ABUT_OPTION_STEP] = {0, 1000000000},
                                               [ABUT_OPTION_COUNT] = {1, INT_MAX},
                                               [ABUT_OPTION_FACES] = {4, INT_MAX}};

/* What a call may contain, and what was read so far. */
typedef struct Reader {
	const AbutVerb *verb;
	const AbutOption *options;
	int n_options;
	int argc, next; /* `next`: index of the next argument */
	char **argv;
	unsigned long long given; /* one bit for each option */
	int exit_status;
} Reader;

/* Returns the option that `argument` (after its dashes) names, up to '=' or its end; NULL if there is none. */
static const AbutOption *find(const Reader *reader, const char *argument)
{
	const size_t length = strcspn(argument, "=");
	for (int i = 0; i < reader->n_options; i++) {
		const char *name = reader->options[i].name;
		if (strlen(name) == length && strncmp(name, argument, length) == 0) {
			return &reader->options[i];
		}
	}
	return NULL;
}

/* Reports an unknown option, and suggests the first option that begins with the word or is spelt similarly. */
static void report_unknown(const Reader *reader, const char *argument)
{
	const char *names[MOST_OPTIONS] = {NULL};
	char word[64], text[ABUT_MEANT_SIZE];
	const int n = reader->n_options < MOST_OPTIONS ? reader->n_options : MOST_OPTIONS;
	const size_t length = strcspn(argument + 2, "=");
	const char *meant = NULL;
	for (int i = n - 1; i >= 0; i--) {
		names[i] = reader->options[i].name;
		meant = length > 1 && strncmp(names[i], argument + 2, length) == 0 ? names[i] : meant;
	}
	snprintf(word, sizeof word, "%.*s", (int)length, argument + 2);
	meant = meant ? meant : abut_text_nearest(word, names, n);
	snprintf(word, sizeof word, "--%s", meant ? meant : "");
	abut_report("%s: unknown option '%s'; %s`abut help %s` lists the options", reader->verb->name, argument,
	            abut_meant(meant ? word : NULL, text), reader->verb->name);
}

static bool set_integer(const AbutOption *option, const char *verb, const char *value)
{
	const unsigned long long *range = ranges[option->kind];
	char *end = NULL;
	errno = 0;
	const unsigned long long number = strtoull(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || number < range[0] || number > range[1]) {
		return abut_deny("%s: --%s is '%s'; it must be an integer from %llu to %llu", verb, option->name, value,
		                 range[0], range[1]);
	}
	*(unsigned long long *)option->out = number;
	return true;
}

static bool set_number(const AbutOption *option, const char *verb, const char *value)
{
	char *end = NULL;
	errno = 0;
	const double number = strtod(value, &end);
	const bool positive = option->kind == ABUT_OPTION_POSITIVE;
	if (end == value || *end != '\0' || !isfinite(number) || errno == ERANGE || (positive && !(number > 0.0))) {
		return abut_deny("%s: --%s is '%s'; it must be a %s number", verb, option->name, value,
		                 positive ? "positive" : "finite");
	}
	*(double *)option->out = number;
	return true;
}

bool abut_text_list_add(AbutTextList *list, const char *text)
{
	const char **items = realloc(list->items, ((size_t)list->count + 1) * sizeof *items);
	if (!items) {
		return false;
	}
	list->items = items;
	items[list->count++] = text;
	return true;
}

static bool set_value(Reader *reader, const AbutOption *option, const char *value)
{
	const char *verb = reader->verb->name;
	if (!value) {
		return abut_deny("%s: --%s needs a value", verb, option->name);
	}
	if (option->kind == ABUT_OPTION_LIST) {
		const bool added = abut_text_list_add(option->out, value);
		reader->exit_status = added ? reader->exit_status : abut_report_memory();
		return added;
	}
	if (option->kind == ABUT_OPTION_TEXT) {
		*(const char **)option->out = value;
		return true;
	}
	return option->kind >= ABUT_OPTION_INTEGER ? set_integer(option, verb, value) : set_number(option, verb, value);
}

/* Records that the option is given. A flag may be repeated, and the values of a list add up. Any other option may be
 * given only once, because one of its values would be lost. */
static bool note_given(Reader *reader, const AbutOption *option)
{
	const unsigned long long bit = 1ull << (option - reader->options);
	const bool again = (reader->given & bit) != 0;
	reader->given |= bit;
	if (again && option->kind != ABUT_OPTION_FLAG && option->kind != ABUT_OPTION_LIST) {
		return abut_deny("%s: --%s is given twice; it takes one value", reader->verb->name, option->name);
	}
	return true;
}

/* Reads the option `word`, with its dashes, and its value, which may be the next argument. */
static bool read_option(Reader *reader, const char *word)
{
	const char *equals = strchr(word, '=');
	const AbutOption *option = find(reader, word + 2);
	if (!option) {
		report_unknown(reader, word);
		return false;
	}
	if (!note_given(reader, option)) {
		return false;
	}
	if (option->kind != ABUT_OPTION_FLAG) {
		return set_value(reader, option,
		                 equals                        ? equals + 1
		                 : reader->next < reader->argc ? reader->argv[reader->next++]
		                                               : NULL);
	}
	if (equals) {
		return abut_deny("%s: --%s takes no value", reader->verb->name, option->name);
	}
	*(bool *)option->out = true;
	return true;
}

/* Reads all arguments. Returns the number of arguments that are not options; -1 if the verb shall not run. */
static int read_all(Reader *reader, const char **words)
{
	const AbutVerb *verb = reader->verb;
	int n_words = 0;
	bool options_end = false;
	while (reader->next < reader->argc) {
		const char *argument = reader->argv[reader->next++];
		if (options_end || argument[0] != '-' || argument[1] == '\0') {
			if (n_words == verb->max_arguments) {
				abut_report("%s: '%s' is one argument too many; `abut help %s` shows the usage",
				            verb->name, argument, verb->name);
				return -1;
			}
			words[n_words++] = argument;
		} else if (strcmp(argument, "--") == 0) {
			options_end = true;
		} else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
			printf("abut %s: %s\n\n%s", verb->name, verb->summary, verb->help);
			reader->exit_status = abut_finish_stdout(ABUT_EXIT_DONE);
			return -1;
		} else if (argument[1] != '-' && strcmp(argument, "-o") != 0) {
			abut_report("%s: unknown option '%s'; options start with two dashes", verb->name, argument);
			return -1;
		} else if (!read_option(reader, argument[1] == 'o' ? "--out" : argument)) {
			return -1;
		}
	}
	return n_words;
}

bool abut_args_parse(const AbutVerb *verb, int argc, char **argv, const AbutOption *options, int n_options,
                     const char **words, int *exit_status)
{
	Reader reader = {.verb = verb,
	                 .options = options,
	                 .n_options = n_options,
	                 .argc = argc,
	                 .argv = argv,
	                 .exit_status = ABUT_EXIT_USAGE};
	const int n_words = read_all(&reader, words);
	*exit_status = reader.exit_status;
	if (n_words >= 0 && n_words < verb->min_arguments) {
		abut_report("%s: the %s is missing; `abut help %s` shows the usage", verb->name, verb->argument,
		            verb->name);
	}
	return n_words >= verb->min_arguments;
}
