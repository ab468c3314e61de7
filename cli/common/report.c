/* Prints messages on stderr, one line each, and chooses exit statuses. */
#include "cli/common/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static void print_line(const char *format, va_list arguments)
{
	char line[2048];
	vsnprintf(line, sizeof line, format, arguments);
	/* Control characters would break the line, or drive the terminal. */
	for (char *c = line; *c; c++) {
		*c = (char)((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c);
	}
	fprintf(stderr, "abut: %s\n", line);
}

void abut_report(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_line(format, arguments);
	va_end(arguments);
}

int abut_refuse(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_line(format, arguments);
	va_end(arguments);
	return ABUT_EXIT_USAGE;
}

bool abut_deny(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_line(format, arguments);
	va_end(arguments);
	return false;
}

static void print_located(const AbutError *error, const char *kind)
{
	/* The root of a file has no path, but a line and a column. */
	const char *where = error->where[0] || error->line == 0 ? error->where : "(root)";
	const size_t length = strlen(where);
	char position[32] = "";
	/* The message of an object made from a file may begin with the same word. */
	if (strncmp(error->message, where, length) == 0 && strncmp(error->message + length, ": ", 2) == 0) {
		where = "";
	}
	if (error->line > 0) {
		snprintf(position, sizeof position, ":%d:%d", error->line, error->column);
	}
	abut_report("%s%s%s%s%s%s%s", error->file, position, error->file[0] ? ": " : "", where, where[0] ? ": " : "",
	            kind, error->message);
}

void abut_report_warning(const AbutError *warning)
{
	print_located(warning, "warning: ");
}

void abut_report_warnings(const AbutScene *scene)
{
	for (int i = 0; abut_scene_warning(scene, i); i++) {
		abut_report_warning(abut_scene_warning(scene, i));
	}
}

const char *abut_meant(const char *name, char out[ABUT_MEANT_SIZE])
{
	out[0] = '\0';
	if (name) {
		snprintf(out, ABUT_MEANT_SIZE, "did you mean '%s'? ", name);
	}
	return out;
}

int abut_report_memory(void)
{
	abut_report("out of memory");
	return ABUT_EXIT_MACHINE;
}

int abut_report_error(const AbutError *error, int otherwise)
{
	print_located(error, "");
	return abut_is_of_system(error->status) ? ABUT_EXIT_MACHINE : otherwise;
}

int abut_exit_status(const AbutError *error)
{
	return error->status == ABUT_ERROR_IO || abut_is_of_system(error->status) ? ABUT_EXIT_MACHINE : ABUT_EXIT_USAGE;
}

int abut_report_output(AbutStatus status, const AbutError *error)
{
	return status == ABUT_OK ? ABUT_EXIT_DONE : abut_report_error(error, abut_exit_status(error));
}

int abut_finish_stdout(int exit_status)
{
	const bool had_error = ferror(stdout);
	if (fflush(stdout) != 0 || had_error) {
		abut_report("cannot write to the standard output");
		return ABUT_EXIT_MACHINE;
	}
	return exit_status;
}
