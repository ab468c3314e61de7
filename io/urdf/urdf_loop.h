/* Reads the joints that close loops, an extension of URDF by Dojo. */
#pragma once

#include "io/robot/model_parts.h"

/* Makes each <loop_joint> of the robot a joint between two links that other joints move; call when all links are read.
 */
void abut_urdf_loops(AbutImporter *importer, const AbutXml *robot);
