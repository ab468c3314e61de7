/* Mass properties of solids of density 1: closed forms, polyhedra, and polyhedra padded by a ball. */
#ifndef SHAPES_CORE_MASS_H
#define SHAPES_CORE_MASS_H

#include <stdbool.h>

#include "abut/shape.h"
#include "base/vec3.h"

/* Integrals over a solid of 1, x and x x'. */
typedef struct AbutMoments {
	double volume;
	double first[3];
	double second[9]; /* symmetric */
} AbutMoments;

/* out += factor (a b' + b a') / 2. */
static inline void abut_moments_add_product(double out[9], double factor, const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			out[3 * i + j] += 0.5 * factor * (a[i] * b[j] + b[i] * a[j]);
		}
	}
}

/* sum += factor (aa' + bb' + cc' + (a+b+c)(a+b+c)'): 24 times the integral of x x' over the triangle abc for twice its
 * area, 120 times that over the tetrahedron 0abc for six times its volume. */
static inline void abut_moments_add_corners(double sum[9], double factor, const double a[3], const double b[3], const double c[3])
{
	const double total[3] = {a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
	abut_moments_add_product(sum, factor, a, a);
	abut_moments_add_product(sum, factor, b, b);
	abut_moments_add_product(sum, factor, c, c);
	abut_moments_add_product(sum, factor, total, total);
}

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

#endif
