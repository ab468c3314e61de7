/* Makes the shapes and masses of imported bodies. */
#pragma once

#include "io/robot/model_parts.h"

/* Makes all shapes and masses. Bodies that a scene cannot contain are dropped with a note. */
void abut_importer_finish(AbutImporter *importer);
/* Returns whether a shape of type "mesh" can describe the mesh: it has a file, one positive scale and no pose of its
 * own. */
bool abut_import_mesh_is_plain(const AbutImportMesh *mesh);
/* Returns whether the scene lists every pair that may touch, with its friction. This holds for MJCF with few bodies. */
bool abut_import_lists_pairs(const AbutImport *import);
