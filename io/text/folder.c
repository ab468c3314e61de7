/* Creates an output folder with its parents, and removes it if it stays unused. */
#include "io/text/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/text/file_text.h"

/* Creates the folder `folder->path`, which is temporarily cut off at `end`. */
static AbutStatus make_one(AbutFolder *folder, const char *end, const char *what, AbutError *error)
{
	if (mkdir(folder->path, 0777) == 0) {
		folder->made = folder->made == 0 ? (size_t)(end - folder->path) : folder->made;
		return ABUT_OK;
	}
	int reason = errno;
	struct stat info;
	if (stat(folder->path, &info) == 0) {
		if (S_ISDIR(info.st_mode)) {
			return ABUT_OK;
		}
	} else if (reason == EEXIST && abut_path_status(errno) != ABUT_ERROR_ARGUMENT) {
		reason = errno; /* not whether the path is a folder, but that the system did not say */
	}
	return abut_file_fail(error, folder->path, abut_path_status(reason), "cannot make the %s folder: %s", what,
	                      strerror(reason));
}

AbutStatus abut_folder_make(AbutFolder *folder, const char *path, const char *what, AbutError *error)
{
	size_t length = strlen(path);
	if (length == 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the %s folder has an empty name", what);
	}
	while (length > 1 && path[length - 1] == '/') {
		length--;
	}
	folder->path = calloc(1, length + 1);
	if (!folder->path) {
		return abut_fail_memory(error, "the output");
	}
	memcpy(folder->path, path, length);
	for (char *end = folder->path + 1;; end++) {
		const char saved = *end;
		if (saved != '/' && saved != '\0') {
			continue;
		}
		*end = '\0';
		const AbutStatus status = make_one(folder, end, what, error);
		*end = saved;
		if (status != ABUT_OK || saved == '\0') {
			return status;
		}
	}
}

AbutStatus abut_folder_sync(const char *path, AbutError *error)
{
	const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int failed = descriptor < 0;
	while (descriptor >= 0 && (failed = fsync(descriptor)) != 0 && errno == EINTR) {
	}
	const int reason = errno;
	if (descriptor >= 0) {
		close(descriptor);
		failed = failed && reason != EINVAL; /* some file systems cannot synchronise a folder */
	}
	return failed ? abut_file_fail(error, path, abut_path_status(reason), "cannot write the folder: %s",
	                               strerror(reason))
	              : ABUT_OK;
}

void abut_folder_keep(AbutFolder *folder)
{
	folder->made = 0;
}

void abut_folder_drop(AbutFolder *folder)
{
	for (size_t end = folder->path ? strlen(folder->path) : 0; folder->made > 0 && end >= folder->made; end--) {
		if (folder->path[end] == '/' || folder->path[end] == '\0') {
			folder->path[end] = '\0';
			if (rmdir(folder->path) != 0) {
				break;
			}
		}
	}
	free(folder->path);
	*folder = (AbutFolder){NULL, 0};
}
