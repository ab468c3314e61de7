/* Computes mass properties of solids of density 1: moves, scales and checks them, and integrates over triangles. */
#pragma once

#include <stdbool.h>

#include "abut/shape.h"
#include "base/vec3.h"

/* Integrals of 1, x and x x' over a solid. */
typedef struct AbutMoments {
	double volume;
	double first[3];
	double second[9]; /* symmetric */
} AbutMoments;

/* Computes out += factor (a b' + b a') / 2. */
static inline void abut_moments_add_product(double out[9], double factor, const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			out[3 * i + j] += 0.5 * factor * (a[i] * b[j] + b[i] * a[j]);
		}
	}
}

/* Computes sum += factor (aa' + bb' + cc' + (a+b+c)(a+b+c)'). This is 24 times the integral of x x' over the triangle
 * abc if `factor` is twice its area. It is 120 times the integral over the tetrahedron 0abc if `factor` is six times
 * its volume. */
static inline void abut_moments_add_corners(double sum[9], double factor, const double a[3], const double b[3],
                                            const double c[3])
{
	const double total[3] = {a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
	abut_moments_add_product(sum, factor, a, a);
	abut_moments_add_product(sum, factor, b, b);
	abut_moments_add_product(sum, factor, c, c);
	abut_moments_add_product(sum, factor, total, total);
}

/* Returns mass properties with the centre of mass at the origin and the principal axes along the coordinate axes. */
AbutMassProperties abut_mass_diagonal(double volume, double Ixx, double Iyy, double Izz);
/* Moves the solid by p -> R p + t. */
void abut_mass_move(AbutMassProperties *mass, const double R[9], const double t[3]);
/* Scales the solid by p -> factor p. */
void abut_mass_scale(AbutMassProperties *mass, double factor);

/* Computes the lower triangular L with L L' = C. Returns false if C (3 x 3, symmetric) is not positive definite. */
bool abut_mat3_root(const double C[9], double L[9]);

/* Returns whether M (3 x 3, row-major) is a possible inertia. It must be symmetric and positive definite, and its
 * principal moments must obey the triangle inequality to 1e-9 of the trace. */
bool abut_inertia_possible(const double M[9]);
/* Refuses mass properties that no solid can have. */
AbutStatus abut_mass_check(const AbutMassProperties *mass, AbutError *error);

/* Adds the integrals over the tetrahedron between the origin and the triangle, negative if the triangle is clockwise
 * seen from outside. Over a closed surface the sum is the integral over the solid (divergence theorem). */
void abut_moments_add_triangle(AbutMoments *sum, const double a[3], const double b[3], const double c[3]);
AbutMassProperties abut_mass_from_moments(const AbutMoments *moments);
