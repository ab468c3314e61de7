/* Orients triangles, so that their front faces outwards. */
#pragma once

#include "abut/mesh.h"
#include "shapes/core/watch.h"
#include "shapes/geometry/mesh_edges.h"

/* Turns triangles, and their sides in `edges`, which are the edges of n_vertices points. Afterwards two triangles at a
 * common edge agree, most triangles of each piece are unchanged, and closed pieces face outwards. Fills the numbers of
 * turned triangles, pieces, cavities and one-sided edges of `report`. */
AbutStatus abut_mesh_orient(int n_vertices, const double *points, int n_triangles, int *triangles, AbutMeshEdges *edges,
                            const AbutWatch *watch, AbutMeshReport *report, AbutError *error);
