/* Writes a file under a temporary name in its folder; the file gets its own name when it is complete. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "abut/status.h"

typedef struct AbutTarget {
	char *path, *temporary; /* owned; NULL: no file */
	FILE *file;
	bool pending; /* the file still has its temporary name */
	int lock;     /* 1 + a descriptor that keeps the temporary file locked; 0: none */
} AbutTarget;

/* Creates the file `folder/name`, or the file at path `name` if `folder` is NULL. A path that is a pipe, a device or a
 * link is written in place. On failure, the error's file is the folder, or the path if `folder` is NULL. This and all
 * functions below return statuses of io/text/file_text.h. */
AbutStatus abut_target_open(AbutTarget *target, const char *folder, const char *name, AbutError *error);
/* Creates the file at `path`, a name that the user did not choose: a link of that name is replaced, not followed. */
AbutStatus abut_target_replace(AbutTarget *target, const char *path, AbutError *error);
/* Opens the existing file `folder/name`, truncates it to `size` bytes and appends. Returns ABUT_ERROR_ARGUMENT if the
 * file is missing or shorter. */
AbutStatus abut_target_continue(AbutTarget *target, const char *folder, const char *name, long size, AbutError *error);
/* Gives the file its name while it is still being written. */
AbutStatus abut_target_publish(AbutTarget *target, AbutError *error);
/* Flushes the file and returns its size in bytes, or -1 on failure. */
long abut_target_flush(AbutTarget *target);
/* Closes an open file that has its final name, and truncates it to `size` bytes. */
void abut_target_cut(AbutTarget *target, long size);
/* Returns whether two open targets write to the same file. */
bool abut_target_is_same(const AbutTarget *a, const AbutTarget *b);
/* Returns ABUT_ERROR_ARGUMENT if a folder has the name of the target. */
AbutStatus abut_target_check(const AbutTarget *target, AbutError *error);
/* Reports an error if writing has failed so far. */
AbutStatus abut_target_state(const AbutTarget *target, AbutError *error);
/* Writes all data of the file to the disk. */
AbutStatus abut_target_sync(const AbutTarget *target, AbutError *error);
/* Closes the file. Buffered data may still fail to be written. */
AbutStatus abut_target_close(AbutTarget *target, AbutError *error);
/* Gives the closed file its name. */
AbutStatus abut_target_commit(AbutTarget *target, AbutError *error);
/* Removes temporary files that killed processes left in a folder. Those of living processes are locked and stay. */
void abut_target_sweep(const char *folder);
/* Removes the file if it still has its temporary name, and frees all memory. */
void abut_target_drop(AbutTarget *target);
/* Ends a file: closes it, gives it its name and frees the target. If `status`, that of writing, is not ABUT_OK, the
 * file is removed instead. Returns `status` or the first error. */
AbutStatus abut_target_end(AbutTarget *target, AbutStatus status, AbutError *error);
/* The same, but first writes the data to the disk, so that after a power cut no incomplete file has the name. */
AbutStatus abut_target_end_synced(AbutTarget *target, AbutStatus status, AbutError *error);
