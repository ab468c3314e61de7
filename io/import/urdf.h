/* Imports URDF. */
#pragma once

#include "io/import/model_parts.h"

void abut_import_urdf(AbutImporter *importer, const AbutXml *robot);
