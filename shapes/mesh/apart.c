/* Reads a mesh file with Assimp in a separate process. On damaged files, Debian's Assimp may read beyond its buffers,
 * fail assertions (which print and abort) or run forever. Of 400 PLY files with one changed byte 66 crash the process,
 * and of 400 COLLADA files 13 never end (tests/shapes/mesh/mesh_file.c). In a separate process this becomes an ordinary
 * error. The process can be stopped at any time, prints nothing, has limited memory and time, and returns all its
 * memory. */
#define _GNU_SOURCE /* pipe2, RTLD_DEFAULT */
#include "shapes/mesh/apart.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "shapes/mesh/assimp.h"
#include "shapes/mesh/file.h"

/* Limits of the process: memory (bytes), processor time (s) and elapsed time (s). The last one is needed because a
 * waiting process uses no processor time. */
#define MOST_BYTES(size) (((rlim_t)1 << 29) + 100 * (rlim_t)(size))
#define MOST_SECONDS(size) (2 + (rlim_t)(size) / 1000000)
#define MOST_WAIT(size) (5 + 2 * MOST_SECONDS(size))
#define OVER_LIMIT SIGXFSZ /* ends a process that needs more than MOST_BYTES; it has no other cause here */

/* First block sent through the pipe; vertices and triangles follow. */
typedef struct Head {
	AbutStatus status;
	AbutError error;
	AbutMeshReport report;
	int n_vertices, n_triangles;
} Head;

/* --- the child process --- */

static bool write_all(int file, const void *bytes, size_t n)
{
	const char *next = bytes;
	while (n > 0) {
		const ssize_t written = write(file, next, n);
		if (written <= 0 && errno != EINTR) {
			return false;
		}
		next += written > 0 ? written : 0;
		n -= written > 0 ? (size_t)written : 0;
	}
	return true;
}

static void limit(int resource, rlim_t most)
{
	struct rlimit bound;
	if (getrlimit(resource, &bound) == 0 && (bound.rlim_cur == RLIM_INFINITY || bound.rlim_cur > most)) {
		bound.rlim_cur = most;
		setrlimit(resource, &bound);
	}
}

/* Returns the address space of this process in bytes, which its child inherits. Returns 0 if the system does not report
 * it. Needs no memory. */
static rlim_t own_bytes(void)
{
	char text[32] = "";
	const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		if (read(file, text, sizeof text - 1) < 0) {
			text[0] = '\0';
		}
		close(file);
	}
	return (rlim_t)strtoumax(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Ends the process: a normal exit would run the parent's exit handlers. */
static void end(void)
{
	for (;;) {
		kill(getpid(), SIGKILL);
	}
}

/* Ends the process if it crashes because an allocation failed. */
static void on_crash(int signal)
{
	(void)signal;
	if (errno == ENOMEM) {
		end();
	}
}

/* Ends the process after an allocation has failed, by OVER_LIMIT if it needs more than its limit of memory. It does if
 * the system gives all that the limit leaves. The allocator may need MOST_MARGIN bytes for itself. */
static void end_without_memory(void)
{
	enum { MOST_MARGIN = 1 << 22 };
	struct rlimit most = {.rlim_cur = RLIM_INFINITY};
	const rlim_t used = own_bytes();
	if (used > 0 && getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY) {
		const rlim_t taken = used + MOST_MARGIN;
		void *volatile rest = taken < most.rlim_cur ? malloc((size_t)(most.rlim_cur - taken)) : NULL;
		const bool over = rest || taken >= most.rlim_cur;
		free(rest);
		if (over) {
			signal(OVER_LIMIT, SIG_DFL);
			kill(getpid(), OVER_LIMIT);
		}
	}
	end();
}

/* Calls std::set_new_handler. */
static void handle_failed_new(void (*handler)(void))
{
	typedef void Handler(void);
	typedef Handler *SetHandler(Handler * handler);
	SetHandler *const set = (SetHandler *)dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE");
	if (set) {
		set(handler);
	}
}

/* Makes `new` try a failed allocation once more. */
static void try_again(void)
{
	handle_failed_new(end_without_memory);
}

/* Ends the process if it finds no memory. Assimp would report a damaged file or crash. */
static void watch_memory(void)
{
	const struct sigaction crash = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND};
	handle_failed_new(try_again);
	sigaction(SIGABRT, &crash, NULL);
	sigaction(SIGSEGV, &crash, NULL);
	errno = 0;
}

