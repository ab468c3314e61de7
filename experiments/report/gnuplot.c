#include "experiments/report/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "io/text/file_text.h"

enum { PATH_SIZE = 4096, MOST_LOG = 1 << 20 };

/* Starts gnuplot in the folder, its words into a log there, by its name alone: no shell reads them. 0, or errno. */
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

/* Whether the child ended well. */
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

/* What gnuplot said, its line with the reason: the one that tells a line number, otherwise the first. */
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

AbutStatus abut_gnuplot_draw(const char *folder, const char *name, const char *format, bool *missing, AbutError *error)
{
	char script[256], log[256], log_path[PATH_SIZE], drawn[PATH_SIZE];
	struct stat info;
	pid_t child = 0;
	snprintf(script, sizeof script, "%s.gp", name);
	snprintf(log, sizeof log, ".%s.%ld.log", name, (long)getpid());
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
