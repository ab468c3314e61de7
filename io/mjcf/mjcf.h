/* Imports MJCF. */
#pragma once

#include "io/robot/model_parts.h"

void abut_import_mjcf(AbutImporter *importer, AbutXml *mujoco);