/* Reads the file, writes the mesh to the pipe and ends the process. */
static void read_and_end(int pipe_end, const char *path, const AbutMeshOptions *options, off_t size)
{
	AbutMeshOptions silent = *options;
	AbutMesh *mesh = NULL;
	Head head;
	const int nowhere = open("/dev/null", O_RDWR);
	dup2(nowhere, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, MOST_SECONDS(size));
	const rlim_t own = own_bytes();
	if (own > 0) {
		limit(RLIMIT_AS, own + MOST_BYTES(size));
	}
	watch_memory();
	silent.progress = NULL;
	memset(&head, 0, sizeof head);
	head.status = abut_mesh_read(path, &silent, &mesh, &head.report, &head.error);
	if (head.status == ABUT_OK) {
		head.n_vertices = mesh->n_vertices;
		head.n_triangles = mesh->n_triangles;
	}
	if (write_all(pipe_end, &head, sizeof head) && head.status == ABUT_OK) {
		write_all(pipe_end, mesh->vertices, 3 * (size_t)mesh->n_vertices * sizeof *mesh->vertices);
		write_all(pipe_end, mesh->triangles, 3 * (size_t)mesh->n_triangles * sizeof *mesh->triangles);
	}
	end();
}

/* --- the parent process --- */

typedef struct Reader {
	int pipe_end;
	double deadline; /* on the clock of abut_now_us, us */
	const AbutMeshOptions *options;
	AbutError *error;
} Reader;

/* Reads n bytes and reports progress. *complete becomes false if the pipe ends or the deadline passes first. */
static AbutStatus read_all(const Reader *reader, void *out, size_t n, bool *complete)
{
	char *next = out;
	*complete = true;
	while (n > 0) {
		struct pollfd ready = {.fd = reader->pipe_end, .events = POLLIN};
		const int events = poll(&ready, 1, 100);
		if (reader->options->progress &&
		    !reader->options->progress(reader->options->context, "reading the file", -1.0)) {
			return abut_error_set(reader->error, ABUT_ERROR_STOPPED, NULL,
			                      "stopped while reading the file");
		}
		if (abut_now_us() > reader->deadline) {
			*complete = false;
			return ABUT_OK;
		}
		if (events <= 0) {
			continue;
		}
		const ssize_t got = read(reader->pipe_end, next, n);
		if (got == 0 || (got < 0 && errno != EINTR)) {
			*complete = false;
			return ABUT_OK;
		}
		next += got > 0 ? got : 0;
		n -= got > 0 ? (size_t)got : 0;
	}
	return ABUT_OK;
}

static AbutStatus take_mesh(const Reader *reader, const Head *head, AbutMesh **out, bool *complete)
{
	const size_t n_coordinates = 3 * (size_t)head->n_vertices, n_corners = 3 * (size_t)head->n_triangles;
	double *vertices = malloc((n_coordinates + 1) * sizeof *vertices);
	int *triangles = malloc((n_corners + 1) * sizeof *triangles);
	AbutStatus status = ABUT_ERROR_MEMORY;
	if (vertices && triangles) {
		status = read_all(reader, vertices, n_coordinates * sizeof *vertices, complete);
		if (status == ABUT_OK && *complete) {
			status = read_all(reader, triangles, n_corners * sizeof *triangles, complete);
		}
		if (status == ABUT_OK && *complete) {
			status = abut_mesh_create(head->n_vertices, vertices, head->n_triangles, triangles, out,
			                          reader->error);
		}
	} else {
		abut_error_set(reader->error, status, NULL, "no memory for %d triangles", head->n_triangles);
	}
	free(vertices);
	free(triangles);
	return status;
}

