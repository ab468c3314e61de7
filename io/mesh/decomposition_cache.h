/* Caches decompositions in a file, so that each mesh is decomposed only once. */
#pragma once

#include "abut/decompose.h"

/* Decomposes like abut_mesh_decompose, but makes each part from its cached vertices, so that a part has the same bits
 * whether it comes from the cache or not. The cache is FILE.abut-decomposition.json next to `mesh_file` (NULL: none).
 * The cache is used if it was written for the same mesh and options by this version of the algorithm; otherwise it is
 * written. `warning` reports a cache that is damaged or cannot be written, which is no error; otherwise its message is
 * empty. */
AbutStatus abut_decompose_cached(const AbutMesh *mesh, const AbutDecomposeOptions *options, const char *mesh_file,
                                 AbutDecomposition **out, AbutError *warning, AbutError *error);
