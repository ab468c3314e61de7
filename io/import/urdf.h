/* Imports URDF. */
#ifndef IO_IMPORT_URDF_H
#define IO_IMPORT_URDF_H

#include "io/import/model_parts.h"

void abut_import_urdf(AbutImporter *importer, const AbutXml *robot);

#endif
