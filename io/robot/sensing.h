/* Adds sites and sensors to the model of an import. */
#pragma once

#include "io/robot/model_parts.h"

/* Adds a site to a body, an index or ABUT_JOINT_WORLD. A name that is taken gets a number. Returns its index, or -1
 * after an error. */
int abut_importer_site(AbutImporter *importer, const char *name, int body, const AbutPose *pose);
/* Returns the index of a site at this pose of a body; adds one of this name if there is none. -1: an error. */
int abut_importer_site_at(AbutImporter *importer, const char *name, int body, const AbutPose *pose);
/* Returns the index of the site of this name, or -1. */
int abut_import_find_site(const AbutImport *import, const char *name);
/* Adds a sensor, named `name`, or after its type if that is "". A name that is taken gets a number. */
void abut_importer_sensor(AbutImporter *importer, const char *name, const AbutImportSensor *sensor);
/* Replaces the indices of bodies as abut_importer_renumber does. Sensors of dropped bodies are dropped. */
void abut_importer_renumber_sensing(AbutImport *import, const int *map);
