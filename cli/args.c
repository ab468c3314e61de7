/* The arguments of a verb. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "io/text/words.h"

/* The option that `argument` (after its dashes) names, up to '=' or its end; NULL when there is none. */
static const AbutOption *find(const AbutOption *options, int n, const char *argument)
{
	const size_t length = strcspn(argument, "=");
	for (int i = 0; i < n; i++) {
		if (strlen(options[i].name) == length && strncmp(options[i].name, argument, length) == 0) {
			return &options[i];
		}
	}
	return NULL;
}

enum { MOST_OPTIONS = 32 };

/* The first name that begins with the word, of two letters and more; otherwise -1. */
static int begun_by(const char *word, const char *const *names, int n)
{
	const size_t length = strlen(word);
	for (int i = 0; length > 1 && i < n; i++) {
		if (strncmp(names[i], word, length) == 0) {
			return i;
		}
	}
	return -1;
}

/* "; did you mean '--NAME'?", or nothing: a misspelt option of the verb, or the beginning of one. */
static void suggest_option(const AbutOption *options, int n, const char *argument, char *out, size_t size)
{
	const char *names[MOST_OPTIONS] = {NULL};
	char word[64];
	const int count = n < MOST_OPTIONS ? n : MOST_OPTIONS;
	for (int i = 0; i < count; i++) {
		names[i] = options[i].name;
	}
	snprintf(word, sizeof word, "%.*s", (int)strcspn(argument, "="), argument);
	const int begun = begun_by(word, names, count);
	const int nearest = begun >= 0 ? begun : abut_text_nearest(word, names, count);
	*out = '\0';
	if (nearest >= 0) {
		snprintf(out, size, "; did you mean '--%s'?", names[nearest]);
	}
}

static unsigned long long most(AbutOptionKind kind)
{
	return kind == ABUT_OPTION_THREADS ? ABUT_MOST_THREADS
	       : kind == ABUT_OPTION_STEP  ? ABUT_MOST_STEPS
	                                   : (1ull << 53) - 1;
}

static bool set_number(const char *verb, const AbutOption *option, const char *value)
{
	const unsigned long long limit = most(option->kind);
	char *end = NULL;
	errno = 0;
	const unsigned long long number = strtoull(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || number > limit) {
		abut_report("%s: --%s must be an integer from 0 to %llu, is '%s'", verb, option->name, limit, value);
		return false;
	}
	*(unsigned long long *)option->out = number;
	return true;
}

static bool set_value(const char *verb, const AbutOption *option, const char *value)
{
	if (!value) {
		abut_report("%s: --%s needs a value", verb, option->name);
		return false;
	}
	if (option->kind == ABUT_OPTION_NUMBER || option->kind == ABUT_OPTION_THREADS ||
	    option->kind == ABUT_OPTION_STEP) {
		return set_number(verb, option, value);
	}
	if (option->kind == ABUT_OPTION_TEXT) {
		*(const char **)option->out = value;
	} else {
		AbutTextList *list = option->out;
		list->items[list->count++] = value;
	}
	return true;
}

/* A flag says the same twice and a list adds up; of other options one of the values would be lost. `given`: a bit for
 * each of `options`. */
static bool note_given(const char *verb, const AbutOption *options, const AbutOption *option, unsigned long long *given)
{
	const unsigned long long bit = 1ull << (option - options);
	const bool again = (*given & bit) != 0;
	*given |= bit;
	if (again && option->kind != ABUT_OPTION_FLAG && option->kind != ABUT_OPTION_LIST) {
		abut_report("%s: --%s is given twice; it takes one value", verb, option->name);
		return false;
	}
	return true;
}

/* Takes the option `word`, that is argv[*i], and its value after it when it has one. */
static bool take_option(const char *verb, const char *word, int argc, char **argv, int *i, const AbutOption *options,
                        int n, unsigned long long *given)
{
	const char *argument = word + 2, *equals = strchr(argument, '=');
	const AbutOption *option = find(options, n, argument);
	if (!option) {
		char suggestion[64];
		suggest_option(options, n, argument, suggestion, sizeof suggestion);
		abut_report("%s: unknown option '%s'%s%s `abut help %s` lists them", verb, word, suggestion,
		            *suggestion ? "" : ";", verb);
		return false;
	}
	if (!note_given(verb, options, option, given)) {
		return false;
	}
	if (option->kind == ABUT_OPTION_FLAG) {
		if (equals) {
			abut_report("%s: --%s takes no value", verb, option->name);
			return false;
		}
		*(bool *)option->out = true;
		return true;
	}
	if (equals) {
		return set_value(verb, option, equals + 1);
	}
	return set_value(verb, option, *i + 1 < argc ? argv[++*i] : NULL);
}

/* What the first word of a call names. */
static const char *first_word(const char *verb)
{
	if (strcmp(verb, "solve") == 0) {
		return "dump";
	}
	if (strcmp(verb, "mesh") == 0) {
		return "mesh file";
	}
	if (strcmp(verb, "view") == 0 || strcmp(verb, "export") == 0) {
		return "folder of a run";
	}
	if (strcmp(verb, "import") == 0) {
		return "model";
	}
	return "scene";
}

bool abut_args_parse(const char *verb, int argc, char **argv, const AbutOption *options, int n_options, int min_words,
                     int max_words, const char **words, int *exit_status)
{
	int n_words = 0;
	bool options_end = false;
	unsigned long long given = 0;
	*exit_status = ABUT_EXIT_USAGE;
	for (int i = 0; i < max_words; i++) {
		words[i] = NULL;
	}
	for (int i = 0; i < argc; i++) {
		const char *argument = strcmp(argv[i], "-o") == 0 && !options_end ? "--out" : argv[i];
		if (!options_end && strcmp(argument, "--") == 0) {
			options_end = true;
		} else if (!options_end && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)) {
			*exit_status = abut_print_help(verb);
			return false;
		} else if (!options_end && strncmp(argument, "--", 2) == 0) {
			if (!take_option(verb, argument, argc, argv, &i, options, n_options, &given)) {
				return false;
			}
		} else if (!options_end && argument[0] == '-' && argument[1] != '\0') {
			abut_report("%s: unknown option '%s'; options start with two dashes", verb, argument);
			return false;
		} else if (n_words == max_words) {
			abut_report("%s: one word too many: '%s'; `abut help %s` shows the call", verb, argument, verb);
			return false;
		} else {
			words[n_words++] = argument;
		}
	}
	if (n_words < min_words) {
		abut_report("%s: the %s is missing; `abut help %s` shows the call", verb, first_word(verb), verb);
		return false;
	}
	return true;
}

bool abut_args_number(const char *verb, const char *name, const char *text, double *out)
{
	char *end = NULL;
	if (!text) {
		return true;
	}
	errno = 0;
	*out = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(*out) || errno == ERANGE) {
		abut_report("%s: --%s is '%s'; it must be a finite number", verb, name, text);
		return false;
	}
	return true;
}
