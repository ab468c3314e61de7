/* Makes closed meshes with known volume and inertia, for the tests of meshes. */
#pragma once

#include "abut/mesh.h"

enum { SOLID_MOST = 60000 };

/* A mesh of triangles that face outwards. */
typedef struct Solid {
	int n_vertices, n_triangles;
	double vertices[3 * SOLID_MOST / 2];
	int triangles[3 * SOLID_MOST];
} Solid;

void solid_tetrahedron(Solid *solid, double leg); /* the corner of a cube at the origin */
void solid_box(Solid *solid, const double half[3]);
void solid_dodecahedron(Solid *solid, double edge);                     /* regular, about the origin */
void solid_sphere(Solid *solid, double radius, int divisions);          /* an icosahedron, each triangle made four */
void solid_torus(Solid *solid, double R, double r, int around, int up); /* about z */
/* Moves all vertices by p -> R p + t. */
void solid_move(Solid *solid, const double R[9], const double t[3]);
/* Appends a solid, reversed if `turned`. */
void solid_append(Solid *solid, const Solid *other, int turned);

/* Makes the mesh as it is. Fails the test if it cannot be made. */
AbutMesh *solid_mesh(const Solid *solid);
