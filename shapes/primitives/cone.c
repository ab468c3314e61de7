/* Cone of height H and base radius R, apex towards +z, origin at the centre of mass (H/4 above the base). At height p_z
 * the disc has radius (R/H) (alpha 3H/4 - p_z):
 *     s1 = alpha H/4 + p_z >= 0,
 *     s2 = ((R/H) (alpha 3H/4 - p_z), p_x, p_y) in Q3. */
#include "shapes/core/conic.h"
#include "shapes/core/inputs.h"
#include "shapes/core/mass.h"
#include <math.h>

AbutStatus abut_shape_create_cone(double height, double radius, AbutShape **out, AbutError *error)
{
	ABUT_TRY(abut_shape_check_out(out, error));
	ABUT_TRY(abut_shape_check_length(height, "height", error));
	ABUT_TRY(abut_shape_check_length(radius, "radius", error));
	AbutShape *shape = NULL;
	ABUT_TRY(abut_shape_allocate(ABUT_SHAPE_CONE, 1, 1, (const int[]){3}, 0, 0, &shape, error));
	double *A = abut_shape_edit(shape->A), *d = abut_shape_edit(shape->d);
	d[0] = 0.25 * height;
	A[2] = -1.0;
	d[1] = 0.75 * radius;
	A[3 * 1 + 2] = radius / height;
	A[3 * 2 + 0] = -1.0;
	A[3 * 3 + 1] = -1.0;
	shape->size[0] = radius;
	shape->size[1] = height;
	shape->outer_radius = fmax(0.75 * height, hypot(radius, 0.25 * height));
	shape->inner_radius = fmin(0.25 * height, 0.75 * height * (radius / hypot(radius, height)));
	const double volume = M_PI / 3.0 * radius * radius * height;
	const double across = volume * (0.15 * radius * radius + 0.0375 * height * height);
	shape->mass = abut_mass_diagonal(volume, across, across, 0.3 * volume * radius * radius);
	*out = shape;
	return ABUT_OK;
}
