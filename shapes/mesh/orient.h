/* Which side of a triangle is outside. */
#ifndef SHAPES_MESH_ORIENT_H
#define SHAPES_MESH_ORIENT_H

#include "abut/mesh.h"
#include "shapes/core/watch.h"
#include "shapes/geometry/mesh_edges.h"

/* Turns triangles (and their sides in `edges`) so that those on both sides of an edge of two agree, most of each piece
 * as it was, and closed pieces face outwards. Fills what `report` says of turned triangles, pieces, cavities and
 * one-sided edges. `edges` are those of n_vertices points. */
AbutStatus abut_mesh_orient(int n_vertices, const double *points, int n_triangles, int *triangles, AbutMeshEdges *edges,
                            const AbutWatch *watch, AbutMeshReport *report, AbutError *error);

#endif
