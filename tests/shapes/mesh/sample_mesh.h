/* Makes closed meshes for the decomposition: blocks of unit cubes, surfaces of revolution, level sets of functions. */
#pragma once

#include "abut/mesh.h"

/* Makes one surface of the cells (i, j, k) of a grid for which `filled` is set at i + nx (j + ny k): two triangles per
 * face, shared vertices. `x`, `y`, `z` are the n + 1 grid lines of each axis. */
AbutMesh *sample_mesh_blocks(const int n[3], const double *const lines[3], const char *filled);

/* Makes a torus about z with radii R and r: n x m quadrilaterals. */
AbutMesh *sample_mesh_torus(double R, double r, int n, int m);

/* Makes the set { f < 0 } in the cube [-size, size]^3 by marching tetrahedra on n^3 cells. It is closed and manifold if
 * f > 0 on the surface of the cube. */
AbutMesh *sample_mesh_level(double (*f)(const double p[3]), double size, int n);

/* Level sets: a ring with eight spokes, knobs and an axle, of some twenty convex parts; a sphere with bumps; a hollow
 * sphere. */
double sample_level_wheel(const double p[3]);
double sample_level_shell(const double p[3]);
