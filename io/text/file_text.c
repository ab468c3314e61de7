/* Reads a whole file and joins paths. Error messages name the file. */
#include "io/text/file_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/text/words.h"

AbutStatus abut_file_fail(AbutError *error, const char *path, AbutStatus status, const char *format, ...)
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

AbutStatus abut_fail_memory(AbutError *error, const char *what)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for %s", what);
}

AbutStatus abut_file_fail_size(AbutError *error, const char *path, const char *what, size_t most)
{
	return abut_file_fail(error, path, ABUT_ERROR_ARGUMENT, "the %s is larger than %zu MiB, the largest allowed",
	                      what, most >> 20);
}

/* Reads an open file to its end. `expected` is its likely size. */
static AbutStatus read_all(int file, const char *path, const char *what, size_t most, size_t expected, char **text,
                           size_t *length, AbutError *error)
{
	size_t capacity = expected + 2, n = 0;
	char *buffer = malloc(capacity);
	while (buffer) {
		const ssize_t got = read(file, buffer + n, capacity - n - 1);
		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got < 0 || n > most) {
			const int reason = errno;
			free(buffer);
			return got < 0 ? abut_file_fail(error, path, abut_read_status(reason), "cannot read the %s: %s",
			                                what, strerror(reason))
			               : abut_file_fail_size(error, path, what, most);
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
	return abut_file_fail(error, path, ABUT_ERROR_MEMORY, "out of memory reading the %s", what);
}

AbutStatus abut_file_read(const char *path, const char *what, size_t most, char **text, size_t *length,
                          AbutError *error)
{
	struct stat info = {0};
	int file;
	do {
		file = open(path, O_RDONLY | O_CLOEXEC);
	} while (file < 0 && errno == EINTR);
	if (file < 0 || fstat(file, &info) != 0) {
		const int reason = errno;
		if (file >= 0) {
			close(file);
		}
		return abut_file_fail(error, path, abut_read_status(reason), "cannot open the %s: %s", what,
		                      strerror(reason));
	}
	if (info.st_size > (off_t)most) {
		close(file);
		return abut_file_fail_size(error, path, what, most);
	}
	const size_t expected = S_ISREG(info.st_mode) ? (size_t)info.st_size : 1 << 16;
	const AbutStatus status = read_all(file, path, what, most, expected, text, length, error);
	close(file);
	return status;
}

char *abut_path_join(const char *folder, const char *name)
{
	return folder ? abut_text_format("%s/%s", folder, name) : abut_text_format("%s", name);
}
