/* A zip archive of members that are stored as they are: what NumPy's .npz is. */
#ifndef IO_EXPORT_ZIP_WRITE_H
#define IO_EXPORT_ZIP_WRITE_H

#include <stdio.h>

#include "abut/status.h"
#include "io/text/bytes.h"

/* Zero and `file`: an archive that begins there. The same members give the same bytes: their date is that of zip's
 * first day. */
typedef struct AbutZip {
	FILE *file;
	uint64_t at;       /* bytes written */
	AbutBytes central; /* the directory that ends the archive */
	int n_members;
} AbutZip;

/* ABUT_ERROR_UNSUPPORTED: more than 4 GiB or 65535 members, past which the format is another. */
AbutStatus abut_zip_add(AbutZip *zip, const char *name, const AbutBytes *data, AbutError *error);
/* Writes the directory, and frees it in any case. */
AbutStatus abut_zip_finish(AbutZip *zip, AbutError *error);

#endif
