/* An output folder: made with its parents, and removed again if nothing was put into it. */
#ifndef IO_TEXT_FOLDER_H
#define IO_TEXT_FOLDER_H

#include <stddef.h>

#include "abut/status.h"

typedef struct AbutFolder {
	char *path;  /* owned, without slashes at its end; NULL: no folder */
	size_t made; /* length of the outermost folder that we made, 0: none */
} AbutFolder;

/* `what` is such as "output", for messages. On failure the error's file is the folder that could not be made, and the
 * status is that of path_status.h. */
AbutStatus abut_folder_make(AbutFolder *folder, const char *path, const char *what, AbutError *error);
/* Keeps the folder from now on. */
void abut_folder_keep(AbutFolder *folder);
/* Removes the folders that we made and do not keep, from the inside out (one that others use by now stays), and frees
 * everything. */
void abut_folder_drop(AbutFolder *folder);

#endif
