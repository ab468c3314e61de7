/* Capsule of radius R about a segment of length L along z: p is within alpha R of the point eps z, |eps| <= alpha L/2,
 *     s1 = (alpha L/2 - eps, alpha L/2 + eps) >= 0,
 *     s2 = (alpha R, p - eps z) in Q4. */
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/mass.h"
#include <math.h>

AbutStatus abut_shape_create_capsule(double radius, double length, AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_round(radius, length, out, error));
	AbutShape *shape = NULL;
	ABUT_TRY(abut_shape_allocate(ABUT_SHAPE_CAPSULE, 2, 1, (const int[]){4}, 1, 0, &shape, error));
	double *A = abut_shape_edit(shape->A), *B = abut_shape_edit(shape->B), *d = abut_shape_edit(shape->d);
	d[0] = d[1] = 0.5 * length;
	B[0] = 1.0;
	B[1] = -1.0;
	d[2] = radius;
	for (int i = 0; i < 3; i++) {
		A[3 * (3 + i) + i] = -1.0;
	}
	B[5] = 1.0;
	shape->size[0] = radius;
	shape->size[1] = length;
	shape->outer_radius = 0.5 * length + radius;
	shape->inner_radius = radius;

	/* A cylinder and two half balls. The half balls start at distance L/2, and their centres of mass lie 3R/8
	 * further out. */
	const double RR = radius * radius;
	const double tube = M_PI * RR * length, ball = 4.0 / 3.0 * M_PI * RR * radius;
	const double across = tube * (length * length / 12.0 + 0.25 * RR) +
	                      ball * (0.4 * RR + 0.25 * length * length + 0.375 * length * radius);
	shape->mass = abut_mass_diagonal(tube + ball, across, across, 0.5 * tube * RR + 0.4 * ball * RR);
	*out = shape;
	return ABUT_OK;
}
