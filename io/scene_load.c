/* Reading the text of a scene: from a file or from memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/scene_internal.h"

__attribute__((format(printf, 4, 5))) static AbutStatus fail(AbutError *error, const char *path, AbutStatus status,
                                                             const char *format, ...)
{
	char message[256];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	abut_error_set(error, status, NULL, "%s", message);
	if (error) {
		snprintf(error->file, sizeof error->file, "%s", path);
	}
	return status;
}

static AbutStatus fail_size(AbutError *error, const char *path)
{
	return fail(error, path, ABUT_ERROR_ARGUMENT, "the scene is larger than %d MiB, the largest allowed",
	            ABUT_SCENE_MAX_BYTES >> 20);
}

/* All bytes of an open file, and a NUL after them; `*text` is the caller's on ABUT_OK. `expected` is a hint. */
static AbutStatus read_all(int file, const char *path, size_t expected, char **text, size_t *length, AbutError *error)
{
	size_t capacity = expected + 2, n = 0;
	char *buffer = malloc(capacity);
	while (buffer) {
		const ssize_t got = read(file, buffer + n, capacity - n - 1);
		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got < 0 || n > ABUT_SCENE_MAX_BYTES) {
			const int reason = errno;
			free(buffer);
			return got < 0 ? fail(error, path, ABUT_ERROR_IO, "cannot read the scene: %s", strerror(reason))
			               : fail_size(error, path);
		}
		if (got == 0) {
			buffer[n] = '\0';
			*text = buffer;
			*length = n;
			return ABUT_OK;
		}
		n += (size_t)got;
		if (n + 1 == capacity) {
			capacity *= 2;
			char *const larger = realloc(buffer, capacity);
			if (!larger) {
				free(buffer);
			}
			buffer = larger;
		}
	}
	return fail(error, path, ABUT_ERROR_MEMORY, "out of memory reading the scene");
}

AbutStatus abut_scene_load(const char *path, int n_overrides, const char *const *overrides, AbutScene **out,
                           AbutError *error)
{
	*out = NULL;
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info = {0};
	if (file < 0 || fstat(file, &info) != 0) {
		const int reason = errno;
		if (file >= 0) {
			close(file);
		}
		return fail(error, path, ABUT_ERROR_IO, "cannot open the scene: %s", strerror(reason));
	}
	if (info.st_size > ABUT_SCENE_MAX_BYTES) {
		close(file);
		return fail_size(error, path);
	}
	char *text = NULL;
	size_t length = 0;
	const size_t expected = S_ISREG(info.st_mode) ? (size_t)info.st_size : 1 << 16;
	const AbutStatus status = read_all(file, path, expected, &text, &length, error);
	close(file);
	return status == ABUT_OK ? abut_scene_from_text(text, length, path, n_overrides, overrides, out, error)
	                         : status;
}

AbutStatus abut_scene_parse(const char *text, size_t length, const char *name, int n_overrides,
                            const char *const *overrides, AbutScene **out, AbutError *error)
{
	*out = NULL;
	if (length > ABUT_SCENE_MAX_BYTES) {
		return fail_size(error, name);
	}
	char *const copy = malloc(length + 1);
	if (!copy) {
		return fail(error, name, ABUT_ERROR_MEMORY, "out of memory reading the scene");
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	return abut_scene_from_text(copy, length, name, n_overrides, overrides, out, error);
}
