/* Reads the text of a file and joins paths. */
#pragma once

#include <stddef.h>

#include "abut/status.h"

/* Fills `error` with a message about the file and returns `status`. */
__attribute__((format(printf, 4, 5))) AbutStatus abut_file_fail(AbutError *error, const char *path, AbutStatus status,
                                                                const char *format, ...);

/* Fails with "out of memory for WHAT". */
AbutStatus abut_fail_memory(AbutError *error, const char *what);

/* Reads the file at `path`, at most `most` bytes, and appends a NUL. On ABUT_OK, the caller frees `*text`. `what` names
 * the kind of file in messages, for example "scene". */
AbutStatus abut_file_read(const char *path, const char *what, size_t most, char **text, size_t *length,
                          AbutError *error);
/* Fails because the file is larger than `most` bytes. */
AbutStatus abut_file_fail_size(AbutError *error, const char *path, const char *what, size_t most);

/* Returns `folder/name`, or `name` if `folder` is NULL; the caller frees it. NULL: out of memory. */
char *abut_path_join(const char *folder, const char *name);
