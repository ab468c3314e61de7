/* The whole text of a file, and the path to one in a folder. */
#ifndef IO_TEXT_FILE_TEXT_H
#define IO_TEXT_FILE_TEXT_H

#include <stddef.h>

#include "abut/status.h"

/* Fills `error` with a message about the file. */
__attribute__((format(printf, 4, 5))) AbutStatus abut_file_fail(AbutError *error, const char *path, AbutStatus status,
                                                                const char *format, ...);

/* Fails with "out of memory for WHAT". */
AbutStatus abut_fail_memory(AbutError *error, const char *what);

/* Reads all bytes of the file at `path`, at most `most`, and adds a NUL; the caller frees `*text` on ABUT_OK. `what` is
 * such as "scene", for messages. */
AbutStatus abut_file_read(const char *path, const char *what, size_t most, char **text, size_t *length,
                          AbutError *error);
AbutStatus abut_file_fail_size(AbutError *error, const char *path, const char *what, size_t most);

/* Returns `folder/name`; the caller frees it. NULL: out of memory. */
char *abut_path_join(const char *folder, const char *name);

#endif
