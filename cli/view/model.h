/* Exports a scene as a robot model. */
#pragma once

#include <stdbool.h>

/* Writes the scene file `scene` as MJCF to `out`. Returns the exit status; errors are reported, and, unless `quiet`,
 * what is left out. */
int abut_export_model(const char *scene, const char *out, bool quiet);
