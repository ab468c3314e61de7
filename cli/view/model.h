/* Exports a scene as a robot model. */
#pragma once

#include <stdbool.h>

/* Formats of robot models. */
typedef enum AbutModelFormat { ABUT_MODEL_MJCF, ABUT_MODEL_URDF, ABUT_MODEL_COUNT } AbutModelFormat;

/* The name of each format, as on the command line. */
extern const char *const abut_model_formats[ABUT_MODEL_COUNT];

/* Writes the scene file `scene` to `out`. Reports what is left out, unless `quiet`, or prints it with the results as a
 * JSON object. Returns the exit status; errors are reported. */
int abut_export_model(const char *scene, AbutModelFormat format, const char *out, bool json, bool quiet);
