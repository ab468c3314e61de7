/* Notes elements and attributes that URDF does not have. */
#pragma once

#include "io/robot/model_parts.h"

/* Notes each unknown name in links and joints once; unknown elements of <robot> are noted with those left out. */
void abut_urdf_note_unknown(AbutImporter *importer, const AbutXml *robot);
