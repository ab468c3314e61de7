/* Exports the folder of a run in file formats of other programs (docs/exchange.md). */
#pragma once

#include <stdio.h>

#include "io/run/read.h"

/* X(constant, name). */
#define ABUT_EXPORT_LIST(X)                                                                                            \
	X(ABUT_EXPORT_CSV, "csv")   /* a table */                                                                      \
	X(ABUT_EXPORT_NPZ, "npz")   /* NumPy arrays */                                                                 \
	X(ABUT_EXPORT_GLB, "glb")   /* glTF 2.0: meshes and an animation */                                            \
	X(ABUT_EXPORT_MCAP, "mcap") /* Foxglove messages */

/* Tables of the format csv. X(constant, name). */
#define ABUT_EXPORT_TABLE_LIST(X)                                                                                      \
	X(ABUT_EXPORT_BODIES, "bodies")   /* a row for each frame and body */                                          \
	X(ABUT_EXPORT_JOINTS, "joints")   /* a row for each frame, joint and freedom */                                \
	X(ABUT_EXPORT_SENSORS, "sensors") /* a row for each frame, sensor and value */

typedef enum AbutExportFormat {
#define ABUT_X(constant, name) constant,
	ABUT_EXPORT_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_EXPORT_COUNT
} AbutExportFormat;

typedef enum AbutExportTable {
#define ABUT_X(constant, name) constant,
	ABUT_EXPORT_TABLE_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_EXPORT_TABLE_COUNT
} AbutExportTable;

/* Names of the formats, such as "csv", and of the tables; ABUT_EXPORT_COUNT and ABUT_EXPORT_TABLE_COUNT entries. */
extern const char *const abut_export_names[], *const abut_export_tables[];

/* Writes the whole run in the format; `table` matters only for csv. Errors of writing remain in the FILE (ferror).
 * Returns ABUT_ERROR_UNSUPPORTED if the run exceeds a limit of the format or lacks the table, ABUT_ERROR_NUMERICAL if a
 * shape cannot be divided into triangles, or ABUT_ERROR_MEMORY. */
AbutStatus abut_export(const AbutRunRecord *record, AbutExportFormat format, AbutExportTable table, FILE *file,
                       AbutError *error);
