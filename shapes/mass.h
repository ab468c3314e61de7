/* Mass properties of solids of density 1: closed forms, polyhedra, and polyhedra padded by a ball. */
#ifndef SHAPES_MASS_H
#define SHAPES_MASS_H

#include "abut/shape.h"
#include "shapes/hull.h"

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

AbutMassProperties abut_mass_from_moments(const AbutMoments *moments);
/* Of the Minkowski sum of the hull and a ball of `radius`, which may be 0. Exact to rounding. */
AbutMassProperties abut_mass_hull(const AbutHull *hull, double radius);

#endif
