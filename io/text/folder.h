/* Creates an output folder with its parents, and removes it if it stays unused. */
#pragma once

#include <stddef.h>

#include "abut/status.h"

typedef struct AbutFolder {
	char *path;  /* owned, without trailing slashes; NULL: no folder */
	size_t made; /* length of the path of the outermost folder created; 0: none */
} AbutFolder;

/* Creates the folder; `what` is for messages, such as "output". On failure, the error's file is the folder that could
 * not be created, and the status is that of io/text/file_text.h. */
AbutStatus abut_folder_make(AbutFolder *folder, const char *path, const char *what, AbutError *error);
/* Writes the names in a folder to the disk. The status of a failure is that of io/text/file_text.h. */
AbutStatus abut_folder_sync(const char *path, AbutError *error);
/* Prevents abut_folder_drop from removing the folder. */
void abut_folder_keep(AbutFolder *folder);
/* Removes the folders that were created but not kept, innermost first, and frees all memory. A folder that is not empty
 * is not removed. */
void abut_folder_drop(AbutFolder *folder);
