/* Writes the files of a report, and draws its figures with gnuplot as a child process. */
#include "experiments/report/write.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abut/status.h"
#include "base/error.h"
#include "experiments/report/page.h"
#include "experiments/report/table_files.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"

/* --- gnuplot --- */

enum { PATH_SIZE = 4096, MOST_LOG = 1 << 20, MOST_TEXT = 1 << 20 };

/* Starts gnuplot in the folder, without a shell; its output goes to a log there. Returns 0, or errno. */
static int start(const char *folder, const char *script, const char *format, const char *log, pid_t *child)
{
	char set_format[32];
	snprintf(set_format, sizeof set_format, "format='%s'", format);
	char *const arguments[] = {"gnuplot", "-e", set_format, (char *)script, NULL};
	posix_spawn_file_actions_t actions;
	if (posix_spawn_file_actions_init(&actions) != 0) {
		return ENOMEM;
	}
	int failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	failed = failed ? failed : posix_spawn_file_actions_addchdir_np(&actions, folder);
	failed =
	    failed ? failed
	           : posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
	failed = failed ? failed : posix_spawnp(child, "gnuplot", &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* Waits for the child; returns whether it succeeded. */
static bool wait_for(pid_t child)
{
	int status = 0;
	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR) {
			return false;
		}
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Sets the error to the line of gnuplot's output that gives the reason: one with a line number, otherwise the first. */
static AbutStatus fail(const char *script, const char *log, AbutError *error)
{
	char *text = NULL;
	size_t length = 0;
	const char *line = "gnuplot failed";
	if (abut_file_read(log, "log", MOST_LOG, &text, &length, NULL) == ABUT_OK) {
		const char *told = strstr(text, "line ");
		line = told ? told : text + strspn(text, " \n\t");
	}
	abut_error_set(error, ABUT_ERROR_IO, NULL, "cannot draw: %.*s", (int)strcspn(line, "\n"), line);
	if (error) {
		snprintf(error->file, sizeof error->file, "%s", script);
	}
	free(text);
	return ABUT_ERROR_IO;
}

static AbutStatus draw_format(const char *folder, const char *name, const char *format, bool *missing, AbutError *error)
{
	char script[256], log[256], log_path[PATH_SIZE], drawn[PATH_SIZE];
	struct stat info;
	pid_t child = 0;
	snprintf(script, sizeof script, "%s.gp", name);
	snprintf(log, sizeof log, ".%s.log", name);
	snprintf(log_path, sizeof log_path, "%s/%s", folder, log);
	snprintf(drawn, sizeof drawn, "%s/%s.%s", folder, name, format);
	const int reason = start(folder, script, format, log, &child);
	*missing = reason == ENOENT;
	AbutStatus status = ABUT_OK;
	if (reason != 0 && !*missing) {
		status = abut_error_set(error, reason == ENOMEM ? ABUT_ERROR_MEMORY : ABUT_ERROR_IO, NULL,
		                        "cannot run gnuplot: %s", strerror(reason));
	} else if (!*missing && (!wait_for(child) || stat(drawn, &info) != 0 || info.st_size == 0)) {
		status = fail(script, log_path, error);
	}
	unlink(log_path);
	return status;
}

/* The content of one file of the folder. */
typedef struct Content {
	AbutStatus (*write)(FILE *file, const struct Content *content, AbutError *error);
	const AbutReport *report;
	const AbutTable *table;
	const AbutFigure *figure;
	const char *scripts, *style, *out;
} Content;

static AbutStatus write_csv(FILE *file, const Content *content, AbutError *error)
{
	(void)error;
	abut_table_write_csv(file, content->table);
	return ABUT_OK;
}

static AbutStatus write_table_json(FILE *file, const Content *content, AbutError *error)
{
	(void)error;
	abut_table_write_json(file, content->table);
	fputc('\n', file);
	return ABUT_OK;
}

static AbutStatus write_json(FILE *file, const Content *content, AbutError *error)
{
	(void)error;
	abut_report_write_json(file, content->report);
	return ABUT_OK;
}

static AbutStatus write_page(FILE *file, const Content *content, AbutError *error)
{
	return abut_report_write_page(file, content->report, content->style, content->out, error);
}

static AbutStatus append_file(FILE *file, const char *folder, const char *name, const char *what, AbutError *error)
{
	char path[PATH_SIZE];
	char *text = NULL;
	size_t length = 0;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	const AbutStatus status = abut_file_read(path, what, MOST_TEXT, &text, &length, error);
	if (status == ABUT_OK) {
		fwrite(text, 1, length, file);
	}
	free(text);
	return status;
}

/* Writes a script that draws the figure again: its name and size, the common style, and the figure's own lines. */
static AbutStatus write_script(FILE *file, const Content *content, AbutError *error)
{
	const AbutFigure *figure = content->figure;
	char name[256];
	fprintf(file, "name = \"%s\"\nwidth = %d\nheight = %d\n", figure->name, figure->width, figure->height);
	const char *folder = figure->common ? content->style : content->scripts;
	snprintf(name, sizeof name, "%s.gp", figure->script);
	ABUT_TRY(append_file(file, content->style, "style.gp", "style of the figures", error));
	return append_file(file, folder, name, "figure's script", error);
}

/* Writes one file, which appears only when it is complete. */
static AbutStatus put(const Content *content, const char *stem, const char *ending, AbutError *error)
{
	AbutTarget target = {NULL};
	char name[256];
	snprintf(name, sizeof name, "%s.%s", stem, ending);
	AbutStatus status = abut_target_open(&target, content->out, name, error);
	ABUT_THEN(status, content->write(target.file, content, error));
	return abut_target_end(&target, status, error);
}

static AbutStatus put_tables(const AbutReport *report, Content *content, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < report->n_tables; i++) {
		content->table = report->tables[i];
		content->write = write_csv;
		status = put(content, content->table->name, "csv", error);
		if (status == ABUT_OK) {
			content->write = write_table_json;
			status = put(content, content->table->name, "json", error);
		}
	}
	return status;
}

static AbutStatus put_scripts(const AbutReport *report, Content *content, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	content->write = write_script;
	for (int i = 0; status == ABUT_OK && i < report->n_figures; i++) {
		content->figure = &report->figures[i];
		status = put(content, content->figure->name, "gp", error);
	}
	return status;
}

/* Draws a figure; if gnuplot fails, only this figure is missing. Fails only if memory runs out. */
static AbutStatus draw(AbutFigure *figure, const char *out, bool *undrawn, AbutError *error)
{
	static const char *const formats[] = {"svg", "png"};
	AbutError reason = {0};
	bool missing = false;
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < 2 && status == ABUT_OK && !missing; i++) {
		status = draw_format(out, figure->name, formats[i], &missing, &reason);
	}
	if (status != ABUT_OK) {
		figure->problem = status == ABUT_ERROR_MEMORY ? NULL : strdup(reason.message);
		status = figure->problem ? ABUT_OK : abut_fail_memory(error, "the figures");
	} else {
		figure->drawn = !missing;
	}
	*undrawn = *undrawn || missing;
	return status;
}

AbutStatus abut_report_write(AbutReport *report, const char *scripts, const char *style, const char *out, bool *undrawn,
                             AbutError *error)
{
	Content content = {.report = report, .scripts = scripts, .style = style, .out = out};
	AbutStatus status = abut_report_check(report, error);
	*undrawn = false;
	ABUT_THEN(status, put_tables(report, &content, error));
	ABUT_THEN(status, put_scripts(report, &content, error));
	content.write = write_json;
	if (status == ABUT_OK) {
		status = put(&content, "result", "json", error); /* a first version before drawing, which may fail */
	}
	for (int i = 0; status == ABUT_OK && i < report->n_figures; i++) {
		status = draw(&report->figures[i], out, undrawn, error);
	}
	if (status == ABUT_OK && report->n_figures > 0) {
		status = put(&content, "result", "json", error); /* now with the outcome of drawing */
	}
	content.write = write_page;
	return status == ABUT_OK ? put(&content, "report", "html", error) : status;
}
