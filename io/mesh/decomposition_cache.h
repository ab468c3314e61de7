/* Decompositions kept in a file, so that a mesh is taken apart once. */
#ifndef IO_MESH_DECOMPOSITION_CACHE_H
#define IO_MESH_DECOMPOSITION_CACHE_H

#include "abut/decompose.h"

/* As abut_mesh_decompose, but for the parts: each is made anew from the vertices that are kept, so that they are the
 * same bits whether they were kept or found. Beside `mesh_file` (NULL: keep nothing) FILE.abut-decomposition.json is
 * read when it was written for the same mesh and options by this version of the algorithm; otherwise it is written.
 * `warning` tells what was wrong with a file that is torn, or could not be written, which is no error; its message is
 * empty when nothing was. */
AbutStatus abut_decompose_cached(const AbutMesh *mesh, const AbutDecomposeOptions *options, const char *mesh_file,
                                 AbutDecomposition **out, AbutError *warning, AbutError *error);

#endif
