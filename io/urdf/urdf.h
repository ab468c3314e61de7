/* Imports URDF. */
#pragma once

#include "io/robot/model_parts.h"

void abut_import_urdf(AbutImporter *importer, const AbutXml *robot);
