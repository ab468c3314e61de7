/* Assimp in a process of its own. On damaged files Debian's Assimp reads beyond its buffers, fails assertions (which
 * print and abort) and loops for ever: 66 of 400 PLY files of which one byte was changed end a process, 13 COLLADA
 * files of 400 never do (tests/shapes/mesh/mesh_file.c). Behind a pipe that is an error like any other; it can be
 * stopped at any time, prints nothing, has bounded memory and time, and gives back what it had. */
#define _GNU_SOURCE /* pipe2 */
#include <dirent.h>
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
#include "shapes/mesh/file.h"

/* What the process may use: bytes per byte of the file and besides, seconds of work per MB of the file and besides, and
 * seconds until it must have ended, as one that waits for something does no work. */
#define MOST_BYTES(size) (((rlim_t)1 << 29) + 100 * (rlim_t)(size))
#define MOST_SECONDS(size) (2 + (rlim_t)(size) / 1000000)
#define MOST_WAIT(size) (5 + 2 * MOST_SECONDS(size))

/* What goes through the pipe first; vertices and triangles follow. */
typedef struct Head {
	AbutStatus status;
	AbutError error;
	AbutMeshReport report;
	int n_vertices, n_triangles;
} Head;

/* --- the process apart --- */

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

/* Bytes of address space that this process has, and its copy has to begin with; 0 when the system does not say. */
static rlim_t own_bytes(void)
{
	uintmax_t pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (file) {
		if (fscanf(file, "%ju", &pages) != 1) {
			pages = 0;
		}
		fclose(file);
	}
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Never returns. A process that ended in the usual way would run what its parent has registered for its own end. */
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
	for (;;) {
		kill(getpid(), SIGKILL);
	}
}

/* --- this process --- */

typedef struct Reader {
	int pipe_end;
	double deadline; /* us, as abut_now_us */
	const AbutMeshOptions *options;
	AbutError *error;
} Reader;

/* Takes n bytes, with a word of progress now and then. *complete is false when the pipe ended before, or the time. */
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

/* Why the process ended, or was ended when it was late, before it had written everything. */
static AbutStatus fail_ended(AbutError *error, int ended, bool late, off_t size)
{
	if (late || (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXCPU)) {
		return abut_error_set(error, ABUT_ERROR_PARSE, NULL,
		                      "Assimp did not come to an end in %lld s%s; the file is damaged: export it again",
		                      (long long)(late ? MOST_WAIT(size) : MOST_SECONDS(size)),
		                      late ? "" : " of processor time");
	}
	return abut_error_set(error, ABUT_ERROR_PARSE, NULL,
	                      "Assimp broke down on it (signal %d); the file is damaged or takes more than %lld MiB: "
	                      "export it again",
	                      WIFSIGNALED(ended) ? WTERMSIG(ended) : 0, (long long)(MOST_BYTES(size) >> 20));
}

/* Bytes of the file, and of what it may hold its numbers in: a glTF's buffers lie beside it. */
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
	/* Closed in whatever program another thread may start meanwhile, which would hold the pipe open. */
	if (pipe2(ends, O_CLOEXEC) != 0) {
		return abut_error_set(error, ABUT_ERROR_IO, NULL, "cannot make a pipe: %s", strerror(errno));
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
	/* One that broke down has ended by itself, which waitpid tells; any other is done with. */
	if (status != ABUT_OK || complete || late) {
		kill(child, SIGKILL);
	}
	while (waitpid(child, &ended, 0) < 0 && errno == EINTR) {
	}
	return complete ? status : fail_ended(error, ended, late, size);
}
