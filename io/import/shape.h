/* Shapes and masses of imported bodies. */
#ifndef IO_IMPORT_SHAPE_H
#define IO_IMPORT_SHAPE_H

#include "io/import/model_parts.h"

/* Makes all shapes and masses. Drops bodies that no scene can hold, with a note. */
void abut_importer_finish(AbutImporter *importer);
/* Returns whether a shape of type "mesh" describes the mesh: a file with one scale, in the geometry's frame. */
bool abut_import_mesh_is_plain(const AbutImportMesh *mesh);
/* Returns whether the scene lists every pair that may touch, with its friction: for MJCF of few bodies. */
bool abut_import_lists_pairs(const AbutImport *import);

#endif
