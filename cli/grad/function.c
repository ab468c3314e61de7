/* Checks names of C functions that are to be written. Tested in tests/cli/grad/linearise.c. */
#include "cli/grad/function.h"

#include <string.h>
#include <strings.h>

#include "cli/common/args.h"
#include "cli/common/print.h"
#include "cli/common/report.h"

/* Returns whether a compiler takes the name for a keyword: of C17, of C23, or of its own. */
static bool is_keyword(const char *name, size_t n)
{
	static const char *const keywords[] = {
	    "alignas",       "alignof",       "asm",      "auto",     "bool",         "break", "case",    "char",
	    "const",         "continue",      "default",  "do",       "double",       "else",  "enum",    "extern",
	    "constexpr",     "false",         "float",    "for",      "goto",         "if",    "inline",  "int",
	    "long",          "nullptr",       "register", "restrict", "return",       "short", "signed",  "sizeof",
	    "static",        "static_assert", "struct",   "switch",   "thread_local", "true",  "typedef", "typeof",
	    "typeof_unqual", "union",         "unsigned", "void",     "volatile",     "while", "linux",   "unix"};
	bool found = false;
	for (size_t i = 0; !found && i < sizeof keywords / sizeof *keywords; i++) {
		found = strlen(keywords[i]) == n && strncmp(keywords[i], name, n) == 0;
	}
	return found;
}

/* Returns whether the name may be one of abut/abut.h, of CasADi, of the compiler or of the source itself. */
static bool is_reserved(const char *name)
{
	static const char *const beginnings[] = {"_", "abut", "casadi_", "own_"};
	bool found = false;
	for (size_t i = 0; !found && i < sizeof beginnings / sizeof *beginnings; i++) {
		found = strncasecmp(beginnings[i], name, strlen(beginnings[i])) == 0;
	}
	return found;
}

int abut_function_name(const char *path, const char **begin)
{
	const char *slash = strrchr(path, '/');
	*begin = slash ? slash + 1 : path;
	return (int)strlen(*begin) - 2;
}

bool abut_function_check(const char *path)
{
	const char *name;
	const int n = abut_function_name(path, &name);
	bool fine = n > 0 && strcmp(name + n, ".c") == 0 && !(name[0] >= '0' && name[0] <= '9');
	for (int i = 0; fine && i < n; i++) {
		fine = name[i] == '_' || (name[i] >= '0' && name[i] <= '9') || (name[i] >= 'a' && name[i] <= 'z') ||
		       (name[i] >= 'A' && name[i] <= 'Z');
	}
	if (!fine) {
		return abut_deny("linearise: --casadi is '%s'; it must be the name of a function in C with the ending "
		                 ".c, such as step.c",
		                 path);
	}
	if (is_keyword(name, (size_t)n)) {
		return abut_deny("linearise: --casadi is '%s'; '%.*s' is a word of C compilers and cannot name a "
		                 "function, unlike step.c",
		                 path, n, name);
	}
	return !is_reserved(name) || abut_deny("linearise: --casadi is '%s'; names of functions must not begin with _, "
	                                       "abut, casadi_ or own_",
	                                       path);
}
