/* A file that gets its name when it is complete: until then it grows beside, under a temporary one. */
#ifndef IO_TEXT_OUTPUT_TARGET_H
#define IO_TEXT_OUTPUT_TARGET_H

#include <stdbool.h>
#include <stdio.h>

#include "abut/status.h"

typedef struct AbutTarget {
	char *path, *temporary; /* owned; all zero: no file */
	FILE *file;
	bool pending; /* stands under its temporary name */
} AbutTarget;

/* Starts the file `folder/name`, or the file at the path `name` when `folder` is NULL. A path that is a pipe, a device
 * or a link is written in place. On failure the error's file is the folder, or the path without one, and
 * the status is that of path_status.h; of all that follows, too. */
AbutStatus abut_target_open(AbutTarget *target, const char *folder, const char *name, AbutError *error);
/* Opens the file `folder/name`, which must be there and have at least `size` bytes, to go on after these: what follows
 * is cut off. ABUT_ERROR_ARGUMENT: it is not there, or shorter. */
AbutStatus abut_target_continue(AbutTarget *target, const char *folder, const char *name, long size, AbutError *error);
/* Gives the file its name while it grows. */
AbutStatus abut_target_publish(AbutTarget *target, AbutError *error);
/* Bytes written and flushed. -1: the file has no size. */
long abut_target_flush(AbutTarget *target);
/* Ends an open file that has its name, without what was written after its first `size` bytes. */
void abut_target_cut(AbutTarget *target, long size);
/* Whether two open targets write into the same file. */
bool abut_target_is_same(const AbutTarget *a, const AbutTarget *b);
/* ABUT_ERROR_ARGUMENT when the target cannot be replaced because a folder stands there. */
AbutStatus abut_target_check(const AbutTarget *target, AbutError *error);
/* ABUT_ERROR_IO when something could not be written so far. */
AbutStatus abut_target_state(const AbutTarget *target, AbutError *error);
/* Puts what was written so far on the disk; a device or a pipe has none. */
AbutStatus abut_target_sync(const AbutTarget *target, AbutError *error);
/* Ends the file; what was still in its buffer may fail to be written. */
AbutStatus abut_target_close(AbutTarget *target, AbutError *error);
/* Gives the closed file its name. */
AbutStatus abut_target_commit(AbutTarget *target, AbutError *error);
/* Removes from a folder that is this process's alone the temporary files that others have left, which were killed. */
void abut_target_sweep(const char *folder);
/* Removes what was not committed and frees everything. */
void abut_target_drop(AbutTarget *target);
/* The end of a file written in one go: closed, given its name and freed; removed where `status`, of the writing, is not
 * ABUT_OK. Returns that, or what the end came to. */
AbutStatus abut_target_end(AbutTarget *target, AbutStatus status, AbutError *error);

#endif
