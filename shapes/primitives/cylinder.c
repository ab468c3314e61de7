/* Creates cylinders of radius R and length L along z: |p_z| <= alpha L/2 and |(p_x, p_y)| <= alpha R,
 *     s1 = (alpha L/2 - p_z, alpha L/2 + p_z) >= 0,
 *     s2 = (alpha R, p_x, p_y) in Q3. */
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/mass.h"
#include <math.h>

AbutStatus abut_shape_create_cylinder(double radius, double length, AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_round(radius, length, out, error));
	AbutShape *shape = NULL;
	ABUT_TRY(abut_shape_allocate(ABUT_SHAPE_CYLINDER, 2, 1, (const int[]){3}, 0, 0, &shape, error));
	double *A = abut_shape_edit(shape->A), *d = abut_shape_edit(shape->d);
	d[0] = d[1] = 0.5 * length;
	A[2] = 1.0;
	A[5] = -1.0;
	d[2] = radius;
	A[3 * 3 + 0] = -1.0;
	A[3 * 4 + 1] = -1.0;
	shape->size[0] = radius;
	shape->size[1] = length;
	shape->outer_radius = hypot(radius, 0.5 * length);
	shape->inner_radius = fmin(radius, 0.5 * length);
	const double volume = M_PI * radius * radius * length;
	const double across = volume * (3.0 * radius * radius + length * length) / 12.0;
	shape->mass = abut_mass_diagonal(volume, across, across, 0.5 * volume * radius * radius);
	*out = shape;
	return ABUT_OK;
}
