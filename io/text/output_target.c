/* Writes files under temporary names and renames them when they are complete. */
#include "io/text/output_target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/text/file_text.h"

static AbutStatus fail(AbutError *error, const char *file, const char *what, int reason)
{
	return abut_file_fail(error, file, abut_path_status(reason), "cannot %s: %s", what, strerror(reason));
}

static const char ending[] = ".abut.tmp"; /* of temporary names: .NAME.NUMBER.abut.tmp */
enum {
	TEMPORARY_SIZE = 32,
	TRIALS = 1000
}; /* maximum extra length of a temporary name; maximum number of names tried */

/* Sets both paths. open_temporary appends number and ending to the temporary one. */
static bool make_paths(AbutTarget *target, const char *folder, const char *name)
{
	const size_t size = (folder ? strlen(folder) : 0) + strlen(name) + TEMPORARY_SIZE;
	target->path = malloc(size);
	target->temporary = malloc(size);
	if (!target->path || !target->temporary) {
		return false;
	}
	snprintf(target->path, size, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
	const char *slash = strrchr(target->path, '/');
	const int stem = slash ? (int)(slash + 1 - target->path) : 0;
	snprintf(target->temporary, size, "%.*s.%s", stem, target->path, target->path + stem);
	return true;
}

/* Returns whether the open file still has this name. */
static bool has_name(int descriptor, int folder, const char *name)
{
	struct stat file, named;
	return fstat(descriptor, &file) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       file.st_dev == named.st_dev && file.st_ino == named.st_ino;
}

/* Removes a temporary file that a killed process left. A process locks its temporary files, and the system unlocks them
 * when the process ends. Returns whether the file is removed. */
static bool remove_left(int folder, const char *name)
{
	const int descriptor = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const bool left = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
	                  has_name(descriptor, folder, name) && unlinkat(folder, name, 0) == 0;
	if (descriptor >= 0) {
		close(descriptor);
	}
	return left;
}

/* Locks a new file. Fails with EWOULDBLOCK if another process took it for one that a killed process left. A file system
 * without locks gives no protection. */
static bool lock_new(int descriptor)
{
	struct stat info;
	if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
		return errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL;
	}
	const bool removed = fstat(descriptor, &info) == 0 && info.st_nlink == 0;
	errno = EWOULDBLOCK;
	return !removed;
}

/* Creates and locks a file with the first unused temporary name, so that no two processes or threads share one. Returns
 * its descriptor, or -1. */
