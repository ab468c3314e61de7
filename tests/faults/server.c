/* Runs the program once for each line on stdin, KIND POINT FOLDER LOGS, in a process forked before `main`, so that
 * loading is paid once. Answers with the wait status and the number of possible points that the run passed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"

typedef int Main(int argc, char **argv, char **environment);
typedef int Start(Main *own, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                  void *stack_end);
Start __libc_start_main; /* of the C library: what calls `main` */

enum { LINE = 4096, FAILED = 125, MOST_SECONDS = 60 };

static struct {
	Main *real_main;
	long *count; /* shared with the processes that the program starts */
	long at;
	volatile FaultKind kind;
	volatile bool armed;
} run;

bool faults_due(void)
{
	if (!run.armed) {
		return false;
	}
	const long now = __atomic_add_fetch(run.count, 1, __ATOMIC_RELAXED);
	return run.kind != FAULT_NONE && (now == run.at || (run.kind == FAULT_MEMORY && now > run.at));
}

FaultKind faults_kind(void)
{
	return run.kind;
}

void faults_arm(FaultKind kind, long n)
{
	run.kind = kind;
	run.at = n;
	run.armed = true;
}

static bool fails_to_start(int *reason)
{
	const bool fails = run.kind == FAULT_EAGAIN && faults_due();
	*reason = fails ? EAGAIN : 0;
	return fails;
}

pid_t fork(void)
{
	pid_t (*const real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
	return fails_to_start(&errno) ? -1 : real();
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	int (*const real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
	    (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
	int reason;
	return fails_to_start(&reason) ? reason : real(thread, attributes, start, argument);
}

/* Programs that the command would start, such as gnuplot, are not part of the campaigns. */
int posix_spawnp(pid_t *child, const char *program, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
	(void)child, (void)program, (void)actions, (void)attributes, (void)argv, (void)environment;
	return ENOENT;
}

static void redirect(int descriptor, const char *stem, const char *ending, int flags)
{
	char path[LINE];
	snprintf(path, sizeof path, "%s%s", stem, ending);
	const int file = open(path, flags, 0666);
	if (file < 0 || dup2(file, descriptor) < 0) {
		_exit(FAILED);
	}
	close(file);
}

/* One run: the child of the server. */
static void run_once(FaultKind kind, long n, const char *folder, const char *logs)
{
	const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	alarm(MOST_SECONDS);
	signal(SIGINT, SIG_DFL); /* a shell ignores it for jobs in the background */
	redirect(STDIN_FILENO, "/dev/null", "", O_RDONLY);
	redirect(STDOUT_FILENO, logs, "stdout", O_WRONLY | O_CREAT | O_TRUNC);
	redirect(STDERR_FILENO, logs, "stderr", O_WRONLY | O_CREAT | O_TRUNC);
	if (chdir(folder) != 0) {
		_exit(FAILED);
	}
	if (kind == FAULT_ORDER) {
		char path[LINE + 8];
		snprintf(path, sizeof path, "%scalls", logs);
		faults_list_calls(path);
	}
	if (kind >= FAULT_ENOSPC && kind != FAULT_EAGAIN) {
		faults_trap_calls();
	}
	faults_arm(kind, n);
}

static int serve(int argc, char **argv, char **environment)
{
	char line[LINE], folder[LINE], logs[LINE];
	int kind, status;
	long n;
	unsetenv("LD_PRELOAD");
	unsetenv("ABUT_FAULTS");
	run.count = mmap(NULL, sizeof *run.count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	while (run.count != MAP_FAILED && fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "%d %ld %4095s %4095s", &kind, &n, folder, logs) != 4) {
			return FAILED;
		}
		*run.count = 0;
		const pid_t child = fork();
		if (child == 0) {
			run_once(kind, n, folder, logs);
			return run.real_main(argc, argv, environment);
		}
		if (child < 0 || waitpid(child, &status, 0) != child) {
			return FAILED;
		}
		dprintf(STDOUT_FILENO, "%d %ld\n", status, *run.count); /* the stream of the program stays unused */
	}
	return 0;
}

int __libc_start_main(Main *own, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void *stack_end)
{
	Start *const real = (Start *)dlsym(RTLD_NEXT, "__libc_start_main");
	run.real_main = own;
	return real(getenv("ABUT_FAULTS") ? serve : own, argc, argv, init, fini, rtld_fini, stack_end);
}
