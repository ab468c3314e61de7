/* The folder of a run as files of other programs (docs/exchange.md). */
#ifndef IO_EXPORT_EXPORT_H
#define IO_EXPORT_EXPORT_H

#include <stdio.h>

#include "io/run/read.h"

/* X(constant, name). */
#define ABUT_EXPORT_LIST(X)                                                                                            \
	X(ABUT_EXPORT_CSV, "csv")   /* a row for each frame and body */                                                \
	X(ABUT_EXPORT_NPZ, "npz")   /* arrays of NumPy */                                                              \
	X(ABUT_EXPORT_GLB, "glb")   /* glTF 2.0: meshes and an animation */                                            \
	X(ABUT_EXPORT_MCAP, "mcap") /* messages of Foxglove */

typedef enum AbutExportFormat {
#define ABUT_X(constant, name) constant,
	ABUT_EXPORT_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_EXPORT_COUNT
} AbutExportFormat;

/* Names, such as "csv", ABUT_EXPORT_COUNT of them. */
extern const char *const abut_export_names[];

/* Writes the whole run in the format. Errors of writing stay in the FILE. ABUT_ERROR_UNSUPPORTED: the format cannot
 * hold as much; ABUT_ERROR_MEMORY; ABUT_ERROR_NUMERICAL: a shape has no triangles. */
AbutStatus abut_export(const AbutRunRecord *record, AbutExportFormat format, FILE *file, AbutError *error);

#endif