static int open_temporary(AbutTarget *target)
{
	char *const end = target->temporary + strlen(target->temporary);
	for (int trial = 0; trial < TRIALS; trial++) {
		snprintf(end, TEMPORARY_SIZE / 2, ".%d%s", trial, ending);
		const int descriptor = open(target->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (descriptor < 0 && errno != EEXIST) {
			return -1;
		}
		if (descriptor < 0) {
			trial -= remove_left(AT_FDCWD, target->temporary);
			continue;
		}
		if (lock_new(descriptor)) {
			return descriptor;
		}
		const int reason = errno;
		close(descriptor);
		if (reason != EWOULDBLOCK) {
			unlink(target->temporary);
			errno = reason;
			return -1;
		}
	}
	return -1;
}

/* Returns whether the path is a pipe, device, link or other special file. */
static bool is_special(const char *path)
{
	struct stat info;
	return lstat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/* Makes a stream of an open descriptor, or fails unless there is one. */
static AbutStatus make_stream(AbutTarget *target, int descriptor, const char *file, const char *what, AbutError *error)
{
	target->file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
	if (!target->file) {
		const int reason = errno;
		if (descriptor >= 0) {
			close(descriptor);
		}
		return fail(error, file, what, reason);
	}
	return ABUT_OK;
}

/* Creates the file; with `in_place`, a pipe, a device or a link is written in place. */
static AbutStatus begin(AbutTarget *target, const char *folder, const char *name, bool in_place, AbutError *error)
{
	const char *what = folder ? "write into the output folder" : "write", *where = folder ? folder : name;
	if (!make_paths(target, folder, name)) {
		return abut_fail_memory(error, "the output");
	}
	ABUT_TRY(abut_target_check(target, error));
	in_place = in_place && is_special(target->path);
	int descriptor =
	    in_place ? open(target->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : open_temporary(target);
	target->pending = descriptor >= 0 && !in_place;
	/* The lock outlives the stream: a closed file still has its temporary name for a moment. */
	target->lock = target->pending ? 1 + fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : 0;
	if (target->pending && target->lock == 0) {
		close(descriptor);
		descriptor = -1;
	}
	return make_stream(target, descriptor, where, what, error);
}

AbutStatus abut_target_open(AbutTarget *target, const char *folder, const char *name, AbutError *error)
{
	return begin(target, folder, name, !folder, error);
}

AbutStatus abut_target_replace(AbutTarget *target, const char *path, AbutError *error)
{
	return begin(target, NULL, path, false, error);
}

AbutStatus abut_target_continue(AbutTarget *target, const char *folder, const char *name, long size, AbutError *error)
{
	struct stat info;
	if (!make_paths(target, folder, name)) {
		return abut_fail_memory(error, "the output");
	}
	const int descriptor = open(target->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	ABUT_TRY(make_stream(target, descriptor, target->path, "continue the file", error));
	if (fstat(descriptor, &info) != 0) {
		return fail(error, target->path, "continue the file", errno);
	}
	if (!S_ISREG(info.st_mode) || info.st_size < size) {
		return abut_file_fail(error, target->path, ABUT_ERROR_ARGUMENT,
		                      "has %lld bytes, but the run had written %ld at its snapshot: the file was "
		                      "changed",
		                      (long long)info.st_size, size);
	}
	if (ftruncate(descriptor, size) != 0 || lseek(descriptor, size, SEEK_SET) < 0) {
		return fail(error, target->path, "truncate the file", errno);
	}
	return ABUT_OK;
}

long abut_target_flush(AbutTarget *target)
{
	return fflush(target->file) == 0 ? ftell(target->file) : -1;
}

void abut_target_cut(AbutTarget *target, long size)
{
	fclose(target->file);
	target->file = NULL;
	/* If this fails too, the last line is incomplete and nothing more can be done. */
	(void)!truncate(target->path, size);
}

/* Gets the status of the folder of a path. Returns false if it cannot be read. */
static bool stat_folder(const char *path, struct stat *info)
{
	const char *slash = strrchr(path, '/');
	char *folder = strdup(slash ? path : ".");
	if (!folder) {
		return false;
	}
	if (slash) {
		folder[slash - path + 1] = '\0';
	}
	const bool known = stat(folder, info) == 0;
	free(folder);
	return known;
}

static const char *name_in_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Compares the open files, then name and folder: two targets of the same name have separate temporary files. */
bool abut_target_is_same(const AbutTarget *a, const AbutTarget *b)
{
	struct stat x, y;
	if (!a->file || !b->file) {
		return false;
	}
	if (fstat(fileno(a->file), &x) == 0 && fstat(fileno(b->file), &y) == 0 && x.st_dev == y.st_dev &&
	    x.st_ino == y.st_ino) {
		return true;
	}
	return strcmp(name_in_folder(a->path), name_in_folder(b->path)) == 0 && stat_folder(a->path, &x) &&
	       stat_folder(b->path, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

AbutStatus abut_target_check(const AbutTarget *target, AbutError *error)
{
	struct stat info;
	const size_t n = strlen(target->path);
	const bool is_folder =
	    n == 0 || target->path[n - 1] == '/' || (lstat(target->path, &info) == 0 && S_ISDIR(info.st_mode));
	return is_folder ? fail(error, target->path, "write", EISDIR) : ABUT_OK;
}

AbutStatus abut_target_state(const AbutTarget *target, AbutError *error)
{
	return ferror(target->file) ? fail(error, target->path, "write", errno ? errno : EIO) : ABUT_OK;
}

AbutStatus abut_target_sync(const AbutTarget *target, AbutError *error)
{
	/* A pipe cannot be synchronised. */
	const bool synced = fflush(target->file) == 0 && (fsync(fileno(target->file)) == 0 || errno == EINVAL);
	return synced ? abut_target_state(target, error) : fail(error, target->path, "write", errno);
}

AbutStatus abut_target_close(AbutTarget *target, AbutError *error)
{
	FILE *file = target->file;
	const bool had_error = ferror(file);
	errno = 0;
	target->file = NULL;
	if (fclose(file) != 0 || had_error) {
		return fail(error, target->path, "write", errno ? errno : EIO);
	}
	return ABUT_OK;
}

static void unlock(AbutTarget *target)
{
	if (target->lock > 0) {
		close(target->lock - 1);
	}
	target->lock = 0;
}

AbutStatus abut_target_commit(AbutTarget *target, AbutError *error)
{
	if (target->pending && rename(target->temporary, target->path) != 0) {
		return fail(error, target->path, "write", errno);
	}
	target->pending = false;
	unlock(target);
	return ABUT_OK;
}

AbutStatus abut_target_publish(AbutTarget *target, AbutError *error)
{
	return fflush(target->file) == 0 ? abut_target_commit(target, error) : abut_target_state(target, error);
}

void abut_target_sweep(const char *folder)
{
	DIR *const directory = opendir(folder);
	for (const struct dirent *entry; directory && (entry = readdir(directory));) {
		const char *name = entry->d_name;
		const size_t length = strlen(name);
		if (name[0] == '.' && length >= sizeof ending &&
		    strcmp(name + length + 1 - sizeof ending, ending) == 0) {
			remove_left(dirfd(directory), name);
		}
	}
	if (directory) {
		closedir(directory);
	}
}

void abut_target_drop(AbutTarget *target)
{
	if (target->file) {
		fclose(target->file);
	}
	if (target->pending) {
		unlink(target->temporary);
	}
	unlock(target);
	free(target->path);
	free(target->temporary);
	memset(target, 0, sizeof *target);
}

AbutStatus abut_target_end(AbutTarget *target, AbutStatus status, AbutError *error)
{
	ABUT_THEN(status, abut_target_close(target, error));
	ABUT_THEN(status, abut_target_commit(target, error));
	abut_target_drop(target);
	return status;
}

AbutStatus abut_target_end_synced(AbutTarget *target, AbutStatus status, AbutError *error)
{
	ABUT_THEN(status, abut_target_sync(target, error));
	return abut_target_end(target, status, error);
}