static AbutStatus take(const Reader *reader, AbutMesh **out, AbutMeshReport *report, bool *complete)
{
	Head head = {.status = ABUT_OK};
	AbutStatus status = read_all(reader, &head, sizeof head, complete);
	if (status != ABUT_OK || !*complete) {
		return status;
	}
	*report = head.report;
	if (head.status != ABUT_OK) {
		return abut_error_set(reader->error, head.status, head.error.where, "%s", head.error.message);
	}
	return take_mesh(reader, &head, out, complete);
}

/* Reports why the process ended before it had written everything, or that it was killed because it was late. */
static AbutStatus fail_ended(AbutError *error, int ended, bool late, off_t size)
{
	if (late || (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXCPU)) {
		return abut_error_set(error, ABUT_ERROR_PARSE, NULL,
		                      "Assimp did not finish within %lld s%s; the file is damaged: export it again",
		                      (long long)(late ? MOST_WAIT(size) : MOST_SECONDS(size)),
		                      late ? "" : " of processor time");
	}
	const int signal = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
	if (signal == OVER_LIMIT) {
		return abut_error_set(
		    error, ABUT_ERROR_PARSE, NULL,
		    "reading it needs more than %lld MiB, the limit for its size; the file is damaged: export it again",
		    (long long)(MOST_BYTES(size) >> 20));
	}
	if (signal == SIGKILL || signal == SIGINT || signal == SIGTERM || signal == SIGHUP) { /* or by itself */
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL,
		                      "the process that reads it found no memory, or was killed; it may use %lld MiB",
		                      (long long)(MOST_BYTES(size) >> 20));
	}
	return abut_error_set(error, ABUT_ERROR_PARSE, NULL,
	                      "Assimp crashed on it (signal %d); the file is damaged: export it again", signal);
}

/* Returns the size of the file plus the buffers next to a glTF file. */
static off_t size_of(const char *path)
{
	struct stat about = {0};
	stat(path, &about);
	off_t size = about.st_size;
	const char *slash = strrchr(path, '/');
	char folder[4096];
	const int length = slash ? (int)(slash - path) + 1 : 0;
	DIR *entries = NULL;
	if (abut_has_ending(path, ".gltf") &&
	    (size_t)snprintf(folder, sizeof folder, "%.*s.", length, path) < sizeof folder) {
		entries = opendir(folder);
	}
	for (const struct dirent *entry; entries && (entry = readdir(entries));) {
		struct stat buffer;
		if (abut_has_ending(entry->d_name, ".bin") && fstatat(dirfd(entries), entry->d_name, &buffer, 0) == 0 &&
		    S_ISREG(buffer.st_mode)) {
			size += buffer.st_size;
		}
	}
	if (entries) {
		closedir(entries);
	}
	return size;
}

AbutStatus abut_mesh_read_apart(const char *path, const AbutMeshOptions *options, AbutMesh **out,
                                AbutMeshReport *report, AbutError *error)
{
	int ends[2], ended = 0;
	bool complete = true;
	const off_t size = size_of(path);
	const rlim_t wait = MOST_WAIT(size);
	/* The pipe closes on exec; otherwise a program that another thread starts meanwhile would keep it open. */
	if (pipe2(ends, O_CLOEXEC) != 0) {
		return abut_error_set(error, abut_read_status(errno), NULL, "cannot make a pipe: %s", strerror(errno));
	}
	const pid_t child = fork();
	if (child < 0) {
		const int reason = errno;
		close(ends[0]);
		close(ends[1]);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "cannot start a process: %s", strerror(reason));
	}
	if (child == 0) {
		close(ends[0]);
		read_and_end(ends[1], path, options, size);
	}
	close(ends[1]);
	const Reader reader = {ends[0], abut_now_us() + 1e6 * (double)wait, options, error};
	const AbutStatus status = take(&reader, out, report, &complete);
	const bool late = !complete && abut_now_us() > reader.deadline;
	close(ends[0]);
	/* Kill the child unless it has already crashed. */
	if (status != ABUT_OK || complete || late) {
		kill(child, SIGKILL);
	}
	while (waitpid(child, &ended, 0) < 0 && errno == EINTR) {
	}
	return complete ? status : fail_ended(error, ended, late, size);
}
