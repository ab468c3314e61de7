/* Finds the mesh files of URDF. */
#pragma once

#include "io/robot/model_parts.h"

/* Reads <mesh>: the file, which may be in a package, and its scale. */
void abut_urdf_mesh(AbutImporter *importer, const AbutXml *mesh, AbutGeom *geom);
