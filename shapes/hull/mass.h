/* Mass properties of solids of density 1: closed forms, polyhedra, and polyhedra padded by a ball. */
#ifndef SHAPES_HULL_MASS_H
#define SHAPES_HULL_MASS_H

#include <stdbool.h>

#include "abut/shape.h"
#include "shapes/hull/hull.h"

/* Integrals over a solid of 1, x and x x'. */
typedef struct AbutMoments {
	double volume;
	double first[3];
	double second[9]; /* symmetric */
} AbutMoments;

/* Centre of mass at the origin, principal moments of inertia along the axes. */
AbutMassProperties abut_mass_diagonal(double volume, double Ixx, double Iyy, double Izz);
/* p -> R p + t. */
void abut_mass_move(AbutMassProperties *mass, const double R[9], const double t[3]);
/* p -> factor p. */
void abut_mass_scale(AbutMassProperties *mass, double factor);

/* The lower triangular L with L L' = C; false where C (3 x 3, symmetric) is not positive definite. */
bool abut_mat3_root(const double C[9], double L[9]);

/* Whether M (3 x 3, row-major) is a possible inertia: symmetric, positive definite, principal moments obeying the
 * triangle inequality, to 1e-9 of the trace. */
bool abut_inertia_possible(const double M[9]);
/* Whether a volume, a centre of mass and an inertia may stand in for those of a shape. */
AbutStatus abut_mass_check(const AbutMassProperties *mass, AbutError *error);

/* Adds the tetrahedron between the origin and the triangle, negative when the triangle turns clockwise seen from
 * outside: over a closed surface the sum is that of the solid (the divergence theorem). */
void abut_moments_add_triangle(AbutMoments *sum, const double a[3], const double b[3], const double c[3]);
AbutMassProperties abut_mass_from_moments(const AbutMoments *moments);
/* Of any bounded shape but smooth ones, seen from the point `from` inside. `relative_error` is that of the volume, of
 * the centre to the extents and of the inertia to its trace; what is aimed at, or `harmless` m^3 of volume where that
 * is more, and how many rays are cast for it at most is told by the table in mass_rays.c, by what a ray costs
 * (shapes/composed/reach.h). ABUT_ERROR_NUMERICAL where a ray does not find its way out, ABUT_ERROR_MEMORY. */
AbutStatus abut_mass_by_rays(const AbutShape *shape, const double from[3], double harmless, AbutMassProperties *out,
                             double *relative_error);
/* Of the Minkowski sum of the hull and a ball of `radius`, which may be 0. Exact to rounding. */
AbutMassProperties abut_mass_hull(const AbutHull *hull, double radius);

#endif
