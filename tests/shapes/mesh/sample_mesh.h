/* Closed meshes to be taken apart: blocks of unit cubes, surfaces of revolution, level sets of functions. */
#pragma once

#include "abut/mesh.h"

/* The cells (i, j, k) of a grid for which `filled` says so, i + nx (j + ny k), as one surface: two triangles per face,
 * vertices shared. `x`, `y`, `z` are the n + 1 grid lines of each axis. */
AbutMesh *sample_mesh_blocks(const int n[3], const double *const lines[3], const char *filled);

/* A torus about z with radii R and r: n x m quadrilaterals. */
AbutMesh *sample_mesh_torus(double R, double r, int n, int m);

/* The set { f < 0 } in the cube [-size, size]^3 by marching tetrahedra on n^3 cells: closed and manifold when f > 0 on
 * the cube's surface. */
AbutMesh *sample_mesh_level(double (*f)(const double p[3]), double size, int n);

/* Level sets: a ring with eight spokes, knobs and an axle, of some twenty convex parts; a sphere with bumps; a hollow
 * sphere. */
double sample_level_wheel(const double p[3]);
double sample_level_shell(const double p[3]);
