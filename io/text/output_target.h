/* A file that gets its name when it is complete; until then it has a temporary name in the same folder. */
#ifndef IO_TEXT_OUTPUT_TARGET_H
#define IO_TEXT_OUTPUT_TARGET_H

#include <stdbool.h>
#include <stdio.h>

#include "abut/status.h"

typedef struct AbutTarget {
	char *path, *temporary; /* owned; all zero: no file */
	FILE *file;
	bool pending; /* still has its temporary name */
} AbutTarget;

/* Starts the file `folder/name`, or the file at the path `name` when `folder` is NULL. A path that is a pipe, a device
 * or a link is written in place. On failure the error's file is the folder, or the path without one, and
 * the status is that of path_status.h; of all that follows, too. */
AbutStatus abut_target_open(AbutTarget *target, const char *folder, const char *name, AbutError *error);
/* Opens the existing file `folder/name`, truncates it to `size` bytes and continues after them. ABUT_ERROR_ARGUMENT:
 * there is no such file, or it is shorter. */
AbutStatus abut_target_continue(AbutTarget *target, const char *folder, const char *name, long size, AbutError *error);
/* Gives the file its name while it grows. */
AbutStatus abut_target_publish(AbutTarget *target, AbutError *error);
/* Flushes the file and returns its size in bytes, -1 if it has none. */
long abut_target_flush(AbutTarget *target);
/* Closes an open file that has its name, and truncates it to `size` bytes. */
void abut_target_cut(AbutTarget *target, long size);
/* Returns whether two open targets write into the same file. */
bool abut_target_is_same(const AbutTarget *a, const AbutTarget *b);
/* ABUT_ERROR_ARGUMENT if a folder has the name of the target. */
AbutStatus abut_target_check(const AbutTarget *target, AbutError *error);
/* ABUT_ERROR_IO when something could not be written so far. */
AbutStatus abut_target_state(const AbutTarget *target, AbutError *error);
/* Puts what was written so far on the disk; a device or a pipe has none. */
AbutStatus abut_target_sync(const AbutTarget *target, AbutError *error);
/* Ends the file; what was still in its buffer may fail to be written. */
AbutStatus abut_target_close(AbutTarget *target, AbutError *error);
/* Gives the closed file its name. */
AbutStatus abut_target_commit(AbutTarget *target, AbutError *error);
/* Removes temporary files that killed processes have left in a folder that only this process uses. */
void abut_target_sweep(const char *folder);
/* Removes what was not committed and frees everything. */
void abut_target_drop(AbutTarget *target);
/* The end of a file written in one go: closed, given its name and freed; removed where `status`, of the writing, is not
 * ABUT_OK. Returns that, or what the end came to. */
AbutStatus abut_target_end(AbutTarget *target, AbutStatus status, AbutError *error);

#endif
