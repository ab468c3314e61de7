/* Imports MJCF. */
#ifndef IO_IMPORT_MJCF_H
#define IO_IMPORT_MJCF_H

#include "io/import/model_parts.h"

void abut_import_mjcf(AbutImporter *importer, AbutXml *mujoco);

#endif
