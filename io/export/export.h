/* Exports the folder of a run in file formats of other programs (docs/exchange.md). */
#pragma once

#include <stdio.h>

#include "io/run/read.h"

/* X(constant, name). */
#define ABUT_EXPORT_LIST(X)                                                                                            \
	X(ABUT_EXPORT_CSV, "csv")   /* a row for each frame and body */                                                \
	X(ABUT_EXPORT_NPZ, "npz")   /* NumPy arrays */                                                                 \
	X(ABUT_EXPORT_GLB, "glb")   /* glTF 2.0: meshes and an animation */                                            \
	X(ABUT_EXPORT_MCAP, "mcap") /* Foxglove messages */

typedef enum AbutExportFormat {
#define ABUT_X(constant, name) constant,
	ABUT_EXPORT_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_EXPORT_COUNT
} AbutExportFormat;

/* Names of the formats, such as "csv"; ABUT_EXPORT_COUNT entries. */
extern const char *const abut_export_names[];

/* Writes the whole run in the format. Errors of writing remain in the FILE (ferror). Returns ABUT_ERROR_UNSUPPORTED if
 * the run exceeds a limit of the format, ABUT_ERROR_NUMERICAL if a shape cannot be divided into triangles, or
 * ABUT_ERROR_MEMORY. */
AbutStatus abut_export(const AbutRunRecord *record, AbutExportFormat format, FILE *file, AbutError *error);
